package queue

import (
	"context"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// later is when a turn that could not be brought forward is tried again. The time
// doubles up to latest: the model may be asked anew each time.
const (
	later  = time.Second
	latest = 15 * time.Second
)

// drain works through a session, and then through others that wait.
func (q *Queue) drain(session string) {
	wait := later
	for {
		released, err := q.next(session)
		switch {
		case q.stopping.Err() != nil:
			q.ended(session)
			return
		case err != nil:
			q.pause(wait)
			wait = min(2*wait, latest)
			continue
		}
		wait = later
		if released && q.ended(session) {
			break
		}
	}
	if err := q.fill(q.turns); err != nil && q.turns.Err() == nil {
		q.Logger.Error("could not look for more to do", "error", err) // the look-out tries again
	}
}

// pause waits, or returns when the queue stops.
func (q *Queue) pause(wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-q.stopping.Done():
	}
}

// next settles the next turn of a session, and tells whether the lease has ended.
func (q *Queue) next(session string) (released bool, err error) {
	t, err := q.store.NextTurn(q.turns, session)
	if err == nil && t == nil {
		if released, err = q.store.Release(q.turns, session); released {
			q.Await(q.store.Now()) // it may have more, which was not due yet
		}
	}
	if err != nil && q.stopping.Err() == nil {
		q.Logger.Error("the next turn could not be read", "session", session, "error", err)
	}
	if err != nil || t == nil {
		return released, err
	}
	err = q.work(t)
	return t.Last, err
}

// work brings a turn forward until it is settled or the queue stops.
func (q *Queue) work(t *store.Turn) (err error) {
	ctx, end := q.Begin(q.turns, t)
	defer func() { end(err) }()
	for t.Stage != store.Settled && q.stopping.Err() == nil {
		if err := q.Step(ctx, t); err != nil {
			if q.stopping.Err() == nil {
				q.Logger.ErrorContext(ctx, "turn put off", "stage", t.Stage, "error", err)
			}
			return err
		}
	}
	return nil
}

const (
	lookEvery = time.Second     // for sessions without an owner
	beatEvery = 3 * time.Second // a sign of life
	deadAfter = 10 * time.Second
)

// lookOut looks for sessions that wait for an owner: those that found no room, and on
// PostgreSQL those of processes that have ended. There it also leaves the signs of
// life by which others know that this process has not.
//
// A session is never taken from a process for being slow, only for being silent.
// Should the process live after all (a machine that slept), its turns find the lease
// gone and are left alone.
func (q *Queue) lookOut() {
	shared := q.store.Engine == store.Postgres
	look, beat := time.NewTicker(lookEvery), time.NewTicker(beatEvery)
	defer look.Stop()
	defer beat.Stop()
	for {
		var err error
		select {
		case <-q.stopping.Done():
			return
		case <-beat.C:
			if shared {
				err = q.store.Beat(q.turns, deadAfter)
			}
		case <-look.C:
			err = q.look(shared)
		}
		if err != nil && q.stopping.Err() == nil {
			q.Logger.Error("the store cannot be reached", "error", err)
		}
	}
}

func (q *Queue) look(shared bool) error {
	if shared {
		q.mu.Lock()
		q.behind = true
		q.mu.Unlock()
	}
	ctx, cancel := context.WithTimeout(q.turns, deadAfter)
	defer cancel()
	return q.fill(ctx)
}
