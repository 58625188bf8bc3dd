// Package voice holds the actions with which the agent is present in voice rooms.
//
// Before changing it, know that the engine checks the right to connect in the room that
// an action names, or where it was asked for. Whoever wants something of the agent in
// another voice room must be allowed to be there, which is checked here.
package voice

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

const category = "voice"

// Specs are the actions of this category.
func Specs(platforms venue.Platforms) []*action.Spec {
	return []*action.Spec{join(platforms), leave(platforms), status(platforms), mute(platforms), deafen(platforms)}
}

// A presence is the voice room that the agent is in. Its room has no ID if it is in none.
type presence struct {
	voice platform.Voice
	state platform.VoiceState
	room  platform.RoomInfo
}

// find is where the agent is, if the person who asked may be there too. what is what the
// platform must be able to do: "leave voice channels".
func find(ctx context.Context, platforms venue.Platforms, c action.Call, right platform.Right, what string) (presence, *action.Outcome) {
	fail := func(out action.Outcome) (presence, *action.Outcome) { return presence{}, &out }
	voice, err := venue.Ability[platform.Voice](platforms, c.Platform, what)
	if err != nil {
		return fail(action.Fail("%v", err))
	}
	state, err := voice.VoiceState(ctx, venue.Here(c))
	if err != nil {
		return fail(venue.Failed(err, "find out which voice channel I am in"))
	}
	p := presence{voice: voice, state: state}
	if state.Room == "" {
		return p, nil
	}
	if p.room, err = venue.Info(ctx, platforms, c, action.Room(state.Room)); err != nil {
		return fail(action.Fail("%v", err))
	}
	if venue.May(ctx, platforms, c, right, p.room) != nil {
		// Where that is called is not for who may not be there.
		return fail(action.Refuse("it is not known that you may %s where I am", right))
	}
	return p, nil
}
