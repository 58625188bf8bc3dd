package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type crosspostArgs struct {
	Message string      `arg:"message,messageId" optional:"true" doc:"the id, the person's message if left out"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
}

func crosspost(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "crosspost", Category: category,
		Description: "Send a message of an announcement room to everyone who follows it.",
		Example:     `{"type":"crosspost","message":"1234567890","channel":"announcements"}`,
		Right:       action.Right(platform.ManageMessages),
		Repeatable:  true, Server: true,
	}, func(ctx context.Context, c action.Call, args crosspostArgs) action.Outcome {
		crossposter, err := venue.Ability[platform.Crossposter](platforms, c.Platform, "crosspost messages")
		if err != nil {
			return failed("crosspost", err)
		}
		at, err := aim(ctx, platforms, c, args.Channel, args.Message)
		if err != nil {
			return failed("crosspost", err)
		}
		if err := crossposter.Crosspost(ctx, at.Room, at.message); err != nil {
			return couldNot("crosspost the message"+in(c, at.Room, args.Channel), err)
		}
		return action.Done("crossposted a message%s", in(c, at.Room, args.Channel))
	})
}
