package profile

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type activityArgs struct {
	Name string `arg:"name" min:"1" max:"128" doc:"what you are doing"`
	Kind string `arg:"activityType" values:"Playing,Listening,Watching,Competing,Custom" default:"Playing"`
}

func setActivity(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "botSetActivity", Category: category,
		Description: "Set what people see you doing.",
		Example:     `{"type":"botSetActivity","name":"chess","activityType":"Playing"}`,
		Repeatable:  true,
		Right:       action.Right(platform.ManageServer),
	}, func(ctx context.Context, c action.Call, args activityArgs) action.Outcome {
		presence, err := venue.Ability[platform.Presence](platforms, c.Platform, "show an activity")
		if err != nil {
			return action.Fail("%v", err)
		}
		what := venue.Name(args.Name)
		if args.Kind != "Custom" {
			what = args.Kind + " " + what
		}
		if err := presence.SetActivity(ctx, args.Kind, args.Name); err != nil {
			return venue.Failed(err, "set the activity to %s", what)
		}
		return action.Done("set the activity to %s", what)
	})
}
