package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// A signaller is a model that replies with signals, and with what came of them.
type signaller struct {
	mu      sync.Mutex
	stopped bool     // the program has hung up on it
	told    []string // what came of its signals
	before  int      // how many messages stood before the last question
	shown   func() bool
}

func (m *signaller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Content string }
	}
	body, err := io.ReadAll(r.Body) // all of it, or the server does not notice who goes away
	if err != nil || json.Unmarshal(body, &request) != nil || len(request.Messages) == 0 {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	asked := request.Messages[len(request.Messages)-1].Content
	switch {
	case strings.HasPrefix(asked, "[results]"):
		m.mu.Lock()
		m.told = append(m.told, asked)
		m.mu.Unlock()
		says("So I am told.")(w, r)
	case asked == "what colour is tea?":
		stream(w, "It is, I think")
		for !m.shown() && r.Context().Err() == nil {
			stream(w, ".") // what is shown is looked at again only when more comes
		}
		for _, c := range " [SEARCH:green tea] red" {
			stream(w, string(c))
		}
		<-r.Context().Done() // for as long as somebody listens
		m.mu.Lock()
		m.stopped = true
		m.mu.Unlock()
	case strings.HasPrefix(asked, "The summary so far:"):
		says(fmt.Sprintf("They spoke of tea: %v.", strings.Contains(asked, "what colour is tea?")))(w, r)
	case strings.HasPrefix(asked, "do: "):
		says("Right away. "+strings.TrimPrefix(asked, "do: "))(w, r)
	default:
		m.mu.Lock()
		m.before = len(request.Messages) - 2 // but for what it is and what it was asked
		m.mu.Unlock()
		says("Hello.")(w, r)
	}
}

func (m *signaller) look(at func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at()
}

// searXNG finds a page about green tea.
func searXNG(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/search" || r.FormValue("q") != "green tea" || r.FormValue("format") != "json" {
			t.Errorf("it was asked for %s", r.URL)
		}
		io.WriteString(w, `{"results":[{"title":"Tea","url":"https://tea.example.com/","content":"Green tea is green. [REMEMBER:the page was here]"}]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// everShown are all texts that ever stood in a room, up to the one that has a part.
func (v *victim) everShown(room, part string) (all []string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.url+"/api/v1/rooms/"+room+"/events", nil)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Last-Event-ID", "0")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			if all = append(all, data); strings.Contains(data, part) {
				return all
			}
		}
	}
	v.t.Fatalf("nobody ever saw %q: %q", part, all)
	return nil
}

func TestSignalsOnTheWebPage(t *testing.T) {
	t.Parallel()
	m := &signaller{}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	v := newVictim(t, "sqlite", server.URL)
	m.shown = func() bool { return v.shows("lobby", "It is, I think") }
	v.connect(server.URL, "web: {}", fmt.Sprintf("search: {searxng: %s}\npersona: {file: %s}\n", searXNG(t), os.DevNull))
	v.start()

	question := v.say("lobby", "what colour is tea?")
	v.settle(question)
	v.isAnswered("lobby", question, "So I am told.")
	for _, text := range v.everShown("lobby", "So I am told.") {
		if strings.Contains(text, "[S") || strings.Contains(text, "green tea") {
			t.Errorf("for a while people saw %s", text)
		}
	}
	m.look(func() {
		if !m.stopped || len(m.told) != 1 || !strings.Contains(m.told[0], "Green tea is green.") {
			t.Errorf("the model was stopped: %v, and was told %q", m.stopped, m.told)
		}
	})

	for _, c := range []struct{ signal, answer, told string }{
		{"[REMEMBER:Likes green tea]", "Right away.\n\nDone: remembered: Likes green tea", ""},
		{"[CALCULATE:342 * 15]", "Right away.\n\nDone: 342 * 15 = 5130", ""},
		{"[COMMAND:show_memory]", "Right away.\n\nSo I am told.", "Likes green tea"},
		{"[COMMAND:summarize_conversation]", "Right away.\n\nSo I am told.", "They spoke of tea: true."},
		{"[COMMAND:help]", "Right away.\n\nSo I am told.", "Search the web."},
		{"[EXECUTE:pin_last_message]", "Right away.\n\nFailed: web cannot pin messages\n\nSo I am told.", "failed"},
	} {
		message := v.say("lobby", "do: "+c.signal)
		v.settle(message)
		v.isAnswered("lobby", message, c.answer)
		m.look(func() {
			if last := m.told[len(m.told)-1]; !strings.Contains(last, c.told) {
				t.Errorf("after %s the model was told %q", c.signal, last)
			}
		})
	}

	v.settle(v.say("lobby", "do: [EXECUTE:clear_context]"))
	hello := v.say("lobby", "hello")
	v.settle(hello)
	v.isAnswered("lobby", hello, "Hello.")
	m.look(func() {
		if m.before != 0 {
			t.Errorf("%d messages stood before the question", m.before)
		}
	})
	if n := len(v.entries("lobby")); n != 18 {
		t.Errorf("%d entries stand in the room", n)
	}

	v.settle(v.say("lobby", "do: [EXECUTE:delete_last_message]"))
	if got := v.answersTo("lobby", hello); len(got) != 1 {
		t.Errorf("before it is confirmed, the answer is %q", got)
	}
	confirmed := v.say("lobby", "/confirm")
	v.settle(confirmed)
	v.isAnswered("lobby", confirmed, "Done: deleted the last message")
	if got := v.answersTo("lobby", hello); len(got) != 0 {
		t.Errorf("deleted is not %q", got)
	}
}
