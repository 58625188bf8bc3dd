package crons

import (
	"context"
	"encoding/json"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
)

type nothing struct{}

func list(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronList", Category: category,
		Description: "List the jobs, with their next runs and what became of the last ones.",
		Example:     `{"type":"cronList"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, _ nothing) action.Outcome {
		all, err := jobs.List(ctx, c)
		if err != nil {
			return failed("cronList", err)
		}
		if all == nil {
			all = []Brief{}
		}
		return action.Found(all, "%s", venue.Count(len(all), "job"))
	})
}

func show(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronShow", Category: category,
		Description: "Look at a job: its prompt, its state, its last runs.",
		Example:     `{"type":"cronShow","cronId":"cron-001"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, a idArgs) action.Outcome {
		job, err := jobs.Show(ctx, c, a.ID)
		if err != nil {
			return failed("cronShow", err)
		}
		return action.Found(job, "%s, %q", job.ID, job.Name)
	})
}

// state is what <cron-state> in the reply of a run is read as.
func state(jobs Jobs) *action.Spec {
	return action.DefineWhole(action.Spec{
		Name: "cronState", Category: category,
		Description: "In a job's run: replace the state that the next run is told. It is written as <cron-state>{…}</cron-state>.",
		Example:     `{"type":"cronState","seen":3}`,
		In:          []action.Flow{action.OnCron},
		Quiet:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, object json.RawMessage) action.Outcome {
		if err := jobs.SetState(ctx, c, object); err != nil {
			return failed("cronState", err)
		}
		return action.Done("the state was kept")
	})
}

func sync(forum Forum) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronSync", Category: category,
		Description: "Make the threads of the jobs' forum agree with the jobs.",
		Example:     `{"type":"cronSync"}`,
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, _ nothing) action.Outcome {
		return onForum(ctx, c, forum, Forum.Sync)
	})
}

func reload(forum Forum) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronTagMapReload", Category: category,
		Description: "Read the file anew that says which tags the jobs' threads get.",
		Example:     `{"type":"cronTagMapReload"}`,
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, _ nothing) action.Outcome {
		return onForum(ctx, c, forum, Forum.ReloadTags)
	})
}

func onForum(ctx context.Context, c action.Call, forum Forum, do func(Forum, context.Context, action.Call) (string, error)) action.Outcome {
	if forum == nil {
		return action.Fail("no forum is configured for jobs")
	}
	report, err := do(forum, ctx, c)
	if err != nil {
		return action.Fail("%v", err)
	}
	return action.Done("%s", report)
}
