package channels

import (
	"context"
	"errors"
	"fmt"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type moveArgs struct {
	Channel  action.Room `arg:"channel,channelId" optional:"true" doc:"this one if left out"`
	Parent   *string     `arg:"parent,parentId,category" doc:"the category that it goes into; empty takes it out of its own"`
	Position *int        `arg:"position" min:"0" doc:"0 is the first"`
}

// Check wants at least one of both.
func (a moveArgs) Check() error {
	if a.Parent == nil && a.Position == nil {
		return errors.New("nowhere to move it; give a parent or a position")
	}
	return nil
}

func move(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "channelMove", Category: category,
		Description: "Move a channel to another category or position.",
		Example:     `{"type":"channelMove","channel":"general","parent":"Projects","position":0}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args moveArgs) action.Outcome {
		keeper, err := venue.Ability[platform.RoomKeeper](platforms, c.Platform, "move channels")
		if err != nil {
			return action.Fail("%v", err)
		}
		room, err := venue.Info(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		change := platform.RoomChange{Parent: args.Parent, Position: args.Position}
		what := "moved " + venue.Label(room)
		switch {
		case args.Parent == nil:
		case *args.Parent == "":
			what = "took " + venue.Label(room) + " out of its category"
		default:
			into, failed := destination(ctx, platforms, keeper, c, *args.Parent)
			if failed != nil {
				return *failed
			}
			change.Parent = &into.Room.ID
			what += " to " + venue.Label(into)
		}
		if args.Position != nil {
			what += fmt.Sprintf(", position %d", *args.Position)
		}
		if _, err := keeper.EditRoom(ctx, room.Room, change); err != nil {
			return venue.Failed(err, "move %s", venue.Label(room))
		}
		return action.Done("%s", what)
	})
}
