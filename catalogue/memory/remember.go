package memory

import (
	"context"

	"github.com/asidehq/aside/action"
)

type rememberArgs struct {
	Text string `arg:"text,argument,fact" min:"1" max:"2000" doc:"the fact, as a sentence"`
	Kind string `arg:"kind" values:"fact,preference,project,constraint,person,tool,workflow" default:"fact"`
}

func remember(facts Facts) *action.Spec {
	return action.Define(action.Spec{
		Name: "memoryRemember", Category: category, Signals: []string{"REMEMBER"},
		Description: "Keep a fact about the person you talk with.",
		Example:     `{"type":"memoryRemember","text":"Prefers dark mode"}`,
		Repeatable:  true, // the source makes it one fact
	}, func(ctx context.Context, c action.Call, args rememberArgs) action.Outcome {
		kept, err := facts.Remember(ctx, owner(c), c.Key, args.Kind, args.Text)
		switch {
		case err != nil:
			return notStored("remember it")
		case kept.Merged != "" && kept.Merged == kept.Text:
			return action.Done("that was remembered already: %s", kept.Text)
		case kept.Merged != "":
			return action.Done("remembered: %s (in place of %q)", kept.Text, kept.Merged)
		case kept.Retired != "":
			return action.Done("remembered: %s (%q made room for it)", kept.Text, kept.Retired)
		}
		return action.Done("remembered: %s", kept.Text)
	})
}
