package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// alive knows which processes live, and gives the jobs of dead ones free. A job is
// never taken from a process for being slow, only for being dead.
//
// On SQLite the lock on the data directory proves at the start that whoever had jobs
// is dead. On PostgreSQL a process leaves a beat every few seconds; one without is
// dead. Should it live after all (a machine that slept), it finds its turns taken
// over and leaves them alone, and ends: its jobs are somebody else's by now.
type alive struct {
	store *store.Store
	id    string
	log   *slog.Logger
	lost  func() // called when others have reason to think this process dead
	stop  context.CancelFunc
	done  sync.WaitGroup
}

const (
	beatEvery = 3 * time.Second
	deadAfter = 10 * time.Second
)

func (a *alive) begin(ctx context.Context) error {
	if a.store.Engine == store.SQLite {
		return a.store.FreeJobs(ctx)
	}
	if err := a.store.Beat(ctx, a.id, deadAfter); err != nil {
		return err
	}
	ctx, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	a.done.Go(func() { a.beat(ctx) })
	return nil
}

// beat shows that this process lives until the context ends.
func (a *alive) beat(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := time.Now()
		err := a.store.Beat(ctx, a.id, deadAfter)
		switch {
		case ctx.Err() != nil:
			return
		case now.Sub(last) >= deadAfter:
			a.log.Error("this process was silent for so long that others have taken its work over", "silent", now.Sub(last))
			a.lost()
			return
		case err != nil:
			a.log.Error("no sign of life left", "error", err)
		default:
			last = now
		}
	}
}

// end lets other processes take over at once.
func (a *alive) end() {
	if a.stop == nil {
		return
	}
	a.stop()
	a.done.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := a.store.Leave(ctx, a.id); err != nil {
		a.log.Error("could not sign off", "error", err)
	}
}
