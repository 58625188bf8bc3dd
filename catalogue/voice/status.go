package voice

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// A standing is how the agent is in a voice room, as a model reads it.
type standing struct {
	ID       string `json:"channelId"`
	Name     string `json:"channel"`
	Muted    bool   `json:"muted"`
	Deafened bool   `json:"deafened"`
}

func status(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "voiceStatus", Category: category,
		Description: "Look up which voice channel you are in, and whether you are muted or deafened.",
		Example:     `{"type":"voiceStatus"}`,
		Query:       true, Repeatable: true, Server: true,
		Right: action.Right(platform.ConnectVoice),
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		p, failed := find(ctx, platforms, c, platform.ViewRoom, "join voice channels")
		switch {
		case failed != nil:
			return *failed
		case p.state.Room == "":
			return action.Done("I am in no voice channel")
		}
		return action.Found(standing{p.room.Room.ID, venue.Name(p.room.Name), p.state.Muted, p.state.Deafened}, "in %s", venue.Label(p.room))
	})
}
