package memory

import (
	"context"
	"errors"

	"github.com/asidehq/aside/action"
)

func show(facts Facts) *action.Spec {
	return action.Define(action.Spec{
		Name: "memoryShow", Category: category,
		Description: "Look up what you have kept about the person you talk with. In a direct chat only: elsewhere others would read it.",
		Example:     `{"type":"memoryShow"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		if !c.Direct {
			return action.Refuse("others would read it here; ask in a direct chat")
		}
		all, err := facts.Recall(ctx, owner(c))
		if err != nil {
			return action.Fail("could not look it up: what is remembered cannot be read at the moment; try again later")
		}
		if len(all) == 0 {
			return action.Done("nothing is remembered yet")
		}
		return action.Found(all, "what is remembered")
	})
}

// meant tells whether an error says that it is not known which fact is meant.
func meant(err error) (why string, ok bool) {
	var several *Several
	if errors.Is(err, ErrNoFact) || errors.As(err, &several) {
		return err.Error(), true
	}
	return "", false
}
