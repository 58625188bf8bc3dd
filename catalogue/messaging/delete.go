package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// What is deleted is named: nothing is taken for it that was left out.

type deleteMessageArgs struct {
	Message string      `arg:"message,messageId" doc:"its id"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this room if left out"`
}

func deleteMessage(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "deleteMessage", Category: category,
		Description: "Delete a message.",
		Example:     `{"type":"deleteMessage","message":"1234567890"}`,
		Right:       action.Right(platform.ManageMessages),
		Destructive: true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args deleteMessageArgs) action.Outcome {
		deleter, err := venue.Ability[platform.Deleter](platforms, c.Platform, "delete messages")
		if err != nil {
			return failed("deleteMessage", err)
		}
		at, err := aim(ctx, platforms, c, args.Channel, args.Message)
		if err != nil {
			return failed("deleteMessage", err)
		}
		if err := deleter.Delete(ctx, at.Room, at.message).Err(); err != nil {
			return couldNot("delete the message"+in(c, at.Room, args.Channel), err)
		}
		return action.Done("deleted a message%s", in(c, at.Room, args.Channel))
	})
}

type bulkDeleteArgs struct {
	Channel action.Room `arg:"channel,channelId" doc:"the room"`
	Count   int         `arg:"count,limit" min:"2" max:"100" doc:"how many of its last messages"`
}

func bulkDelete(platforms Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "bulkDelete", Category: category,
		Description: "Delete the last messages of a room.",
		Example:     `{"type":"bulkDelete","channel":"general","count":10}`,
		Right:       action.Right(platform.ManageMessages),
		Destructive: true, Server: true,
	}, func(ctx context.Context, c action.Call, args bulkDeleteArgs) action.Outcome {
		sweeper, err := venue.Ability[platform.Sweeper](platforms, c.Platform, "delete many messages at once")
		if err != nil {
			return failed("bulkDelete", err)
		}
		room, err := venue.Room(ctx, platforms, c, args.Channel)
		if err != nil {
			return failed("bulkDelete", err)
		}
		deleted, err := sweeper.Sweep(ctx, room, args.Count)
		where := " in " + called(args.Channel)
		switch {
		case err != nil && deleted > 0:
			return action.Fail("deleted %s%s, then no more: %s", count(deleted, "message"), where, venue.Reason(err))
		case err != nil:
			return couldNot("delete messages"+where, err)
		case deleted < args.Count:
			return action.Done("deleted %s of %d%s; there are no more, or %s cannot delete them", count(deleted, "message"), args.Count, where, c.Platform)
		}
		return action.Done("deleted %s%s", count(deleted, "message"), where)
	})
}
