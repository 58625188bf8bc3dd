package inbox_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// to is the n-th change of message 1.
func to(n int, text string) platform.Message {
	m := message(fmt.Sprintf("1-edit-%d", n), text)
	m.Edits, m.At = "1", m.At.Add(time.Duration(n)*time.Minute)
	return m
}

// settle settles what is next.
func settle(t *testing.T, in *inbox.Inbox, reply string) {
	t.Helper()
	next, err := in.Store.NextTurn(t.Context(), "test/a")
	if err != nil || next == nil {
		t.Fatalf("the next turn is %+v, %v", next, err)
	}
	next.Reply, next.Shown, next.Problems, next.Timings = reply, reply, []byte("[]"), []byte("{}")
	if err := errors.Join(in.Store.SaveReply(t.Context(), next, store.Reply{}), in.Store.Settle(t.Context(), next, nil)); err != nil {
		t.Fatal(err)
	}
}

// stored are the turns of message 1 and its changes, as "1: text".
func stored(t *testing.T, in *inbox.Inbox) []string {
	t.Helper()
	var all []string
	for _, id := range []string{"1", "1-edit-1", "1-edit-2", "1-edit-3"} {
		turns, err := in.Store.TurnsOf(t.Context(), "test", id)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range turns {
			all = append(all, id+": "+turn.Message.Text)
		}
	}
	return all
}

func TestWhatBecomesOfWhatAPersonHasChanged(t *testing.T) {
	mode := func(m inbox.Mode) inbox.Rules {
		return inbox.Rules{Mode: func(platform.Message) inbox.Mode { return m }}
	}
	mention := func(m platform.Message) platform.Message { m.Mentioned = true; return m }
	direct := func(m platform.Message) platform.Message { m.Direct = true; return m }
	const busy, idle, answered = "busy", "idle", "answered" // what the session does when the change comes
	tests := []struct {
		name    string
		rules   inbox.Rules
		first   []platform.Message // what comes before
		session string
		changes []platform.Message
		want    []string
		stops   int
	}{
		{"a message that waits says the new text", inbox.Rules{}, []platform.Message{message("0", "x"), message("1", "old")}, idle, []platform.Message{to(1, "new")}, []string{"1: new"}, 0},
		{"and the newest one of several", inbox.Rules{}, []platform.Message{message("0", "x"), message("1", "old")}, idle, []platform.Message{to(1, "new"), to(2, "newer"), to(1, "new"), to(2, "newer")}, []string{"1: newer"}, 0},
		{"a running turn is followed by another one", inbox.Rules{}, []platform.Message{message("1", "old")}, busy, []platform.Message{to(1, "new"), to(1, "new")}, []string{"1: old", "1-edit-1: new"}, 0},
		{"which says the newest text", inbox.Rules{}, []platform.Message{message("1", "old")}, busy, []platform.Message{to(1, "new"), to(2, "newer")}, []string{"1: old", "1-edit-1: newer"}, 0},
		{"what was answered is answered again", mode(inbox.Mention), []platform.Message{mention(message("1", "old"))}, answered, []platform.Message{to(1, "new"), to(1, "new")}, []string{"1: old", "1-edit-1: new"}, 0},
		{"what was answered is not where nothing is any more", mode(inbox.Off), []platform.Message{direct(message("1", "old"))}, answered, []platform.Message{to(1, "new")}, []string{"1: old"}, 0},
		{"what is listened to is listened to anew", mode(inbox.Listen), []platform.Message{message("1", "old")}, idle, []platform.Message{to(1, "new"), to(1, "new")}, []string{"1: old", "1-edit-1: new"}, 0},
		{"what was only read is read anew", mode(inbox.Listen), []platform.Message{message("1", "/stop")}, idle, []platform.Message{to(1, "/stop"), to(2, " /stop")}, []string{"1:  /stop"}, 0},
		{"what was only read and now mentions the agent is answered", mode(inbox.Listen), []platform.Message{message("1", "old")}, idle, []platform.Message{mention(to(1, "new"))}, []string{"1: old", "1-edit-1: new"}, 0},
		{"what was not for the agent, and is now, is a message", mode(inbox.Mention), []platform.Message{message("1", "old")}, idle, []platform.Message{mention(to(1, "new")), mention(to(1, "new"))}, []string{"1: new"}, 0},
		{"what was not for the agent, and is not now, is nothing", mode(inbox.Mention), []platform.Message{message("1", "old")}, idle, []platform.Message{to(1, "new")}, nil, 0},
		{"what came before the agent is a message in a direct chat", inbox.Rules{}, nil, idle, []platform.Message{direct(to(1, "new"))}, []string{"1: new"}, 0},
		{"what came before the agent is nothing in an open room", mode(inbox.Open), nil, idle, []platform.Message{to(1, "new")}, nil, 0},
		{"the same text is nothing", inbox.Rules{}, []platform.Message{message("1", "old")}, answered, []platform.Message{to(1, "old")}, []string{"1: old"}, 0},
		{"there and back again is two changes", inbox.Rules{}, []platform.Message{message("1", "old")}, answered, []platform.Message{to(1, "new"), to(2, "old")}, []string{"1: old", "1-edit-1: new", "1-edit-2: old"}, 0},
		{"who may not talk to the agent may not change anything", inbox.Rules{Allowed: func(m platform.Message) bool { return m.Text != "new" }}, []platform.Message{message("1", "old")}, answered, []platform.Message{to(1, "new")}, []string{"1: old"}, 0},
		{"a bot's is nothing", inbox.Rules{}, nil, idle, []platform.Message{func() platform.Message { m := direct(to(1, "new")); m.Author.Bot = true; return m }()}, nil, 0},
		{"a message that waits can be made to stop what runs", inbox.Rules{}, []platform.Message{message("0", "x"), message("1", "old")}, idle, []platform.Message{to(1, "/stop")}, []string{"1: /stop"}, 1},
		{"and so can one that runs", inbox.Rules{}, []platform.Message{message("1", "old")}, busy, []platform.Message{to(1, "/stop")}, []string{"1: old", "1-edit-1: /stop"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in, _, stops := newInbox(t)
			in.Rules = test.rules
			receive := func(m platform.Message) {
				t.Helper()
				if err := in.Receive(t.Context(), m); err != nil {
					t.Fatal(err)
				}
			}
			for _, m := range test.first {
				receive(m)
			}
			if test.session == answered {
				settle(t, in, "an answer")
			}
			for i, m := range test.changes {
				if i > 0 && test.session == answered {
					if next, err := in.Store.NextTurn(t.Context(), "test/a"); err == nil && next != nil {
						settle(t, in, "another answer")
					}
				}
				receive(m)
			}
			if got := stored(t, in); !slices.Equal(got, test.want) || len(*stops) != test.stops {
				t.Errorf("stored is %q, want %q; stopped are %v", strings.Join(got, ", "), strings.Join(test.want, ", "), *stops)
			}
		})
	}
}

func TestAChangeChoosesNothing(t *testing.T) {
	in, _, _ := newInbox(t)
	in.Now = func() time.Time { return noon }
	if err := in.Receive(t.Context(), message("1", "two of them")); err != nil {
		t.Fatal(err)
	}
	settle(t, in, "Which?")
	addPrompt(t, in, "k1", "p1", true, "👍", "👎")
	if err := in.Receive(t.Context(), to(1, "2")); err != nil {
		t.Fatal(err)
	}
	turns, err := in.Store.TurnsOf(t.Context(), "test", "1-edit-1")
	if err != nil || len(turns) != 1 || turns[0].Flow != "message" {
		t.Errorf("turns are %+v, %v", turns, err)
	}
}

func TestAChangeThatCannotBeStoredIsNotReceived(t *testing.T) {
	in, q, _ := newInbox(t)
	if err := in.Store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := in.Receive(t.Context(), to(1, "new")); err == nil || len(q.begun) != 0 {
		t.Errorf("it was received; begun are %v", q.begun)
	}
}
