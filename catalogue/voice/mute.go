package voice

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type muteArgs struct {
	Mute bool `arg:"mute" doc:"false lets you be heard again"`
}

func mute(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "voiceMute", Category: category,
		Description: "Mute yourself in the voice channel, or stop it.",
		Example:     `{"type":"voiceMute","mute":true}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ConnectVoice),
	}, func(ctx context.Context, c action.Call, args muteArgs) action.Outcome {
		what, done := "unmute", "unmuted"
		if args.Mute {
			what, done = "mute", "muted"
		}
		return change(ctx, platforms, c, what, done, func(v platform.Voice) error { return v.MuteVoice(ctx, venue.Here(c), args.Mute) })
	})
}

type deafenArgs struct {
	Deafen bool `arg:"deafen" doc:"false lets you hear again"`
}

func deafen(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "voiceDeafen", Category: category,
		Description: "Stop hearing the voice channel, or hear it again.",
		Example:     `{"type":"voiceDeafen","deafen":true}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ConnectVoice),
	}, func(ctx context.Context, c action.Call, args deafenArgs) action.Outcome {
		what, done := "undeafen", "undeafened"
		if args.Deafen {
			what, done = "deafen", "deafened"
		}
		return change(ctx, platforms, c, what, done, func(v platform.Voice) error { return v.DeafenVoice(ctx, venue.Here(c), args.Deafen) })
	})
}

// change does something to the agent in its voice room.
func change(ctx context.Context, platforms venue.Platforms, c action.Call, what, done string, do func(platform.Voice) error) action.Outcome {
	p, failed := find(ctx, platforms, c, platform.ConnectVoice, "join voice channels")
	switch {
	case failed != nil:
		return *failed
	case p.state.Room == "":
		return action.Fail("could not %s: I am in no voice channel; join one first", what)
	}
	if err := do(p.voice); err != nil {
		return venue.Failed(err, "%s in %s", what, venue.Label(p.room))
	}
	return action.Done("%s in %s", done, venue.Label(p.room))
}
