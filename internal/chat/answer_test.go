package chat

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/platform/web/client"
)

func agent(id, text string) client.Message {
	return client.Message{ID: id, Kind: "agent", Text: text, ReplyTo: "m1"}
}

func TestWhatIsShownOfAnExchange(t *testing.T) {
	post := func(m client.Message) client.Event { return client.Event{Kind: client.EventPost, Message: m} }
	edit := func(m client.Message) client.Event { return client.Event{Kind: client.EventEdit, Message: m} }
	own := client.Message{ID: "m1", Kind: "person", Text: "hi"}
	tests := []struct {
		name   string
		events []client.Event
		turns  []client.Turn
		room   []client.Message
		want   string // rows with | between them
	}{
		{"nothing yet", nil, nil, nil, "…"},
		{"one's own message is not repeated", []client.Event{post(own)}, nil, nil, "…"},
		{"an answer that is being written", []client.Event{post(agent("a1", "Hel")), edit(agent("a1", "Hello"))}, nil, nil, "Hello"},
		{"a second post stands below", []client.Event{post(agent("a1", "One")), post(agent("a2", "Two"))}, nil, nil, "One||Two"},
		{"a post that was taken away is gone", []client.Event{post(agent("a1", "One")), {Kind: client.EventDelete, Message: agent("a1", "")}}, nil, nil, "…"},
		{"a reaction", []client.Event{{Kind: client.EventReact, Message: client.Message{ID: "m1", Reactions: []string{"👍", "🎉"}, Mark: "received"}}}, nil, nil, "  👍 🎉 on your message|…"},
		{"a reaction to something further up shows nothing", []client.Event{{Kind: client.EventReact, Message: agent("a0", "Old")}}, nil, nil, "…"},
		{"what someone else writes", []client.Event{post(client.Message{ID: "m2", Kind: "person", Author: "eve\x1b", Text: "psst"})}, nil, nil, "eve␛: psst"},
		{"what is hidden", []client.Event{post(client.Message{ID: "s1", Kind: "person"}), post(client.Message{ID: "a9", Kind: "agent", ReplyTo: "s1"})}, nil, nil, "…"},
		{"escape sequences are shown", []client.Event{post(agent("a1", "\x1b[2Jx"))}, nil, nil, "␛[2Jx"},
		{
			"outcomes once it is settled",
			[]client.Event{post(agent("a1", "Hello"))},
			[]client.Turn{{Actions: []client.Action{{Type: "react", Outcome: "done", Summary: "reacted"}, {Type: "x", Outcome: "failed", Summary: "no\nway"}, {Type: "y", Outcome: "unknown"}}}},
			nil, "Hello|  ✓ react: reacted|  ✗ x: no way|  ✗ y: unknown",
		},
		{
			"a post whose event did not come", nil,
			[]client.Turn{{Receipts: []client.Receipt{{Post: "a1"}}}},
			[]client.Message{agent("a1", "Hello"), agent("a7", "something else")},
			"Hello",
		},
		{"an answer without words", nil, []client.Turn{{}}, nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := &exchange{message: "m1", hidden: []string{"s1"}}
			for _, e := range test.events {
				x.apply(e)
			}
			if test.turns != nil {
				x.settle(test.turns, test.room)
			}
			if got := strings.Join(texts(x.rows(40)), "|"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestAnAnswerAsJSONIsHarmlessAndComplete(t *testing.T) {
	a := &Answer{
		Room: "r", Message: "m1", Posts: []client.Message{agent("a1", "\x1b[2J\u009b\u202e🎉")},
		Turns: []client.Turn{{ID: 7, Failure: "Stopped.", Actions: []client.Action{{Type: "react", Args: json.RawMessage(`{}`), Outcome: "done"}}}},
	}
	got, err := a.JSON()
	if err != nil || strings.ContainsFunc(got, obeyed) || strings.Contains(got, "\n") {
		t.Fatalf("got %q, %v", got, err)
	}
	var back struct {
		Text, Failure string
		Turns         []int64
		Actions       []struct{ Type string }
	}
	if err := json.Unmarshal([]byte(got), &back); err != nil || back.Text != a.Posts[0].Text || back.Failure != "Stopped." || back.Turns[0] != 7 || back.Actions[0].Type != "react" {
		t.Errorf("got %+v, %v", back, err)
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name string
		turn client.Turn
		want string
	}{
		{"delivered", client.Turn{Receipts: []client.Receipt{{State: "delivered"}, {State: "withdrawn"}}}, ""},
		{"no reply", client.Turn{Failure: "The model\ncould not answer."}, "The model could not answer."},
		{"not delivered", client.Turn{Receipts: []client.Receipt{{State: "dead", Reason: "no such room"}}}, "a post was not delivered: no such room"},
		{"a failed action is no failed turn", client.Turn{Actions: []client.Action{{Outcome: "failed"}}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (&Answer{Turns: []client.Turn{test.turn}}).Failure(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestHistory(t *testing.T) {
	h := History{filepath.Join(t.TempDir(), "history")}
	if got := h.Read(); got != nil {
		t.Errorf("it begins with %q", got)
	}
	if err := os.WriteFile(h.Path, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.Add("one")
	h.Add("  ")
	h.Add("two")
	if got := h.Read(); !slices.Equal(got, []string{"old", "one", "two"}) {
		t.Errorf("got %q", got)
	}
	if info, err := os.Stat(h.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it can be read by others: %v, %v", info.Mode(), err)
	}
	h.Add(strings.Repeat("x", historySize))
	for range keptLines {
		h.Add("new")
	}
	if got := h.Read(); len(got) != keptLines || got[0] != "new" {
		t.Errorf("%d lines are left", len(got))
	}
	if info, err := os.Stat(h.Path); err != nil || info.Size() > historySize || info.Mode().Perm() != 0o600 {
		t.Errorf("it is %v, %v", info, err)
	}
	History{filepath.Join(t.TempDir(), "none", "history")}.Add("is no error")
}
