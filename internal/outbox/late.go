package outbox

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/internal/store"
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
	if err := o.Store.NoteLate(ctx, lateText); err != nil {
		return err
	}
	open, err := o.Store.OpenNotices(ctx, store.AboutLate)
	if err != nil {
		return err
	}
	for _, n := range open {
		r, err := o.notify(ctx, n)
		if err != nil {
			return err
		}
		if r.Outcome == platform.Delivered { // so that the room can be reached again
			if err := o.tidy(ctx, n.Room); err != nil {
				return err
			}
		}
	}
	return nil
}

func lateText(count int) string {
	if count == 1 {
		return fmt.Sprintf("An answer could not be delivered in time. Write %s to see it.", MissedCommand)
	}
	return fmt.Sprintf("%d answers could not be delivered in time. Write %s to see them.", count, MissedCommand)
}

// takeAway deletes what an Opener has put there for a post that will not be delivered:
// nobody is to wait for what follows a placeholder. It is tried once; the post then stands
// nowhere, or nobody knows.
func (o *Outbox) takeAway(ctx context.Context, to platform.Platform, p *store.Post) {
	deleter, ok := to.(platform.Deleter)
	if _, opens := to.(platform.Opener); !ok || !opens || p.PostID == "" {
		return
	}
	if r := deleter.Delete(ctx, p.Room, p.PostID); r.Outcome == platform.Delivered || r.Gone {
		p.PostID = ""
	}
}

// tidy takes away what stands in a room for late posts. When they became late, the room
// could often not be reached.
func (o *Outbox) tidy(ctx context.Context, room platform.Room) error {
	late, err := o.Store.LatePosts(ctx, room)
	if err != nil {
		return err
	}
	for _, p := range late {
		left := p
		o.takeAway(ctx, o.Platforms[room.Platform], &left)
		if left.PostID == p.PostID {
			continue
		}
		if err := o.Store.Cleared(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
