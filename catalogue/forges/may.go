package forges

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// MayDecide tells why a person may not decide about what was made in a room, nil if they
// may: it is for who made it, and for who looks after that room. Where nobody has rights,
// whoever may talk to the agent may decide.
func MayDecide(platforms venue.Platforms) func(ctx context.Context, c action.Call, in platform.Room, maker, what string) error {
	return func(ctx context.Context, c action.Call, in platform.Room, maker, what string) error {
		if in == (platform.Room{}) { // of nobody
			in = venue.Here(c)
		}
		switch {
		case in.Platform != c.Platform:
			return Mistake(what + " was made on " + in.Platform + "; decide about it there, or with aside forge")
		case maker != "" && maker == c.Person:
			return nil
		}
		if _, err := venue.Ability[platform.Warden](platforms, c.Platform, "tell who may do what"); err != nil {
			return nil
		}
		if err := venue.May(ctx, platforms, c, platform.ManageRooms, platform.RoomInfo{Room: in}); err != nil {
			return Mistake(what + " is not yours, and " + venue.Reason(err))
		}
		return nil
	}
}
