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
	e.Metrics.Post(p.Room.Platform, string(p.State))
	return e.Store.SavePost(ctx, p)
}

// deliver brings the posts of a turn to their room, in order, and settles the turn
// with the last receipt. It tells whether they all were delivered.
func (e *Engine) deliver(ctx context.Context, t *store.Turn) (delivered bool, err error) {
	posts, err := e.Store.Posts(ctx, t.ID)
	if err != nil {
		return false, err
	}
	var open []store.Post
	for _, p := range posts {
		switch p.State {
		case store.Queued, store.Sending:
			open = append(open, p)
		case store.Live:
			if t.Held != "" {
				continue // it shows that something is being done, until the chain ends
			}
			if err := e.withdraw(ctx, p); err != nil {
				return false, err
			}
		}
	}
	delivered = true
	var last []store.Post
	for i, p := range open {
		fresh := p.Key == postKey(t.ID, 0) && p.PostID == ""
		if p, err = e.Outbox.Deliver(ctx, p); err != nil {
			return false, err
		}
		switch {
		case p.State != store.Delivered:
			delivered = false
			e.Logger.WarnContext(ctx, "a post was not delivered", "post", p.Key, "state", p.State, "reason", p.Reason)
		case fresh:
			e.firstText(t)
		}
		if i == len(open)-1 {
			last = []store.Post{p} // stored with the end of the turn
			break
		}
		if err := e.Store.SavePost(ctx, p); err != nil {
			return false, err
		}
	}
	return delivered, e.Store.SettleAnd(ctx, t, last, e.ended(t))
}
