package channels

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// What is destroyed is named: this room is not meant by default.
type deleteArgs struct {
	Channel action.Room `arg:"channel,channelId" doc:"its name or id"`
}

func remove(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "channelDelete", Category: category,
		Description: "Delete a channel with all its messages.",
		Example:     `{"type":"channelDelete","channel":"old-news"}`,
		Destructive: true, // and not repeatable: another one may have the name by then
		Server:      true,
		Right:       action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args deleteArgs) action.Outcome {
		keeper, err := venue.Ability[platform.RoomKeeper](platforms, c.Platform, "delete channels")
		if err != nil {
			return action.Fail("%v", err)
		}
		room, err := venue.Info(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		if err := keeper.DeleteRoom(ctx, room.Room); err != nil {
			return venue.Failed(err, "delete %s", venue.Label(room))
		}
		return action.Done("deleted %s", venue.Label(room))
	})
}
