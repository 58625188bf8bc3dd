package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
)

// Torture at Telegram, which has no keys for posts: people write in several chats, a tenth
// of what the agent writes is limited or done without an answer, and the program is killed
// at random moments. At the end every message has one answer, in order, and no answer has
// ever stood in two messages. Some answers come with an album or a voice message, whose
// requests are lost more often: it has stood there once, or not at all and the answer says so.
func TestTortureTelegram(t *testing.T) {
	t.Parallel()
	s := &telegramScene{telegram: telegramtest.New(t), ctx: t.Context()}
	d := s.telegram
	model := httptest.NewServer(http.HandlerFunc(answerSlowly))
	t.Cleanup(model.Close)
	s.victim = newVictim(t, "sqlite", model.URL)
	s.configureTelegram(model.URL, "", "groups: {mode: open, debounce: 0s}\nactions: {followup_depth: 0}\n"+speaksOpus)
	s.outbound("one.png", "two.png")
	count, kills := 60, tortureKills(6)
	if os.Getenv("ASIDE_TORTURE") != "" {
		count = 500
	}

	chats := []*telegramtest.Chat{d.Workshop, d.AddChat("group", "Small", d.Owner)}
	people := []*telegramtest.User{d.Ada, d.Owner}
	for i := range 6 {
		u := d.AddUser(fmt.Sprintf("Person %d", i), fmt.Sprintf("person%d", i))
		people = append(people, u)
		chats = append(chats, d.Direct(u))
	}
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(11, uint64(kills)))
	d.Chaos(func(method string) *telegramtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		if once := method == "sendMediaGroup" || method == "sendVoice"; once && random.IntN(5) == 0 {
			return &telegramtest.Fault{Done: random.IntN(2) == 0}
		}
		switch random.IntN(20) {
		case 0:
			return &telegramtest.Fault{Status: http.StatusTooManyRequests, RetryAfter: time.Second}
		case 1:
			return &telegramtest.Fault{Done: true}
		}
		return nil
	})
	s.begin()
	written := make([]map[string]string, len(chats)) // texts, by the id of the message
	order := make([][]string, len(chats))
	for i := range chats {
		written[i] = map[string]string{}
	}
	var writing sync.WaitGroup
	over := make(chan struct{})
	writing.Go(func() {
		for n := range count {
			i := n % len(chats)
			text := fmt.Sprintf("m-%d", n)
			id := d.Write(people[i], chats[i], text)
			written[i][id] = text
			order[i] = append(order[i], id)
			select {
			case <-over: // what is left is written at once
			case <-time.After(time.Duration(kills) * 400 * time.Millisecond / time.Duration(count)):
			}
		}
	})
	moments := rand.New(rand.NewPCG(7, uint64(kills)))
	for range kills {
		time.Sleep(time.Duration(100+moments.IntN(700)) * time.Millisecond) // the moment is the point
		s.kill(syscall.SIGKILL)
		s.start()
	}
	close(over)
	writing.Wait()

	for i, chat := range chats {
		if err := d.Until(s.ctx, func() bool { return len(answersIn(d, chat)) >= len(order[i]) }); err != nil {
			t.Fatalf("%s: %d messages and %d answers\n%s", chat.Title, len(order[i]), len(answersIn(d, chat)), s.output.String())
		}
	}
	s.kill(syscall.SIGTERM) // what is being written is written to its end

	left, once, told := 0, 0, 0
	for i, chat := range chats {
		stood := map[string]int{} // in how many messages an answer has ever stood
		for _, m := range d.Everything(chat) {
			if m.From != d.Bot() {
				continue
			}
			if m.Text == "…" && !m.Deleted {
				left++
			}
			for answer := range distinctAnswers(m.Seen) {
				stood[answer]++
			}
		}
		answers := answersIn(d, chat)
		if len(answers) != len(order[i]) {
			t.Errorf("%s: %d messages and %d answers", chat.Title, len(order[i]), len(answers))
		}
		for n, id := range order[i] {
			want := "Answer to " + written[i][id] + "."
			if extra, parts := extraOf(written[i][id]); extra != "" && n < len(answers) {
				switch stood := fmt.Sprint(sentOnce(d, chat, extra)); {
				case stood == parts:
					once++
				case stood == "[]" && strings.Contains(answers[n].Text, "Unclear: ") && strings.Contains(answers[n].Text, "may not have arrived"):
					told++
				default:
					t.Errorf("%s: %q has stood there %s, and the answer is %q", chat.Title, extra, stood, answers[n].Text)
				}
			} else if n < len(answers) && answers[n].Text != want {
				t.Errorf("%s: answer %d is %q", chat.Title, n, answers[n].Text)
			}
			if stood[want] != 1 {
				t.Errorf("%s: %q has stood in %d messages", chat.Title, want, stood[want])
			}
			if n < len(answers) && (!strings.HasPrefix(answers[n].Text, want) || strconv.Itoa(answers[n].ReplyTo) != id) {
				t.Errorf("%s: answer %d is %q to %d, want %q to %s", chat.Title, n, answers[n].Text, answers[n].ReplyTo, want, id)
			}
		}
	}
	t.Logf("%d messages, each answered once and in order; %d kills have left %d placeholders; %d albums and voice messages stood there once, %d were said to be unclear", count, kills, left, once, told)
	_, secret, _ := strings.Cut(telegramtest.Token, ":")
	if strings.Contains(s.output.String(), secret) {
		t.Errorf("the token is in the log")
	}
}

// extraOf is what goes with the answer to a message: the text of an album, or what a voice
// message says, and how many parts it has.
func extraOf(text string) (extra, parts string) {
	n, _ := strconv.Atoi(strings.TrimPrefix(text, "m-"))
	switch n % 10 {
	case 4:
		return "Album to " + text + ".", "[2]"
	case 7:
		return "Voice to " + text + ".", "[1]"
	}
	return "", ""
}

var wholeAnswer = regexp.MustCompile(`Answer to m-\d+\.`)

func answersIn(d *telegramtest.Server, chat *telegramtest.Chat) []telegramtest.Message {
	var all []telegramtest.Message
	for _, m := range d.Posts(chat) {
		if wholeAnswer.MatchString(m.Text) {
			all = append(all, m)
		}
	}
	return all
}

func distinctAnswers(seen []string) map[string]bool {
	all := map[string]bool{}
	for _, text := range seen {
		if answer := wholeAnswer.FindString(text); answer != "" {
			all[answer] = true
		}
	}
	return all
}

// answerSlowly is a model that takes its time with every third answer, so that it is shown
// while it grows.
func answerSlowly(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asked := regexp.MustCompile(`m-\d+`).FindString(request.Messages[len(request.Messages)-1].Content)
	n, _ := strconv.Atoi(strings.TrimPrefix(asked, "m-"))
	stream(w, "Answer")
	if n%3 == 0 {
		time.Sleep(400 * time.Millisecond)
	}
	stream(w, " to "+asked)
	stream(w, ".")
	switch extra, _ := extraOf(asked); {
	case strings.HasPrefix(extra, "Album"):
		stream(w, `<actions><send-file path="one.png" caption="`+extra+`"/><send-file path="two.png"/></actions>`)
	case extra != "":
		stream(w, "<actions><voice>"+extra+"</voice></actions>")
	}
	finish(w)
}
