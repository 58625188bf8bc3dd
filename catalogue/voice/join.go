package voice

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type joinArgs struct {
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"the voice channel; this one if left out"`
}

func join(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "voiceJoin", Category: category,
		Description: "Join a voice channel.",
		Example:     `{"type":"voiceJoin","channel":"Lounge"}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ConnectVoice),
	}, func(ctx context.Context, c action.Call, args joinArgs) action.Outcome {
		voice, err := venue.Ability[platform.Voice](platforms, c.Platform, "join voice channels")
		if err != nil {
			return action.Fail("%v", err)
		}
		room, err := venue.Info(ctx, platforms, c, args.Channel)
		if err != nil {
			return action.Fail("%v", err)
		}
		switch room.Kind {
		case platform.VoiceRoom, platform.StageRoom, "":
		default:
			return action.Fail("%s is no voice channel; name one", venue.Label(room))
		}
		if err := voice.JoinVoice(ctx, room.Room); err != nil {
			return venue.Failed(err, "join %s", venue.Label(room))
		}
		return action.Done("joined %s", venue.Label(room))
	})
}
