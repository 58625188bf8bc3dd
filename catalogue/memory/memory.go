// Package memory holds the actions with which an agent remembers.
package memory

import (
	"context"
	"encoding/json"

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

func remember(facts Facts) *action.Spec {
	return &action.Spec{
		Name:        "memoryRemember",
		Aliases:     []string{"REMEMBER"},
		Description: "Keep a fact about the person you talk with.",
		Args: []action.Arg{
			{Name: "text", Aliases: []string{"argument", "fact"}, Description: "the fact, as a sentence"},
			{Name: "kind", Optional: true, Values: []string{"fact", "preference", "project", "constraint", "person", "tool", "workflow"}},
		},
		Example:    `{"type":"memoryRemember","text":"Prefers dark mode"}`,
		Repeatable: true, // the source makes it one fact
		Run: func(ctx context.Context, c action.Call) action.Outcome {
			kind := c.Args["kind"]
			if kind == "" {
				kind = "fact"
			}
			if err := facts.Remember(ctx, c.Person, c.Key, kind, c.Args["text"]); err != nil {
				return action.Fail("could not remember it: the store does not answer")
			}
			return action.Done("remembered: %s", c.Args["text"])
		},
	}
}

func show(facts Facts) *action.Spec {
	return &action.Spec{
		Name:        "memoryShow",
		Description: "Look up what you have kept about the person you talk with.",
		Example:     `{"type":"memoryShow"}`,
		Query:       true,
		Repeatable:  true,
		Run: func(ctx context.Context, c action.Call) action.Outcome {
			all, err := facts.Recall(ctx, c.Person)
			if err != nil {
				return action.Fail("could not look it up: the store does not answer")
			}
			out := action.Done("%d facts", len(all))
			if out.Data, err = json.Marshal(all); err != nil {
				return action.Fail("could not look it up")
			}
			return out
		},
	}
}
