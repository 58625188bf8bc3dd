package forum

import (
	"context"
	"time"

	"github.com/asidehq/aside/platform"
)

const (
	every  = 10 * time.Minute // a sync, whatever happens
	settle = time.Second      // what changes together is synced together
	retry  = 30 * time.Second // after one that has failed
)

// Wake has the forum synced soon, by the process that does.
func (f *Forum) Wake() {
	select {
	case f.wake <- struct{}{}:
	default: // it is going to be
	}
}

// ThreadEvent implements platform.Watcher: what happens in this forum is looked at.
func (f *Forum) ThreadEvent(e platform.ThreadEvent) {
	if e.Forum == f.Room {
		f.Wake()
	}
}

// Run syncs at the start, when it is woken, when something has waited long enough, and every
// ten minutes, until the context ends.
func (f *Forum) Run(ctx context.Context) {
	for ctx.Err() == nil {
		next := every
		report, err := f.sync(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			f.Logger.Warn("the forum could not be synced", "board", f.Board.Name(), "forum", f.Room.String(), "error", err)
			next = max(retry, problemOf(err).RetryAfter)
		default:
			f.tell(report)
			if !report.Later.IsZero() {
				next = min(max(report.Later.Sub(f.Now()), settle), every)
			}
		}
		f.sleep(ctx, next)
	}
}

// tell logs what a sync has done.
func (f *Forum) tell(r *Report) {
	switch {
	case len(r.Problems) > 0 || r.TagMap != "":
		f.Logger.Warn("synced the forum", "board", f.Board.Name(), "report", r.Text(f.Board.Words()))
	case !r.quiet():
		f.Logger.Info("synced the forum", "board", f.Board.Name(), "report", r.Text(f.Board.Words()))
	}
}

// sleep waits for a time or until it is woken.
func (f *Forum) sleep(ctx context.Context, d time.Duration) {
	waiting, wake := context.WithCancel(ctx)
	defer wake()
	done := make(chan error, 1)
	go func() { done <- f.Wait(waiting, d) }()
	select {
	case <-done:
		return
	case <-f.wake:
		wake()
		<-done
	}
	_ = f.Wait(ctx, settle) // Run looks at the context
	select {
	case <-f.wake: // what came meanwhile is seen by the sync that begins now
	default:
	}
}
