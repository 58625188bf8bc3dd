package forum_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/platform"
)

// A pause is a wait of the look-out, which ends when the test says so.
type pause struct {
	d   time.Duration
	end chan struct{}
}

// lookOut runs a forum. Each of its waits comes out of the channel.
func (r *rig) lookOut() (*forum.Forum, <-chan pause) {
	f := r.forum(r.keeper())
	pauses := make(chan pause)
	f.Wait = func(ctx context.Context, d time.Duration) error {
		p := pause{d, make(chan struct{})}
		select {
		case pauses <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-p.end:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ctx, stop := context.WithCancel(r.ctx)
	var running sync.WaitGroup
	running.Go(func() { f.Run(ctx) })
	r.t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return f, pauses
}

func TestTheLookOut(t *testing.T) {
	r := newRig(t)
	r.board.add("Paint")
	f, pauses := r.lookOut()
	next := func(want time.Duration) pause {
		t.Helper()
		p := <-pauses
		if p.d.Round(time.Second) != want {
			t.Errorf("it waits for %s, want %s", p.d, want)
		}
		return p
	}

	p := next(10 * time.Minute)
	r.looks("🟢 [001] Paint") // which the start has made
	r.board.add("Oil")
	close(p.end)
	p = next(10 * time.Minute)
	r.looks("🟢 [001] Paint", "🟢 [002] Oil") // and this the time

	r.board.add("Hang")
	f.ThreadEvent(platform.ThreadEvent{Forum: platform.Room{Platform: "discord", ID: "7"}})
	f.ThreadEvent(platform.ThreadEvent{Forum: platform.Room{Platform: "discord", ID: r.room.ID}, News: platform.ThreadArchived})
	f.Wake()
	p = next(time.Second) // what changes together is synced together
	close(p.end)
	p = next(10 * time.Minute)
	r.looks("🟢 [001] Paint", "🟢 [002] Oil", "🟢 [003] Hang")

	r.board.change("ws-001", closed)
	r.Fail(discordtest.Fault{Method: http.MethodPatch, Part: r.thread("ws-001").ID, Status: 429, RetryAfter: 40 * time.Second})
	close(p.end)
	p = next(40 * time.Second) // as long as Discord asks for
	r.clock.Pass(41 * time.Second)
	close(p.end)
	p = next(10 * time.Minute)
	r.looks("☑️ [001] Paint (archived)", "🟢 [002] Oil", "🟢 [003] Hang")

	r.board.change("ws-002", closed)
	r.Fail(discordtest.Fault{Method: http.MethodPatch, Part: r.thread("ws-002").ID, Status: 502})
	close(p.end)
	p = next(30 * time.Second) // after what has failed
	close(p.end)
	next(10 * time.Minute)
	r.looks("☑️ [001] Paint (archived)", "☑️ [002] Oil (archived)", "🟢 [003] Hang")
}
