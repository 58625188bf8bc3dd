package channels

import (
	"context"
	"errors"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type editArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this one if left out"`
	Name    *string     `arg:"name" min:"1" max:"100" doc:"the new name"`
	Topic   *string     `arg:"topic" max:"1024" doc:"the new topic; empty takes it away"`
}

// Check wants at least one change.
func (a editArgs) Check() error {
	if a.Name == nil && a.Topic == nil {
		return errors.New("nothing to change; give a name or a topic")
	}
	return nil
}

func edit(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "channelEdit", Category: category,
		Description: "Change a channel's name or topic.",
		Example:     `{"type":"channelEdit","channel":"general","topic":"Everything else"}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args editArgs) action.Outcome {
		keeper, err := venue.Ability[platform.RoomKeeper](platforms, c.Platform, "edit channels")
		if err != nil {
			return action.Fail("%v", err)
		}
		was, err := venue.Info(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		is, err := keeper.EditRoom(ctx, was.Room, platform.RoomChange{Name: args.Name, Topic: args.Topic})
		if err != nil {
			return venue.Failed(err, "edit %s", venue.Label(was))
		}
		return action.Done("%s", args.summary(venue.Label(was), venue.Label(is)))
	})
}

func (a editArgs) summary(was, is string) string {
	var done []string
	if a.Name != nil {
		done = append(done, "renamed "+was+" to "+is)
	}
	switch {
	case a.Topic == nil:
	case *a.Topic == "":
		done = append(done, "took the topic of "+is+" away")
	default:
		done = append(done, "changed the topic of "+is)
	}
	return strings.Join(done, " and ")
}
