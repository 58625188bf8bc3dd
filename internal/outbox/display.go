package outbox

import (
	"context"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Display brings what a display says to its room. It tries once. Where nothing can be
// changed that stands there, people see how it began and, in a post of its own, how it ended.
func (o *Outbox) Display(ctx context.Context, n store.Notice) (platform.Receipt, error) {
	to, ok := o.Platforms[n.Room.Platform]
	if !ok {
		return platform.Receipt{Outcome: platform.Failed, Reason: n.Room.Platform + " is not connected"}, nil
	}
	if _, edits := to.(platform.Editor); edits || n.PostID == "" {
		return o.notify(ctx, n)
	}
	if n.Subject == store.AboutOver {
		r, err := o.Notify(ctx, store.AboutOver, platform.Post{Key: n.Key + "-over", Room: n.Room, Text: n.Text})
		if err != nil || r.Outcome != platform.Delivered && r.Outcome != platform.Refused {
			return r, err
		}
	}
	n.State = store.Delivered
	return platform.Receipt{Outcome: platform.Delivered, ID: n.PostID}, o.Store.SaveNotice(ctx, n)
}
