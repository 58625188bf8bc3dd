package plans

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
)

// decision is an action of somebody who may decide about a plan.
func decision[A any](spec action.Spec, platforms venue.Platforms, plans Plans, id func(A) string, do func(context.Context, By, Plan, A) action.Outcome) *action.Spec {
	spec.Category = category
	return action.Define(spec, func(ctx context.Context, c action.Call, args A) action.Outcome {
		p, err := plans.Show(ctx, id(args))
		if err != nil {
			return failed(spec.Name, err)
		}
		if err := mayDecide(ctx, platforms, c, p); err != nil {
			return action.Refuse("%s", venue.Reason(err))
		}
		return do(ctx, by(c), p, args)
	})
}

func approve(platforms venue.Platforms, plans Plans) *action.Spec {
	return decision(action.Spec{
		Name:        "planApprove",
		Description: "Approve a plan as its file stands, so that it can be run. Only when a person has said yes to it.",
		Example:     `{"type":"planApprove","planId":"plan-001"}`,
		Repeatable:  true, // an approved plan is approved
	}, platforms, plans, func(a idArgs) string { return a.Plan }, func(ctx context.Context, by By, p Plan, _ idArgs) action.Outcome {
		p, err := plans.Approve(ctx, by, p.ID)
		if err != nil {
			return failed("planApprove", err)
		}
		return action.Done("%s is approved; planRun starts it", p.ID)
	})
}

func shut(platforms venue.Platforms, plans Plans) *action.Spec {
	return decision(action.Spec{
		Name:        "planClose",
		Description: "Put a plan away, and close its task.",
		Example:     `{"type":"planClose","planId":"plan-001"}`,
		Repeatable:  true, // a closed plan is closed
	}, platforms, plans, func(a idArgs) string { return a.Plan }, func(ctx context.Context, by By, p Plan, _ idArgs) action.Outcome {
		p, err := plans.Close(ctx, by, p.ID)
		if err != nil {
			return failed("planClose", err)
		}
		return action.Done("%s is closed", p.ID)
	})
}

type runArgs struct {
	Plan   string `arg:"planId,plan,id" min:"1" max:"100" doc:"plan-001, 001, or its task"`
	Quiet  bool   `arg:"skipCompletionNotify" optional:"true" doc:"do not write to the room when it is done; its status message says so anyway"`
	RollOn bool   `arg:"continueOnFailure" optional:"true" doc:"go on with the next phase when one fails; only when the person wants that"`
}

func run(platforms venue.Platforms, plans Plans) *action.Spec {
	return decision(action.Spec{
		Name:        "planRun",
		Description: "Start to work through what remains of an approved plan, phase by phase, in the background. Emit it when you say that you start a plan; if you have not, say so.",
		Example:     `{"type":"planRun","planId":"plan-001"}`,
		Repeatable:  true, // the run has the call's key
	}, platforms, plans, func(a runArgs) string { return a.Plan }, func(ctx context.Context, by By, p Plan, args runArgs) action.Outcome {
		p, begun, err := plans.Run(ctx, by, p.ID, Options{Quiet: args.Quiet, RollOn: args.RollOn})
		if err != nil {
			return failed("planRun", err)
		}
		if !begun {
			return action.Done("%s was running already", p.ID)
		}
		return action.Done("started %s, which has %d phases", p.ID, len(p.Phases))
	})
}
