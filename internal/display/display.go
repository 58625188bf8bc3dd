// Package display shows how far long work has come, in one post that is changed when
// something has: what is true stands in the store (store.Display), and is brought to the
// room by whichever process has the seat. It imports the store and what a platform is.
//
// Before changing it, know why a post never says what was true once: there is one process
// that writes it, one text at a time, and a text that has changed meanwhile is written again.
package display

import (
	"context"
	"log/slog"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A Keeper brings displays to their rooms.
type Keeper struct {
	Store  *store.Store
	Logger *slog.Logger

	// Display tries once to bring what a display says to its room.
	Display func(ctx context.Context, n store.Notice) (platform.Receipt, error)

	// InSeat runs something that one process does at a time.
	InSeat func(ctx context.Context, name string, run func(ctx context.Context, mine func(context.Context) error) error) error

	// After is a timer, and what stops it.
	After func(time.Duration) (<-chan time.Time, func())

	wake chan struct{}
	told map[string]string // why a display is not shown, as far as it was logged
}

// New returns a keeper that does not run yet.
func New(k Keeper) *Keeper {
	k.wake = make(chan struct{}, 1)
	k.told = map[string]string{}
	return &k
}

const (
	between = time.Second      // two changes: platforms do not like more
	longest = 10 * time.Second // until a change is seen that nobody has told of
)

// Wake says that a display has changed.
func (k *Keeper) Wake() {
	select {
	case k.wake <- struct{}{}:
	default: // it was said already
	}
}

// Run keeps displays true until the context ends.
func (k *Keeper) Run(ctx context.Context) error {
	return k.InSeat(ctx, "displays", func(ctx context.Context, _ func(context.Context) error) error {
		for ctx.Err() == nil {
			wait := k.show(ctx)
			k.rest(ctx, between, nil)
			k.rest(ctx, wait-between, k.wake)
		}
		return nil
	})
}

// rest waits, or returns when it is woken.
func (k *Keeper) rest(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	if d <= 0 || ctx.Err() != nil {
		return
	}
	alarm, stop := k.After(d)
	defer stop()
	select {
	case <-alarm:
	case <-wake:
	case <-ctx.Done():
	}
}

// show brings every display to its room, and tells how long it can wait then.
func (k *Keeper) show(ctx context.Context) time.Duration {
	open, err := k.Store.Displays(ctx)
	if err != nil {
		k.log(ctx, "displays", err.Error())
		return longest
	}
	wait := longest
	for _, n := range open {
		r, err := k.Display(ctx, n)
		switch {
		case ctx.Err() != nil:
			return 0
		case err != nil:
			k.log(ctx, n.Key, err.Error())
		case r.Outcome == platform.Delivered:
			delete(k.told, n.Key)
		default:
			k.log(ctx, n.Key, r.Reason)
			wait = min(wait, max(r.RetryAfter, between))
		}
	}
	return wait
}

// log says once why a display is not shown.
func (k *Keeper) log(ctx context.Context, key, why string) {
	if ctx.Err() != nil || k.told[key] == why {
		return
	}
	k.told[key] = why
	k.Logger.Warn("how far the work has come cannot be shown", "display", key, "reason", why)
}
