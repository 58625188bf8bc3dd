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
		if err := venue.MayDecide(ctx, platforms, c, in, maker, what, "aside forge"); err != nil {
			return Mistake(err.Error())
		}
		return nil
	}
}
