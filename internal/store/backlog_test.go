package store_test

import (
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
)

func TestTheBacklogIsCounted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		check := func(what string, want store.Backlog) {
			t.Helper()
			if got, err := s.Backlog(t.Context()); err != nil || got != want {
				t.Errorf("%s: %+v, %v; want %+v", what, got, err, want)
			}
		}
		check("nothing to do", store.Backlog{})
		m := message("a", "1", "hi")
		receive(t, s, m)
		if _, err := s.Receive(t.Context(), message("b", "1", "hi"), false); err != nil {
			t.Fatal(err)
		}
		check("two messages, one of which waits", store.Backlog{Turns: 2, Waiting: 1})

		turn, err := s.NextTurn(t.Context(), "web/a")
		if err != nil || turn == nil {
			t.Fatal(turn, err)
		}
		posts := []store.Post{
			{Key: "x", Turn: turn.ID, Room: m.Room, Text: "hello", State: store.Queued},
			{Key: "y", Turn: turn.ID, Room: m.Room, Text: "there", State: store.Queued},
		}
		turn.Problems, turn.Timings = []byte("[]"), []byte("{}")
		if err := s.SaveReply(t.Context(), turn, store.Reply{Posts: posts}); err != nil {
			t.Fatal(err)
		}
		check("a reply in two posts", store.Backlog{Turns: 2, Waiting: 1, Posts: 2})

		posts[0].State, posts[1].State = store.Dead, store.Late
		if err := s.Settle(t.Context(), turn, posts); err != nil {
			t.Fatal(err)
		}
		check("neither could be delivered", store.Backlog{Turns: 1, Waiting: 1, Dead: 1, Late: 1})
	})
}

func TestCommitsAreTimed(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		took := make(chan time.Duration, 10)
		s.OnCommit(func(d time.Duration) { took <- d })
		receive(t, s, message("a", "1", "hi"))
		select {
		case d := <-took: // the clock moves whenever it is asked for
			if d <= 0 {
				t.Errorf("a commit took %v", d)
			}
		default:
			t.Error("no commit was timed")
		}
	})
}
