package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type pinArgs struct {
	Message string      `arg:"message,messageId" optional:"true" doc:"the id, the person's message if left out"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
}

func pinMessage(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "pinMessage", Category: category,
		Description: "Pin a message.",
		Example:     `{"type":"pinMessage","message":"1234567890"}`,
		Right:       action.Right(platform.PinMessages),
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, args pinArgs) action.Outcome {
		return pinning(ctx, platforms, c, "pin", args, platform.Pinner.Pin)
	})
}

func unpinMessage(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "unpinMessage", Category: category,
		Description: "Unpin a message.",
		Example:     `{"type":"unpinMessage","message":"1234567890"}`,
		Right:       action.Right(platform.PinMessages),
		Repeatable:  true,
	}, func(ctx context.Context, c action.Call, args pinArgs) action.Outcome {
		return pinning(ctx, platforms, c, "unpin", args, platform.Pinner.Unpin)
	})
}

// pinning does what both have in common.
func pinning(ctx context.Context, platforms Platforms, c action.Call, verb string, args pinArgs,
	do func(platform.Pinner, context.Context, platform.Room, string) error,
) action.Outcome {
	pinner, err := venue.Ability[platform.Pinner](platforms, c.Platform, "pin messages")
	if err != nil {
		return failed(verb+"Message", err)
	}
	at, err := aim(ctx, platforms, c, args.Channel, args.Message)
	if err != nil {
		return failed(verb+"Message", err)
	}
	if err := do(pinner, ctx, at.Room, at.message); err != nil {
		return couldNot(verb+" the message"+in(c, at.Room, args.Channel), err)
	}
	return action.Done("%sned a message%s", verb, in(c, at.Room, args.Channel))
}

type listPinsArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
}

func listPins(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "listPins", Category: category,
		Description: "Read the pinned messages of a room, the latest first.",
		Example:     `{"type":"listPins","channel":"general"}`,
		Right:       action.Right(platform.ReadHistory),
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args listPinsArgs) action.Outcome {
		pinner, err := venue.Ability[platform.Pinner](platforms, c.Platform, "pin messages")
		if err != nil {
			return failed("listPins", err)
		}
		room, err := venue.Room(ctx, platforms, c, args.Channel)
		if err != nil {
			return failed("listPins", err)
		}
		found, err := pinner.Pins(ctx, room)
		if err != nil {
			return couldNot("read the pinned messages"+in(c, room, args.Channel), err)
		}
		data := notesOf(found[:min(len(found), mostPins)], mostOfMany)
		where := in(c, room, args.Channel)
		if len(found) > mostPins {
			return action.Found(data, "read %d of %d pinned messages%s", mostPins, len(found), where)
		}
		return action.Found(data, "read %s%s", count(len(data), "pinned message"), where)
	})
}
