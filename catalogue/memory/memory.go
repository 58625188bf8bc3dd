// Package memory holds the actions with which an agent remembers.
package memory

import (
	"context"

	"github.com/asidehq/aside/action"
)

// Facts is where facts about a person are kept.
type Facts interface {
	// Remember keeps a fact, once for each source.
	Remember(ctx context.Context, person, source, kind, text string) error
	// Recall returns what is kept about a person, oldest first.
	Recall(ctx context.Context, person string) ([]string, error)
}

// Specs are the actions of this category.
func Specs(facts Facts) []*action.Spec {
	return []*action.Spec{remember(facts), show(facts)}
}

const category = "memory"

type rememberArgs struct {
	Text string `arg:"text,argument,fact" max:"2000" doc:"the fact, as a sentence"`
	Kind string `arg:"kind" values:"fact,preference,project,constraint,person,tool,workflow" default:"fact"`
}

func remember(facts Facts) *action.Spec {
	return action.Define(action.Spec{
		Name: "memoryRemember", Category: category, Signals: []string{"REMEMBER"},
		Description: "Keep a fact about the person you talk with.",
		Example:     `{"type":"memoryRemember","text":"Prefers dark mode"}`,
		Repeatable:  true, // the source makes it one fact
	}, func(ctx context.Context, c action.Call, args rememberArgs) action.Outcome {
		if err := facts.Remember(ctx, owner(c), c.Key, args.Kind, args.Text); err != nil {
			return action.Fail("could not remember it: nothing can be stored at the moment; try again later")
		}
		return action.Done("remembered: %s", args.Text)
	})
}

func show(facts Facts) *action.Spec {
	return action.Define(action.Spec{
		Name: "memoryShow", Category: category,
		Description: "Look up what you have kept about the person you talk with.",
		Example:     `{"type":"memoryShow"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
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

// owner is whom facts belong to: a person, in whatever room.
func owner(c action.Call) string { return c.Platform + "/" + c.Person }
