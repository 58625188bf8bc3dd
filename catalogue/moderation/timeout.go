package moderation

import (
	"context"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type timeoutArgs struct {
	User    action.Person `arg:"userId,user,member" doc:"the person's name or id"`
	Minutes int           `arg:"durationMinutes,minutes" min:"1" max:"40320" default:"5"`
	Reason  string        `arg:"reason" optional:"true" max:"512"`
}

func timeout(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "timeout", Category: category,
		Description: "Keep a person from writing for some time.",
		Example:     `{"type":"timeout","userId":"@bob","durationMinutes":30,"reason":"spam"}`,
		Destructive: true, Repeatable: true, Server: true,
		Right: action.Right(platform.TimeoutMembers),
	}, func(ctx context.Context, c action.Call, args timeoutArgs) action.Outcome {
		t, failed := aim(ctx, platforms, c, args.User, "time people out")
		if failed != nil {
			return *failed
		}
		if err := t.moderator.Timeout(ctx, venue.Here(c), t.person.ID, time.Duration(args.Minutes)*time.Minute, args.Reason); err != nil {
			return venue.Failed(err, "time %s out", t.name)
		}
		return action.Done("timed %s out for %s", t.name, venue.Count(args.Minutes, "minute"))
	})
}
