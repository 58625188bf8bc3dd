package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// said is a message on a platform where people can change what they wrote.
func said(id, text string) platform.Message {
	m := message("a", id, text)
	m.Room.Platform = "test"
	return m
}

// changed is the n-th change of a message.
func changed(id string, n int, text string) platform.Message {
	m := said(fmt.Sprintf("%s-edit-%d", id, n), text)
	m.Edits, m.At = id, m.At.Add(time.Duration(n)*time.Minute)
	return m
}

// finish settles the turn that is next in a session.
func finish(t *testing.T, s *store.Store, reply string) *store.Turn {
	t.Helper()
	next, err := s.NextTurn(t.Context(), "test/a")
	if err != nil || next == nil {
		t.Fatalf("the next turn is %+v, %v", next, err)
	}
	next.Reply, next.Shown, next.Problems, next.Timings = reply, reply, []byte("[]"), []byte("{}")
	if err := errors.Join(s.SaveReply(t.Context(), next, store.Reply{}), s.Settle(t.Context(), next, nil)); err != nil {
		t.Fatal(err)
	}
	return next
}

func edit(t *testing.T, s *store.Store, m platform.Message) store.Edited {
	t.Helper()
	e, err := s.Edit(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWhatBecomesOfAChange(t *testing.T) {
	const first, second = 1, 2 // turns
	waiting := func(t *testing.T, s *store.Store) {
		receive(t, s, said("0", "before it"))
		receive(t, s, said("1", "old"))
	}
	tests := []struct {
		name   string
		before func(t *testing.T, s *store.Store)
		m      platform.Message
		want   store.Edited
		text   string // of the message afterwards
	}{
		{"of a message that waits is made", waiting, changed("1", 1, "new"), store.Edited{Known: true, Done: true, Turn: second, Answered: true}, "new"},
		{"of one that waits for an owner is made", func(t *testing.T, s *store.Store) {
			if _, err := s.Receive(t.Context(), said("1", "old"), false); err != nil {
				t.Fatal(err)
			}
		}, changed("1", 1, "new"), store.Edited{Known: true, Done: true, Turn: first, Answered: true}, "new"},
		{"of one that is being worked on is not", func(t *testing.T, s *store.Store) {
			receive(t, s, said("1", "old"))
			receive(t, s, said("2", "after it"))
		}, changed("1", 1, "new"), store.Edited{Known: true, Answered: true}, "old"},
		{"of one that was answered is not", func(t *testing.T, s *store.Store) {
			receive(t, s, said("1", "old"))
			finish(t, s, "an answer")
		}, changed("1", 1, "new"), store.Edited{Known: true, Answered: true}, "old"},
		{"of one that was only read", func(t *testing.T, s *store.Store) {
			if err := s.Overhear(t.Context(), said("1", "old")); err != nil {
				t.Fatal(err)
			}
		}, changed("1", 1, "new"), store.Edited{Known: true}, "old"},
		{"of one that nobody knows", func(*testing.T, *store.Store) {}, changed("1", 1, "new"), store.Edited{}, ""},
		{"of one of another room", func(t *testing.T, s *store.Store) {
			m := said("1", "old")
			m.Room.ID = "b"
			receive(t, s, m)
		}, changed("1", 1, "new"), store.Edited{}, "old"},
		{"by somebody else is not made", waiting, func() platform.Message {
			m := changed("1", 1, "new")
			m.Author.ID = "eve"
			return m
		}(), store.Edited{Known: true, Answered: true}, "old"},
		{"to what it says already is none", waiting, changed("1", 1, "old"), store.Edited{Known: true, Done: true}, "old"},
		{"that is out of date is none", func(t *testing.T, s *store.Store) {
			waiting(t, s)
			edit(t, s, changed("1", 2, "newer"))
		}, changed("1", 1, "new"), store.Edited{Known: true, Done: true}, "newer"},
		{"that comes twice is made once", func(t *testing.T, s *store.Store) {
			waiting(t, s)
			edit(t, s, changed("1", 1, "new"))
			again := changed("1", 2, "newest")
			again.At = changed("1", 1, "").At // in the same second, as far as the platform says
			edit(t, s, again)
		}, changed("1", 1, "new"), store.Edited{Known: true, Done: true}, "newest"},
		{"of the answer to a prompt is not made", func(t *testing.T, s *store.Store) {
			p := prompt("k1", "p1")
			p.Room = said("", "").Room
			addPrompt(t, s, p)
			receive(t, s, said("0", "before it"))
			if _, err := s.Answer(t.Context(), said("1", "1"), store.Answer{Prompt: "k1", Choice: "👍", Text: "(chose 👍)"}, true); err != nil {
				t.Fatal(err)
			}
		}, changed("1", 1, "2"), store.Edited{Known: true, Answered: true}, "(chose 👍)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			each(t, func(t *testing.T, s *store.Store) {
				test.before(t, s)
				if got := edit(t, s, test.m); got != test.want {
					t.Errorf("got %+v, want %+v", got, test.want)
				}
				turns, err := s.TurnsOf(t.Context(), "test", "1")
				got := ""
				if len(turns) == 1 {
					got = turns[0].Message.Text
				}
				if err != nil || got != test.text {
					t.Errorf("the message says %q, %v, want %q", got, err, test.text)
				}
				if turns, err := s.TurnsOf(t.Context(), "test", test.m.ID); err != nil || len(turns) != 0 {
					t.Errorf("the change has turns %+v, %v", turns, err)
				}
			})
		})
	}
}

func TestAChangeThatWaitsIsChangedInItsTurn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		receive(t, s, said("1", "old"))
		pending := receive(t, s, changed("1", 1, "new"))
		m := changed("1", 2, "newest")
		m.Mentioned = true
		if got := edit(t, s, m); !got.Done || got.Turn != pending {
			t.Errorf("got %+v, want turn %d", got, pending)
		}
		finish(t, s, "an answer to the old one")
		turn := finish(t, s, "an answer to the newest one")
		if turn.ID != pending || turn.Message.Text != "newest" || !turn.Message.Mentioned || !turn.Message.At.Equal(m.At) || turn.Message.Stands() != "1" {
			t.Errorf("the turn answers %+v", turn.Message)
		}
		history, err := s.Exchanges(t.Context(), "test/a", 0, 1<<60, 10)
		if err != nil || len(history) != 2 || history[1].Text != "old" || history[0].Text != "(changed an earlier message to:) newest" {
			t.Errorf("the history is %+v, %v", history, err)
		}
	})
}

func TestWhatWasOnlyReadIsAmended(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if err := s.Overhear(t.Context(), said("1", "old")); err != nil {
			t.Fatal(err)
		}
		for _, m := range []platform.Message{changed("1", 1, "new"), changed("1", 2, "newest"), changed("1", 1, "new")} {
			if e := edit(t, s, m); e.Done {
				continue
			}
			if err := s.Amend(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		history, err := s.Exchanges(t.Context(), "test/a", 0, 1<<60, 10)
		if err != nil || len(history) != 1 || history[0].Text != "newest" {
			t.Errorf("the history is %+v, %v", history, err)
		}
	})
}

// A turn that was opened again for an older message comes first, though another one is being
// worked on: its text can be replaced while the model reads the old one.
func TestAReplyToATextThatWasReplacedIsNotStored(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		old := receive(t, s, said("0", "before it"))
		first, err := s.NextTurn(ctx, "test/a")
		if err != nil || first == nil || first.ID != old {
			t.Fatalf("the first turn is %+v, %v", first, err)
		}
		post := store.Post{Key: "k", Turn: old, Room: first.Message.Room, Text: "x", State: store.Dead}
		if err := errors.Join(s.SaveReply(ctx, first, store.Reply{Posts: []store.Post{post}}), s.Settle(ctx, first, nil)); err != nil {
			t.Fatal(err)
		}
		receive(t, s, said("1", "old"))
		running, err := s.NextTurn(ctx, "test/a")
		if err != nil || running == nil {
			t.Fatalf("the turn is %+v, %v", running, err)
		}
		if _, _, err := s.Requeue(ctx, "k", true); err != nil {
			t.Fatal(err)
		}
		if got := edit(t, s, changed("1", 1, "new")); got.Turn != running.ID {
			t.Fatalf("got %+v", got)
		}
		if err := s.SaveReply(ctx, running, store.Reply{}); !errors.Is(err, store.ErrTakenOver) {
			t.Errorf("the reply to the old text was stored: %v", err)
		}
		finish(t, s, "")
		if turn := finish(t, s, "an answer"); turn.Message.Text != "new" {
			t.Errorf("%q was answered", turn.Message.Text)
		}
	})
}

// Whatever comes first, the reply or the change: the new text is answered, or is yet to be.
func TestNoChangeIsLostWhileRepliesAreStored(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for i := range 20 {
			receive(t, s, said(fmt.Sprint(i), "old"))
		}
		var wg sync.WaitGroup
		edits := make([]store.Edited, 20)
		for i := range edits {
			wg.Go(func() {
				var err error
				if edits[i], err = s.Edit(ctx, changed(fmt.Sprint(i), 1, "new")); err != nil {
					t.Error(err)
				}
			})
		}
		answered := map[string]string{}
		for len(answered) < 20 {
			next, err := s.NextTurn(ctx, "test/a")
			if err != nil || next == nil {
				t.Fatalf("the next turn is %+v, %v", next, err)
			}
			next.Problems, next.Timings = []byte("[]"), []byte("{}")
			if err := s.SaveReply(ctx, next, store.Reply{}); errors.Is(err, store.ErrTakenOver) {
				continue // begun anew
			} else if err != nil {
				t.Fatal(err)
			}
			if err := s.Settle(ctx, next, nil); err != nil {
				t.Fatal(err)
			}
			answered[next.Message.ID] = next.Message.Text
		}
		wg.Wait()
		for i, e := range edits {
			if got := answered[fmt.Sprint(i)]; !e.Known || e.Done != (got == "new") {
				t.Errorf("message %d was answered as %q, and its change is %+v", i, got, e)
			}
		}
	})
}
