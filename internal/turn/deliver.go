package turn

import (
	"context"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// withdraw takes a post away that was shown while the model wrote, when the finished
// reply has nothing to show.
func (e *Engine) withdraw(ctx context.Context, p store.Post) error {
	to, _ := e.Outbox.Platform(p.Room.Platform)
	if deleter, ok := to.(platform.Deleter); ok && p.PostID != "" {
		if r := deleter.Delete(ctx, p.Room, p.PostID); r.Outcome != platform.Delivered {
			p.Reason = r.Reason
		}
	}
	p.State = store.Withdrawn
	return e.Store.SavePost(ctx, p)
}

// deliver brings the posts of a turn to their room, in order, and settles the turn
// with the last receipt.
func (e *Engine) deliver(ctx context.Context, t *store.Turn) error {
	posts, err := e.Store.Posts(ctx, t.ID)
	if err != nil {
		return err
	}
	var open []store.Post
	for _, p := range posts {
		switch p.State {
		case store.Queued:
			open = append(open, p)
		case store.Live:
			if err := e.withdraw(ctx, p); err != nil {
				return err
			}
		}
	}
	for i, p := range open {
		if p, err = e.Outbox.Deliver(ctx, p); err != nil {
			return err
		}
		e.Count.post(p.State)
		if i == len(open)-1 {
			return e.Store.Settle(ctx, t, []store.Post{p})
		}
		if err := e.Store.SavePost(ctx, p); err != nil {
			return err
		}
	}
	return e.Store.Settle(ctx, t, nil)
}
