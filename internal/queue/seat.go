package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// ErrSeatTaken says that another process does now what this one was doing.
var ErrSeatTaken = errors.New("another process has taken over")

// seatTrust is how long a seat counts as this process's after it was seen to be. Others take
// it when this process has left no sign of life for deadAfter, and the last one may have
// been left some time before the seat was looked at.
const seatTrust = deadAfter - beatEvery - lookEvery

// InSeat runs something that only one process may do at a time, between Start and Stop: it
// waits until the seat of that name is free, and ends the context of run should another
// process have taken it. Then it waits again. It returns when the context ends, or with what
// run returns otherwise. mine tells whether the seat is still this process's; its error is
// nil or says that nothing more may be done.
func (q *Queue) InSeat(ctx context.Context, name string, run func(ctx context.Context, mine func(context.Context) error) error) error {
	if q.store.Engine == store.SQLite {
		return run(ctx, func(context.Context) error { return nil })
	}
	standing := false
	for {
		taken, err := q.store.TakeSeat(ctx, name, deadAfter)
		switch {
		case ctx.Err() != nil:
			return nil // Leave gives it free, should it have been taken
		case err != nil:
			q.Logger.Error("it is not known whether another process is connected", "seat", name, "error", err)
		case taken:
			if lost, err := q.sit(ctx, name, run); !lost {
				return err
			}
			q.Logger.Warn("another process has taken over; this one stands by", "seat", name)
			standing = true
		case !standing:
			q.Logger.Info("another process is connected; this one stands by", "seat", name)
			standing = true
		}
		if wait(ctx, lookEvery) != nil {
			return nil
		}
	}
}

// sit runs something until the seat is lost, and gives it free otherwise.
func (q *Queue) sit(ctx context.Context, name string, run func(ctx context.Context, mine func(context.Context) error) error) (lost bool, err error) {
	seated, end := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { end(q.watchSeat(seated, name)) })
	err = run(seated, func(ctx context.Context) error {
		if mine, err := q.store.HasSeat(ctx, name); err != nil || !mine {
			return errors.Join(ErrSeatTaken, err)
		}
		return nil
	})
	end(nil)
	watching.Wait()
	if errors.Is(context.Cause(seated), ErrSeatTaken) {
		return true, nil
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer cancel()
	if err := q.store.LeaveSeat(leaving, name); err != nil {
		q.Logger.Warn("others have to wait before they take over", "seat", name, "error", err)
	}
	return false, err
}

// watchSeat returns ErrSeatTaken when the seat is not known to be this process's any more.
func (q *Queue) watchSeat(ctx context.Context, name string) error {
	seen := time.Now()
	for {
		if err := wait(ctx, lookEvery); err != nil {
			return err
		}
		asked := time.Now()
		asking, cancel := context.WithDeadline(ctx, seen.Add(seatTrust))
		mine, err := q.store.HasSeat(asking, name)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && mine:
			seen = asked
		case err == nil:
			return ErrSeatTaken
		case time.Since(seen) >= seatTrust:
			return fmt.Errorf("%w, for all this one knows: %w", ErrSeatTaken, err)
		}
	}
}

// wait waits for a time, or returns the context's error.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
