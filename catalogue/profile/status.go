package profile

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type statusArgs struct {
	Status string `arg:"status" values:"online,idle,dnd,invisible"`
}

func setStatus(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "botSetStatus", Category: category,
		Description: "Set whether you appear as online, idle, busy (dnd) or not at all.",
		Example:     `{"type":"botSetStatus","status":"idle"}`,
		Repeatable:  true,
		Right:       action.Right(platform.ManageServer),
	}, func(ctx context.Context, c action.Call, args statusArgs) action.Outcome {
		presence, err := venue.Ability[platform.Presence](platforms, c.Platform, "show a status")
		if err != nil {
			return action.Fail("%v", err)
		}
		if err := presence.SetStatus(ctx, args.Status); err != nil {
			return venue.Failed(err, "set the status to %s", args.Status)
		}
		return action.Done("set the status to %s", args.Status)
	})
}
