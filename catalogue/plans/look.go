package plans

import (
	"context"
	"strconv"
	"strings"

	"github.com/asidehq/aside/action"
)

type listArgs struct {
	Status *string `arg:"status" doc:"only those with a status: DRAFT, REVIEW, APPROVED, IMPLEMENTING, DONE, CLOSED, CANCELLED"`
}

func list(plans Plans) *action.Spec {
	return action.Define(action.Spec{
		Name: "planList", Category: category,
		Description: "List the plans, with their status.",
		Example:     `{"type":"planList","status":"APPROVED"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, _ action.Call, args listArgs) action.Outcome {
		status := ""
		if args.Status != nil && !strings.EqualFold(*args.Status, "all") {
			status = *args.Status
		}
		all, wrong, err := plans.List(ctx, status)
		if err != nil {
			return failed("planList", err)
		}
		found := map[string]any{"plans": all}
		if len(wrong) > 0 {
			found["unreadable"] = wrong
		}
		return action.Found(found, "%s", count(len(all)))
	})
}

func count(n int) string {
	switch n {
	case 0:
		return "there are no such plans"
	case 1:
		return "1 plan"
	}
	return strconv.Itoa(n) + " plans"
}

type idArgs struct {
	Plan string `arg:"planId,plan,id" min:"1" max:"100" doc:"plan-001, 001, or its task"`
}

func show(plans Plans) *action.Spec {
	return action.Define(action.Spec{
		Name: "planShow", Category: category,
		Description: "Read a plan: its text, its status, its phases and what they came to.",
		Example:     `{"type":"planShow","planId":"plan-001"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, _ action.Call, args idArgs) action.Outcome {
		p, err := plans.Show(ctx, args.Plan)
		if err != nil {
			return failed("planShow", err)
		}
		return action.Found(p, "%s is %s", p.ID, p.Status)
	})
}
