package store_test

import (
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func TestTheLastMessageOfARoomIsWhatPeopleSeeThere(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx, room := t.Context(), platform.Room{Platform: "web", ID: "a"}
		var numbers []int64
		for i, id := range []string{"1", "2", "3"} {
			turn, err := s.Turn(ctx, receive(t, s, message("a", id, "q"+id)))
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, turn.Number)
			if i == 1 {
				continue // nothing is answered to the second
			}
			post := store.Post{Key: "k" + id, Turn: turn.ID, Room: room, Text: "a" + id, State: store.Delivered, PostID: "p" + id}
			if err := s.AddPost(ctx, post); err != nil {
				t.Fatal(err)
			}
		}
		elsewhere := receive(t, s, message("b", "4", "in another room"))
		if err := s.AddPost(ctx, store.Post{Key: "k4", Turn: elsewhere, Room: platform.Room{Platform: "web", ID: "b"}, State: store.Delivered, PostID: "p4"}); err != nil {
			t.Fatal(err)
		}
		look := func(before int64, post, last string) {
			t.Helper()
			gotPost, _, err := s.LastPost(ctx, room, before)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.LastMessage(ctx, room, before); err != nil || got != last || gotPost != post {
				t.Errorf("before message %d the last post is %q and the last message %q, want %q and %q: %v", before, gotPost, got, post, last, err)
			}
		}
		look(numbers[0], "", "")
		look(numbers[1], "p1", "p1")
		look(numbers[2], "p1", "2")
		look(numbers[2]+100, "p3", "p3")
		if err := s.Withdraw(ctx, room, "p3"); err != nil {
			t.Fatal(err)
		}
		look(numbers[2]+100, "p1", "3")
	})
}

func TestAClearedSummaryStaysCleared(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		old := store.Summary{Until: 3, Text: "tea"}
		for _, err := range []error{
			s.SaveSummary(ctx, "web/a", store.Summary{}, old), s.ClearSummary(ctx, "web/a", 5),
			s.SaveSummary(ctx, "web/a", old, store.Summary{Until: 4, Text: "too late"}), s.ClearSummary(ctx, "web/a", 4), s.ClearSummary(ctx, "web/b", 7),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for session, until := range map[string]int64{"web/a": 5, "web/b": 7} {
			if got, err := s.Summary(ctx, session); err != nil || got != (store.Summary{Until: until, Cleared: until}) {
				t.Errorf("of %s there is %+v, %v", session, got, err)
			}
		}
	})
}
