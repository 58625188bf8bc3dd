package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

func TestDiscordABurstIsAnsweredOnceEvenIfTheProgramIsKilledMeanwhile(t *testing.T) {
	s := newScene(t, "groups: {mode: open, debounce: 5s}\n")
	d := s.discord
	s.model.replies("All of it.")
	first := d.Write(d.Ada, d.General, "one")
	second := d.Write(d.Ada, d.General, "two")
	third := d.Write(d.Ada, d.General, "three")
	s.settle(d.General, third) // it has joined, so it is stored, and so are those before
	s.kill(syscall.SIGKILL)
	if heard := s.model.heard(); len(heard) != 0 {
		t.Fatalf("the model was asked %q", heard)
	}
	s.begin()
	s.settle(d.General, first)
	s.says(d.General, first, "All of it.")
	if heard := s.model.heard(); len(heard) != 1 || !strings.HasSuffix(heard[0], "one\ntwo\nthree") {
		t.Errorf("the model was asked %q", heard)
	}
	if len(s.answers(d.General, second))+len(s.answers(d.General, third)) > 0 || len(d.Posts(d.General)) != 1 {
		t.Errorf("there are posts %+v", d.Posts(d.General))
	}
}

func TestDiscordWhereTheAgentListensItReactsAndSaysNothing(t *testing.T) {
	s := newScene(t, "groups: {mode: listen, debounce: 0s}\n")
	d := s.discord
	s.model.replies("I hear you. " + `<action>{"type":"react","emoji":"👀"}</action>`)
	message := d.Write(d.Ada, d.General, "the build is red")
	turns := s.settle(d.General, message)
	if len(turns[0].Actions) != 1 || turns[0].Actions[0].Outcome != "done" || turns[0].Shown != "" {
		t.Errorf("the turn is %+v", turns[0])
	}
	if posts := d.Posts(d.General); len(posts) != 0 {
		t.Errorf("there are posts %+v", posts)
	}
	message = s.ask(d.Ada, d.General, "are you there?", "I am.")
	s.says(d.General, message, "I am.")
	if show := succeeds(t, "turns", "show", "1", "--config", s.config); !strings.Contains(show, "only listens there") {
		t.Errorf("the turn is shown as %q", show)
	}
}

// The judge is another model, which says what it is told to.
func TestDiscordTheJudgeDecidesAndItsWordIsKept(t *testing.T) {
	var verdict atomic.Value
	verdict.Store("IGNORE")
	judge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // whatever is asked
		stream(w, verdict.Load().(string))
		finish(w)
	}))
	t.Cleanup(judge.Close)
	s := prepareScene(t, "groups: {mode: judge, debounce: 0s}\n")
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	fast := "models:\n  fast: {provider: openai, model: judge, base_url: " + judge.URL + ", api_key: none}\n"
	if err := os.WriteFile(s.config, []byte(strings.Replace(string(text), "models:\n", fast, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.begin()
	d := s.discord
	s.model.replies("At your service.")
	for _, test := range []struct {
		said     string
		answered bool
	}{{"IGNORE", false}, {"do NOT respond", false}, {"STOP", false}, {"RESPOND", true}} {
		verdict.Store(test.said)
		message := d.Write(d.Ada, d.General, "what about it? "+test.said)
		s.settle(d.General, message)
		if got := len(s.answers(d.General, message)) == 1; got != test.answered {
			t.Errorf("after %q it is answered: %v", test.said, got)
		}
		var turn struct{ Unanswered string }
		var page struct{ Turns []json.RawMessage }
		body := s.get("/api/v1/turns?limit=1&room=discord/" + d.General.ID)
		if err := json.Unmarshal([]byte(body), &page); err != nil || len(page.Turns) != 1 || json.Unmarshal(page.Turns[0], &turn) != nil {
			t.Fatalf("the turns are %s", body)
		}
		if (turn.Unanswered == "") != test.answered {
			t.Errorf("after %q it is said %q", test.said, turn.Unanswered)
		}
	}
}
