package voice

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

func leave(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "voiceLeave", Category: category,
		Description: "Leave the voice channel that you are in.",
		Example:     `{"type":"voiceLeave"}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ConnectVoice),
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		p, failed := find(ctx, platforms, c, platform.ConnectVoice, "leave voice channels")
		switch {
		case failed != nil:
			return *failed
		case p.state.Room == "":
			return action.Done("I am in no voice channel") // as wanted, perhaps by a first try
		}
		if err := p.voice.LeaveVoice(ctx, venue.Here(c)); err != nil {
			return venue.Failed(err, "leave %s", venue.Label(p.room))
		}
		return action.Done("left %s", venue.Label(p.room))
	})
}
