package turn

import (
	"context"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// typingEvery is less than any platform shows that an answer is being written.
const typingEvery = 4 * time.Second

// typing shows in a room that an answer is being written, until it is ended.
type typing struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

// startTyping begins to show it, where the platform can. Whether it is seen matters to
// nobody, so what goes wrong is let pass, and the model is asked meanwhile.
func (e *Engine) startTyping(ctx context.Context, t *store.Turn) *typing {
	ctx, cancel := context.WithCancel(ctx)
	y := &typing{cancel: cancel, ended: make(chan struct{})}
	p, _ := e.Outbox.Platform(t.Message.Room.Platform)
	typist, ok := p.(platform.Typist)
	if !ok || t.Silent || t.Brief != nil {
		close(y.ended)
		return y
	}
	every := e.Every
	if every == nil {
		every = tick
	}
	go func() {
		defer close(y.ended)
		ticks, stop := every(typingEvery)
		defer stop()
		for ctx.Err() == nil {
			_ = typist.Typing(ctx, t.Message.Room)
			select {
			case <-ticks:
			case <-ctx.Done():
			}
		}
	}()
	return y
}

// end returns when it is shown no more: behind it a text can be posted without being
// followed by a sign that one is being written. It may be called again.
func (y *typing) end() {
	y.cancel()
	<-y.ended
}

// tick ticks by the clock.
func tick(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(d)
	return t.C, t.Stop
}
