package turn

import (
	"context"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// The message that confirms an action is not the one that it is about.
func TestWhatIsConfirmedIsAboutWhatWasAsked(t *testing.T) {
	tests := []struct {
		name    string
		asks    platform.Message
		answer  func(s *stage)
		message string
		flow    action.Flow
	}{
		{"confirmed by a message", message("a", "1", "launch it"), func(s *stage) { s.say("a", "2", "/confirm") }, "1", action.OnMessage},
		{"confirmed by a reaction", message("a", "1", "launch it"), func(s *stage) { s.react("✅", "ada", "2") }, "1", action.OnMessage},
		{"asked for by a reaction", func() platform.Message {
			m := reactionTo("77", "🚀", "1")
			return m
		}(), func(s *stage) { s.say("a", "2", "/confirm") }, "77", action.OnReaction},
		{"asked for by a change", func() platform.Message {
			m := message("a", "1-edit-1", "launch it")
			m.Edits, m.Mentioned = "1", true
			return m
		}(), func(s *stage) { s.say("a", "2", "/confirm") }, "1", action.OnMessage},
		{"confirmed by a change", message("a", "1", "launch it"), func(s *stage) {
			s.say("a", "2", "/confirn")
			s.settled(1)
			m := message("a", "2-edit-1", "/confirm")
			m.Edits = "2"
			if err := s.inbox.Receive(s.t.Context(), m); err != nil {
				s.t.Fatal(err)
			}
		}, "1", action.OnMessage},
		{"confirmed after a restart", message("a", "1", "launch it"), func(s *stage) {
			s.stop(0)
			again := newStageOn(s.t, s.Store, s.room, s.Model)
			again.Registry, again.Gatherer.Registry = s.Registry, s.Registry
			again.start()
			again.say("a", "2", "/confirm")
		}, "1", action.OnMessage},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var calls []action.Call
			spec := action.Define(action.Spec{
				Name: "launch", Category: "rockets", Destructive: true, Description: "Launch.", Example: `{"type":"launch"}`,
			}, func(_ context.Context, c action.Call, _ struct{}) action.Outcome {
				calls = append(calls, c)
				return action.Done("launched")
			})
			s := newDialogue(t, &dialogue{replies: []string{"Ready. " + block(`{"type":"launch"}`), "What?"}}, spec)
			s.start()
			if err := s.inbox.Receive(t.Context(), test.asks); err != nil {
				t.Fatal(err)
			}
			s.settled(1)
			test.answer(s)
			s.settled(1)
			if len(calls) != 1 {
				t.Fatalf("it was launched %d times", len(calls))
			}
			c := calls[0]
			if c.Message != test.message || c.Flow != test.flow || c.Room != "a" || c.Person != "ada" {
				t.Errorf("the call is %+v, want one about message %s", c, test.message)
			}
			// It is this turn's, so that it is not done again for another one.
			if ledger, err := s.Store.Actions(t.Context(), c.Turn); err != nil || len(ledger) != 1 || !ledger[0].Confirmed || c.Key != actionKey(c.Turn, 0) {
				t.Errorf("the call is %+v, the ledger %+v, %v", c, ledger, err)
			}
		})
	}
}
