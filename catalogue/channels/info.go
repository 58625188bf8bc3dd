package channels

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type infoArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"this one if left out"`
}

// A detail is a room as a model reads it.
type detail struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Kind     platform.RoomKind `json:"kind,omitempty"`
	Topic    string            `json:"topic,omitempty"`
	Parent   string            `json:"parent,omitempty"`
	Position int               `json:"position"`
	Archived bool              `json:"archived,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
}

func info(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "channelInfo", Category: category,
		Description: "Look up a channel's kind, topic, category and position.",
		Example:     `{"type":"channelInfo","channel":"general"}`,
		Query:       true, Repeatable: true, Server: true,
		Right: action.Right(platform.ViewRoom),
	}, func(ctx context.Context, c action.Call, args infoArgs) action.Outcome {
		if _, err := venue.Ability[platform.RoomKeeper](platforms, c.Platform, "describe channels"); err != nil {
			return action.Fail("%v", err)
		}
		r, err := venue.Info(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		return action.Found(detail{
			ID: r.Room.ID, Name: venue.Name(r.Name), Kind: r.Kind, Topic: venue.Clip(r.Topic, longestTopic),
			Parent: r.Parent, Position: r.Position, Archived: r.Archived, Tags: r.Tags,
		}, "%s", venue.Label(r))
	})
}
