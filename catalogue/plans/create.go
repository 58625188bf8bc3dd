package plans

import (
	"context"

	"github.com/asidehq/aside/action"
)

type createArgs struct {
	Description string  `arg:"description,text,objective" min:"1" max:"20000" doc:"what is to be done; one list item per change, or a whole draft with the sections ## Objective, ## Scope, ## Changes, ## Risks, ## Testing; the id of an open task makes it a plan for that one"`
	Context     *string `arg:"context" max:"20000" doc:"what else matters: limits, files, what was said"`
}

func create(plans Plans) *action.Spec {
	return action.Define(action.Spec{
		Name: "planCreate", Category: category,
		Description: "Write a plan for a larger change, as a file that people read, edit and approve, with a task behind it. It does not start anything: planApprove, then planRun.",
		Example:     `{"type":"planCreate","description":"Add a --json flag to list:\n- Print JSON in cmd/list.go\n- Describe it in docs/list.md","context":"Keep the table as the default."}`,
		Repeatable:  true, // the plan and its task have the call's key
	}, func(ctx context.Context, c action.Call, args createArgs) action.Outcome {
		more := ""
		if args.Context != nil {
			more = *args.Context
		}
		p, err := plans.Create(ctx, by(c), args.Description, more)
		if err != nil {
			return failed("planCreate", err)
		}
		task := ""
		if p.Task != "" {
			task = " (task " + p.Task + ")"
		}
		return action.Done("made %s%s, a draft; planShow shows it", p.ID, task)
	})
}
