package venue

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// May tells why the person who asked may not do something in a room: nil if they may.
// It is for what an action does only sometimes; what it always does is its Right.
func May(ctx context.Context, all Platforms, c action.Call, right platform.Right, room platform.Room) error {
	if room.Platform != c.Platform {
		return platform.Refuse("nobody knows whether you may %s on %s", right, room.Platform)
	}
	warden, err := Ability[platform.Warden](all, room.Platform, "tell who may "+string(right))
	if err != nil {
		return err
	}
	may, err := warden.May(ctx, c.Person, right, room)
	switch {
	case err != nil:
		return platform.Refuse("nobody knows whether you may %s: %s", right, Reason(err))
	case !may:
		return platform.Refuse("you may not %s there", right)
	}
	return nil
}
