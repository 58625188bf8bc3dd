package crons

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

type createArgs struct {
	Name           string      `arg:"name" min:"1" max:"100" doc:"a short name"`
	Schedule       string      `arg:"schedule,cron" max:"200" doc:"five fields (minute hour day month weekday), @daily and the like, or @every 90m"`
	Prompt         string      `arg:"prompt,text" max:"8000" doc:"what to do in each run, complete: a run knows nothing of this conversation. {{channel}}, {{channelId}} and {{state}} are filled in"`
	Channel        action.Room `arg:"channel,channelId" optional:"true" doc:"where its replies are posted; this room if left out"`
	Timezone       string      `arg:"timezone,tz,zone" optional:"true" max:"60" doc:"such as Europe/Berlin"`
	Model          string      `arg:"model" optional:"true" max:"100" doc:"another model of the same provider"`
	Tags           []string    `arg:"tags" optional:"true" max:"10" each:"50" doc:"labels"`
	RoutingMode    string      `arg:"routingMode,routing" optional:"true" values:"json" doc:"json: the reply is a list of texts for channels"`
	AllowedActions []string    `arg:"allowedActions" optional:"true" max:"50" each:"50" doc:"the only actions that a run may use"`
	Chain          []string    `arg:"chain" optional:"true" max:"10" each:"100" doc:"the jobs that run after it, with its result, if it succeeds"`
	Silent         bool        `arg:"silent" optional:"true" doc:"post nothing when there is nothing to report"`
}

func create(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronCreate", Category: category,
		Description: "Make a job: a prompt that runs on a schedule and posts its reply in a channel. Use it when somebody wants something done regularly; say so only if you emit it.",
		Example:     `{"type":"cronCreate","name":"Morning news","schedule":"0 9 * * 1-5","timezone":"Europe/Berlin","prompt":"Summarise what was said in {{channel}} since yesterday.","channel":"general"}`,
		Right:       action.Right(platform.SendMessages),
		Repeatable:  true, // the job has the call's key
	}, func(ctx context.Context, c action.Call, a createArgs) action.Outcome {
		job, err := jobs.Create(ctx, c, New(a))
		if err != nil {
			return failed("cronCreate", err)
		}
		return described("created", job)
	})
}

type updateArgs struct {
	ID             string      `arg:"cronId,id,cron" max:"100" doc:"such as cron-001"`
	Name           *string     `arg:"name" min:"1" max:"100" doc:"a short name"`
	Schedule       *string     `arg:"schedule" max:"200" doc:"five fields, @daily and the like, or @every 90m"`
	Prompt         *string     `arg:"prompt,text" max:"8000" doc:"what to do in each run, complete"`
	Channel        action.Room `arg:"channel,channelId" optional:"true" doc:"where its replies are posted from now on"`
	Timezone       *string     `arg:"timezone,tz,zone" max:"60" doc:"such as Europe/Berlin"`
	Model          *string     `arg:"model" max:"100" doc:"another model of the same provider; \"\" is the usual one"`
	Tags           *[]string   `arg:"tags" max:"10" each:"50" doc:"labels; \"\" takes them away"`
	RoutingMode    *string     `arg:"routingMode,routing" values:"json," doc:"json, or \"\" for the channel alone"`
	AllowedActions *[]string   `arg:"allowedActions" max:"50" each:"50" doc:"the only actions that a run may use; \"\" takes the list away"`
	Chain          *[]string   `arg:"chain" max:"10" each:"100" doc:"the jobs that run after it; \"\" takes them away"`
	Silent         *bool       `arg:"silent" doc:"post nothing when there is nothing to report"`
	State          *string     `arg:"state" doc:"what the next run is told, a JSON object"`
}

func update(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronUpdate", Category: category,
		Description: "Change a job. What is left out stays as it is. From then on it runs with the rights of whoever asked for the change.",
		Example:     `{"type":"cronUpdate","cronId":"cron-001","schedule":"30 8 * * 1-5"}`,
		Right:       action.Right(platform.SendMessages),
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, a updateArgs) action.Outcome {
		job, err := jobs.Update(ctx, c, a.ID, Change{
			Name: a.Name, Schedule: a.Schedule, Prompt: a.Prompt, Timezone: a.Timezone, Model: a.Model, RoutingMode: a.RoutingMode, State: a.State,
			Channel: a.Channel, Tags: a.Tags, AllowedActions: a.AllowedActions, Chain: a.Chain, Silent: a.Silent,
		})
		if err != nil {
			return failed("cronUpdate", err)
		}
		return described("changed", job)
	})
}

type idArgs struct {
	ID string `arg:"cronId,id,cron" max:"100" doc:"such as cron-001"`
}

func pause(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronPause", Category: category,
		Description: "Pause a job until it is resumed.",
		Example:     `{"type":"cronPause","cronId":"cron-001"}`,
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, a idArgs) action.Outcome {
		job, err := jobs.Pause(ctx, c, a.ID, true)
		if err != nil {
			return failed("cronPause", err)
		}
		return action.Done("paused %s, %q", job.ID, job.Name)
	})
}

func resume(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronResume", Category: category,
		Description: "Let a paused job run again. What was due meanwhile is not made up for.",
		Example:     `{"type":"cronResume","cronId":"cron-001"}`,
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, a idArgs) action.Outcome {
		job, err := jobs.Pause(ctx, c, a.ID, false)
		if err != nil {
			return failed("cronResume", err)
		}
		return described("resumed", job)
	})
}

func remove(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronDelete", Category: category,
		Description: "Delete a job.",
		Example:     `{"type":"cronDelete","cronId":"cron-001"}`,
		Destructive: true,
		Repeatable:  true, // what the call's key has deleted stays deleted
	}, func(ctx context.Context, c action.Call, a idArgs) action.Outcome {
		job, err := jobs.Delete(ctx, c, a.ID)
		if err != nil {
			return failed("cronDelete", err)
		}
		return action.Done("deleted %s, %q", job.ID, job.Name)
	})
}

func trigger(jobs Jobs) *action.Spec {
	return action.Define(action.Spec{
		Name: "cronTrigger", Category: category,
		Description: "Run a job now, besides its schedule. Its reply comes later, in its own channel.",
		Example:     `{"type":"cronTrigger","cronId":"cron-001"}`,
		Repeatable:  true, // the run has the call's key
	}, func(ctx context.Context, c action.Call, a idArgs) action.Outcome {
		job, err := jobs.Trigger(ctx, c, a.ID)
		if err != nil {
			return failed("cronTrigger", err)
		}
		return action.Done("started %s, %q; its reply comes in %s", job.ID, job.Name, job.Channel)
	})
}
