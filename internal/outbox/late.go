package outbox

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/platform"
)

// A durable outbox must not become a flood: what could not be delivered for long is
// not sent when the way is free again. The room gets one short line instead, and
// whoever wants the answers asks for them.

// MissedCommand is what a person writes to see the answers that came too late.
const MissedCommand = "/missed"

// TellLate tells each room once how many answers came too late for it. A room that
// cannot be reached is tried again the next time.
func (o *Outbox) TellLate(ctx context.Context) error {
	late, err := o.Store.UntoldRooms(ctx)
	if err != nil {
		return err
	}
	for room, n := range late {
		to, ok := o.Platforms[room.Platform]
		if !ok {
			continue
		}
		text := fmt.Sprintf("%d answers could not be delivered in time. Write %s to see them.", n, MissedCommand)
		if n == 1 {
			text = fmt.Sprintf("An answer could not be delivered in time. Write %s to see it.", MissedCommand)
		}
		posts, err := o.Store.LatePosts(ctx, room)
		if err != nil {
			return err
		}
		key := fmt.Sprintf("late-%d", posts[len(posts)-1].ID)
		if r := to.Post(ctx, platform.Post{Key: key, Room: room, Text: text}); r.Outcome != platform.Delivered {
			continue
		}
		if err := o.Store.Told(ctx, room); err != nil {
			return err
		}
	}
	return nil
}
