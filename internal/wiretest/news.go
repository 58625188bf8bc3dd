package wiretest

import (
	"context"
	"sync"
)

// News lets tests wait for what happens at a server. The zero News is ready to use.
type News struct {
	mu      sync.Mutex
	changed chan struct{} // closed when something has happened; nil if nobody waits
}

// Happened tells whoever waits to look again. It may be called with the server's lock held,
// also before the change is complete: whoever looks has to wait for that lock.
func (n *News) Happened() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

// Changed is closed when the next thing happens.
func (n *News) Changed() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// Until waits until something is true, and looks again whenever something has happened.
// It is asked without a lock, so that it may call the server's exported methods.
func (n *News) Until(ctx context.Context, is func() bool) error {
	for {
		changed := n.Changed()
		if is() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// UntilLocked is Until for what is asked with a lock held, the server's own.
func (n *News) UntilLocked(ctx context.Context, lock sync.Locker, is func() bool) error {
	return n.Until(ctx, func() bool {
		lock.Lock()
		defer lock.Unlock()
		return is()
	})
}
