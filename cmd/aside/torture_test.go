package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Torture: many rooms, writers that try again with the same key, a model whose
// replies act, and a program that is killed at random moments, over and over. At the
// end every accepted message has exactly one answer, in order, every action ran
// exactly once, nothing raw was ever visible, and nothing is left over.
//
// make torture does it at length; ASIDE_TORTURE is how often it is killed.
func TestTorture(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"kill -9": syscall.SIGKILL, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) { torture(t, sig, tortureKills(6), "sqlite", 1) })
	}
}

// tortureKills is how often the program is killed: a few times, or as often as was
// asked for.
func tortureKills(few int) int {
	if n, err := strconv.Atoi(os.Getenv("ASIDE_TORTURE")); err == nil {
		return n
	}
	return few
}

const (
	tortureRooms   = 20
	tortureWriters = 8
)

func torture(t *testing.T, sig os.Signal, kills int, database string, processes int) {
	model := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(model.Close)
	var victims []*victim
	for range processes {
		victims = append(victims, newVictim(t, database, model.URL))
	}
	for _, v := range victims {
		v.start()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()

	var watching sync.WaitGroup
	for room := range tortureRooms {
		watching.Go(func() { victims[room%processes].watch(ctx, roomName(room)) })
	}
	// Writers write until the last kill, and finish what they have begun.
	over := make(chan struct{})
	accepted := make([][]string, tortureRooms)
	var writing sync.WaitGroup
	for w := range tortureWriters {
		writing.Go(func() {
			for n := 0; ; n++ {
				for room := w; room < tortureRooms; room += tortureWriters {
					select {
					case <-over:
						return
					default:
					}
					text := fmt.Sprintf("m-%d-%d", room, n)
					victims[n%processes].write(roomName(room), text)
					accepted[room] = append(accepted[room], text)
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(7, uint64(kills)))
	for range kills {
		time.Sleep(time.Duration(20+random.IntN(400)) * time.Millisecond) // the moment is the point
		v := victims[random.IntN(processes)]
		v.kill(sig)
		v.start()
	}
	close(over)
	writing.Wait()
	victims[0].check(accepted)
	stop()
	watching.Wait()
	for _, v := range victims {
		v.kill(syscall.SIGTERM)
	}
}

// answer is the model: it streams a reply with instructions in it.
func answer(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asked := request.Messages[len(request.Messages)-1].Content
	reply := fmt.Sprintf("Answer to %s, <actions><react emoji=\"eyes\"/></actions>with `[CODE]`.\n[REMEMBER:%s]\n<action>{\"type\":\"sendMessage\",\"chat\":\"log\",\"content\":\"did %s\"}</action>", asked, asked, asked)
	stream(w, reply)
	finish(w)
}

func roomName(n int) string { return fmt.Sprintf("room%02d", n) }

// look reports an event in which something raw is visible.
func (v *victim) look(data string) {
	var entry struct{ Kind, Text string }
	if err := json.Unmarshal([]byte(data), &entry); err != nil || entry.Kind != "agent" {
		return
	}
	for _, raw := range []string{"<act", "</act", "emoji=", "[REM", "sendMessage", "\"type\""} {
		if strings.Contains(entry.Text, raw) {
			v.t.Errorf("this was visible: %q", entry.Text)
		}
	}
}

// madeRoom is what an answer says besides when the memory is full.
var madeRoom = regexp.MustCompile(` \("m-[0-9-]+" made room for it\)$`)

// check waits until every accepted message is answered and asks that all is as if
// nothing had happened.
func (v *victim) check(accepted [][]string) {
	v.t.Helper()
	total := 0
	for room, texts := range accepted {
		if len(texts) == 0 {
			continue // no writer has come to it
		}
		total += len(texts)
		for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			if _, answers := v.sides(room); settledAll(answers, len(texts)) {
				break
			}
		}
		// Read again: the first pages may be older than the last ones.
		messages, answers := v.sides(room)
		if len(answers) != len(texts) || len(messages) != len(texts) {
			v.t.Fatalf("room %d: %d messages were accepted, %d stand there, %d answers\n%s", room, len(texts), len(messages), len(answers), v.output.String())
		}
		for i, text := range texts {
			want := fmt.Sprintf("Answer to %s, with `[CODE]`.\n\nDone: remembered: %s", text, text)
			if got := madeRoom.ReplaceAllString(answers[i].Text, ""); got != want || answers[i].ReplyTo != messages[i].ID || messages[i].Text != text {
				v.t.Errorf("room %d: answer %d is %q to %q, want %q", room, i, answers[i].Text, messages[i].Text, want)
			}
			if !slices.Equal(messages[i].Reactions, []string{"👀"}) {
				v.t.Errorf("room %d: message %d has the reactions %v: %s", room, i, messages[i].Reactions, v.get("/api/v1/turns?message="+messages[i].ID))
			}
		}
	}
	logged := map[string]int{}
	for _, e := range v.entries("log") {
		logged[e.Text]++
	}
	for _, texts := range accepted {
		for _, text := range texts {
			if logged["did "+text] != 1 {
				v.t.Errorf("the action of %s was done %d times", text, logged["did "+text])
			}
		}
	}
	if dead := strings.TrimSpace(v.get("/api/v1/dead")); dead != `{"dead":[]}` {
		v.t.Errorf("there are dead letters: %s", dead)
	}
	v.t.Logf("%d messages, each answered once and in order", total)
}

// sides are the messages and the answers of a room.
func (v *victim) sides(room int) (messages, answers []tortureEntry) {
	v.t.Helper()
	for _, e := range v.entries(roomName(room)) {
		if e.Kind == "agent" {
			answers = append(answers, e)
		} else {
			messages = append(messages, e)
		}
	}
	return messages, answers
}

// settledAll tells whether there are so many answers and the last one is complete.
func settledAll(answers []tortureEntry, n int) bool {
	return n == 0 || len(answers) >= n && strings.Contains(answers[len(answers)-1].Text, "remembered")
}
