package store_test

import (
	"errors"
	"testing"

	"github.com/asidehq/aside/internal/store"
)

// next is the next turn of room a.
func next(t *testing.T, s *store.Store) *store.Turn {
	t.Helper()
	turn, err := s.NextTurn(t.Context(), "web/a")
	if err != nil || turn == nil {
		t.Fatalf("the next turn is %+v, %v", turn, err)
	}
	return turn
}

func TestAChainKeepsItsCountersAndWhatWasHeldBack(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		receive(t, s, message("a", "1", "go"))
		turn := next(t, s)
		turn.Output, turn.OutputWhy, turn.Held = "status update", "so", "Working on it…"
		for i, step := range []store.Next{{Flow: store.Continuation, Input: "go on"}, {Flow: store.FollowUp, Input: "results"}, {Flow: store.Continuation, Input: "go on again"}, {}} {
			if err := s.SaveReply(t.Context(), turn, store.Reply{Next: step}); err != nil {
				t.Fatal(err)
			}
			if err := s.Settle(t.Context(), turn, nil); err != nil || turn.Complete != (i == 3) || turn.Last != (i == 3) {
				t.Fatalf("turn %d is settled with %v: %+v", i, err, turn)
			}
			if step.Flow != "" {
				turn = next(t, s)
			}
		}
		if turn.Flow != store.Continuation || turn.Origin != "message" || turn.Follows != 3 || turn.Continued != 2 || turn.Input != "go on again" || turn.Message.Author.ID != "ada" {
			t.Errorf("the last turn is %+v", turn)
		}
		chain, err := s.Chain(t.Context(), turn)
		if err != nil || len(chain) != 3 || chain[0].Held != "Working on it…" || chain[0].Output != "status update" || chain[2].Continued != 1 {
			t.Errorf("the chain is %+v, %v", chain, err)
		}
	})
}

func TestAMessageJoinsTheTurnThatAnswersIt(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		for _, id := range []string{"1", "2", "3"} {
			receive(t, s, message("a", id, "message "+id))
		}
		receive(t, s, message("b", "4", "elsewhere"))
		turn := next(t, s)
		if err := s.SaveReply(t.Context(), turn, store.Reply{Next: store.Next{Flow: store.FollowUp, Input: "results"}}); err != nil {
			t.Fatal(err)
		}
		if err := s.Settle(t.Context(), turn, nil); err != nil || turn.Complete {
			t.Fatalf("it is complete: %v", err)
		}
		turn = next(t, s)
		waiting, err := s.WaitingAfter(t.Context(), turn)
		if err != nil || len(waiting) != 2 || waiting[0].Message.ID != "2" || waiting[1].Message.ID != "3" {
			t.Fatalf("waiting are %+v, %v", waiting, err)
		}
		turn.Added, turn.Shown = waiting[:1], "Both."
		if err := s.SaveReply(t.Context(), turn, store.Reply{}); err != nil {
			t.Fatal(err)
		}
		joins, err := s.Joins(t.Context(), turn)
		if err != nil || len(joins) != 1 || joins[0].Joined != turn.ID || joins[0].Stage != store.Settled {
			t.Errorf("joined are %+v, %v", joins, err)
		}
		if err := s.Settle(t.Context(), turn, nil); err != nil || !turn.Complete || turn.Last || len(turn.Answered) != 1 || turn.Answered[0].Message.ID != "2" {
			t.Errorf("it is settled with %v: %+v", err, turn)
		}
		answering, err := s.TurnsOf(t.Context(), "web", "2")
		if err != nil || len(answering) != 2 || answering[0].Joined != turn.ID || answering[1].ID != turn.ID {
			t.Errorf("the turns of message 2 are %+v, %v", answering, err)
		}
		events, err := (store.Web{Store: s}).Events(t.Context(), "a", 0, 100)
		settled := 0
		for _, e := range events {
			if e.Kind == "settled" {
				settled++
			}
		}
		if err != nil || settled != 2 {
			t.Errorf("%d messages are settled on the page, %v", settled, err)
		}
		history, err := s.Exchanges(t.Context(), "web/a", 0, 1<<60, 10)
		if err != nil || len(history) != 1 || history[0].Text != "message 1\nmessage 2" || history[0].Answer != "Both." {
			t.Errorf("the history is %+v, %v", history, err)
		}
		// What was joined once cannot be joined again.
		turn = next(t, s)
		turn.Added = waiting[:1]
		if err := s.SaveReply(t.Context(), turn, store.Reply{}); !errors.Is(err, store.ErrTakenOver) {
			t.Errorf("it was joined again: %v", err)
		}
	})
}
