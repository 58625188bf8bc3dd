package memory

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/action"
)

type forgetArgs struct {
	Substring string `arg:"substring,argument,text" min:"2" max:"2000" doc:"a part of what is to be forgotten"`
}

func forget(facts Facts) *action.Spec {
	return action.Define(action.Spec{
		Name: "memoryForget", Category: category, Signals: []string{"FORGET_THIS"},
		Description: "Forget what you have kept about the person you talk with, if it contains a text.",
		Example:     `{"type":"memoryForget","substring":"dark mode"}`,
	}, func(ctx context.Context, c action.Call, args forgetArgs) action.Outcome {
		gone, err := facts.Forget(ctx, owner(c), args.Substring)
		switch {
		case err != nil:
			return notStored("forget it")
		case len(gone) == 0:
			return action.Fail("nothing is remembered that contains %q", args.Substring)
		}
		return action.Done("forgotten: %s", listed(gone))
	})
}

type correctArgs struct {
	Old string `arg:"old" min:"1" max:"2000" doc:"what is remembered, or a part of it that nothing else contains"`
	New string `arg:"new" min:"1" max:"2000" doc:"what is true instead, as a whole sentence"`
}

func correct(facts Facts) *action.Spec {
	return action.Define(action.Spec{
		Name: "memoryCorrect", Category: category, Signals: []string{"CORRECT"},
		Description: "Replace what you have kept about the person you talk with where it is wrong or no longer true.",
		Example:     `{"type":"memoryCorrect","old":"Lives in Paris","new":"Lives in Rome"}`,
		Repeatable:  true, // the source is noted with it
	}, func(ctx context.Context, c action.Call, args correctArgs) action.Outcome {
		was, err := facts.Correct(ctx, owner(c), c.Key, args.Old, args.New)
		if err == nil {
			return action.Done("remembered: %s (in place of %q)", args.New, was)
		}
		if why, ok := meant(err); ok {
			return action.Fail("%s: %s", fmt.Sprintf("%q", args.Old), why)
		}
		return notStored("correct it")
	})
}
