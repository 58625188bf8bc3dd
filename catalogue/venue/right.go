package venue

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// May tells why the person who asked may not do something in a room, nil if they may.
// The engine asks about the room that an action is about; this is for the other rooms
// that it touches, such as the category that a channel moves to.
func May(ctx context.Context, all Platforms, c action.Call, right platform.Right, in platform.RoomInfo) error {
	warden, err := Ability[platform.Warden](all, c.Platform, "tell who may do what")
	if err != nil {
		return err
	}
	may, err := warden.May(ctx, c.Person, right, in.Room)
	switch {
	case err != nil:
		return platform.Refuse("nobody knows whether you may %s in %s: %s", right, Label(in), Reason(err))
	case !may:
		return platform.Refuse("you may not %s in %s", right, Label(in))
	}
	return nil
}

// MayHere is May for the room of the call. It is for what an action does only sometimes;
// what it always does is its Right.
func MayHere(ctx context.Context, all Platforms, c action.Call, right platform.Right) error {
	return May(ctx, all, c, right, platform.RoomInfo{Room: Here(c)})
}
