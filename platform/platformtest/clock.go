package platformtest

import (
	"context"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Clock goes by itself, and further when somebody waits: nobody has to wait for long.
// The zero Clock is ready to use.
type Clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

// Now is what time it is, for an adapter's options.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// Pass moves the clock on.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// Wait is Pass for an adapter's options: it fails if it is time to go.
func (c *Clock) Wait(ctx context.Context, d time.Duration) error {
	c.Pass(d)
	return ctx.Err()
}

// A Passer is a server whose adapters have a clock of their own. An adapter that was asked
// to wait may write nothing until then, and the suite asks again at once: PassTime moves
// the clock on as far as the receipt says.
type Passer interface {
	PassTime(d time.Duration)
}

// obey lets as much time pass as a receipt asks for.
func (s *session) obey(r platform.Receipt) platform.Receipt {
	if p, ok := s.server.(Passer); ok {
		p.PassTime(r.RetryAfter)
	}
	return r
}
