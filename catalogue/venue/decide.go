package venue

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// MayDecide is why somebody may not decide about something that was made in a room, nil if
// they may: whoever has made it, or may manage the rooms there. Where a platform has no rights,
// whoever may talk to the agent may. elsewhere is the command with which operators decide.
func MayDecide(ctx context.Context, platforms Platforms, c action.Call, in platform.Room, maker, what, elsewhere string) error {
	if in == (platform.Room{}) { // nobody's
		in = Here(c)
	}
	switch {
	case in.Platform != c.Platform:
		return platform.Refuse("%s was made on %s; decide about it there, or with %s", what, in.Platform, elsewhere)
	case maker != "" && maker == c.Person:
		return nil
	}
	warden, err := Ability[platform.Warden](platforms, c.Platform, "tell who may do what")
	if err != nil {
		return nil
	}
	may, err := warden.May(ctx, c.Person, platform.ManageRooms, in)
	switch {
	case err != nil:
		return platform.Refuse("%s is not yours, and nobody knows whether you may %s where it was made: %s", what, platform.ManageRooms, Reason(err))
	case !may:
		return platform.Refuse("%s is not yours, and you may not %s where it was made", what, platform.ManageRooms)
	}
	return nil
}
