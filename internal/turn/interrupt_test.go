package turn

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
)

// lookUp is an interrupting action that finds something, or does not.
func lookUp(works bool) *action.Spec {
	return action.Define(action.Spec{
		Name: "lookUp", Category: "search", Signals: []string{"SEARCH"}, Description: "Look something up.",
		Example: `{"type":"lookUp","query":"tea"}`, Query: true, Interrupting: true, Repeatable: true,
	}, func(_ context.Context, _ action.Call, args struct {
		Query string `arg:"query,argument" doc:"what"`
	},
	) action.Outcome {
		if !works {
			return action.Fail("the catalogue is closed")
		}
		return action.Found([]string{args.Query + " is green"}, "1 result")
	})
}

// chatty is a model that goes on for as long as somebody listens.
type chatty struct {
	begins string
	heard  int // parts that were asked for after the beginning
	then   script
}

func (c *chatty) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	if strings.HasPrefix(r.Messages[len(r.Messages)-1].Text, ResultsMark) {
		return c.then.Stream(ctx, r)
	}
	return func(yield func(model.Delta, error) bool) {
		if !yield(model.Delta{Text: c.begins}, nil) {
			return
		}
		for range 1000 {
			c.heard++
			if !yield(model.Delta{Text: " and on"}, nil) {
				return
			}
		}
	}
}

func newChatty(t *testing.T, c *chatty, works bool) *stage {
	t.Helper()
	s := newStage(t, storetest.Dir(t), c)
	registry, err := action.NewRegistry(append(s.Registry.Specs(), lookUp(works))...)
	if err != nil {
		t.Fatal(err)
	}
	s.Registry, s.Gatherer.Registry, s.FollowupDepth = registry, registry, 3
	s.start()
	s.say("a", "1", "what colour is tea?")
	s.untilSettled("1")
	return s
}

func TestAnInterruptingActionStopsTheModelAndItsResultReplacesTheReply(t *testing.T) {
	c := &chatty{begins: "Tea is, I guess, [SEARCH:tea] red", then: say("It is green.")}
	s := newChatty(t, c, true)
	if c.heard > 0 {
		t.Errorf("the model went on for %d parts", c.heard)
	}
	if got := s.room.texts("a"); !slices.Equal(got, []string{"It is green."}) {
		t.Errorf("posts are %q", got)
	}
	turns := s.turns("1")
	if len(turns) != 2 || turns[0].Reply != "Tea is, I guess, [SEARCH:tea]" || !strings.Contains(turns[1].Input, "tea is green") {
		t.Errorf("the turns are %+v", turns)
	}
}

func TestAnInterruptingActionThatFailsIsSaid(t *testing.T) {
	c := &chatty{begins: "Let me look. [SEARCH:tea]", then: say("I could not look it up.")}
	s := newChatty(t, c, false)
	if got := s.room.texts("a"); len(got) != 1 || !strings.Contains(got[0], "Failed: the catalogue is closed") || !strings.HasSuffix(got[0], "I could not look it up.") {
		t.Errorf("posts are %q", got)
	}
}

func TestWhatWasShownIsToldIfNothingComesOfTheInterruption(t *testing.T) {
	c := &chatty{begins: "Tea is red, I think. [SEARCH:tea]", then: func(context.Context, string) (string, error) {
		return "", &model.Error{Kind: model.Unavailable, Message: "The model cannot be reached."}
	}}
	s := newChatty(t, c, true)
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "Tea is red, I think.\n\nThe model cannot be reached." {
		t.Errorf("posts are %q", got)
	}
}

func TestARefusedActionInterruptsNothing(t *testing.T) {
	c := &chatty{begins: "Tea is [SEARCH:tea] red", then: say("Well.")}
	s := newStage(t, storetest.Dir(t), c)
	registry, err := action.NewRegistry(append(s.Registry.Specs(), lookUp(true))...)
	if err != nil {
		t.Fatal(err)
	}
	s.Registry, s.FollowupDepth = registry, 3
	s.Policy.On = func(category string) bool { return category != "search" }
	s.start()
	s.say("a", "1", "what colour is tea?")
	s.untilSettled("1")
	if c.heard != 1000 {
		t.Errorf("the model was heard for %d parts", c.heard)
	}
}
