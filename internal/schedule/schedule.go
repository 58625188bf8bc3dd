// Package schedule rings when something that is stored comes due: a job, something put
// off, the next round of a loop. It imports the standard library only.
//
// Before changing it, know that nothing depends on it but the moment: what is due stands in
// the store, whoever rings takes it there, once, and a process that was down rings when it
// is back. Any number of processes may ring at the same time.
package schedule

import (
	"context"
	"log/slog"
	"time"
)

// A Book is where it stands what is due when.
type Book interface {
	// Next is when the next entry is due; zero is never.
	Next(ctx context.Context) (time.Time, error)

	// Ring does what is due by now. However many processes ring, an entry is done once: it
	// is moved on, or ended, in the transaction that does it.
	Ring(ctx context.Context, now time.Time) error
}

// A Clock rings for a book.
type Clock struct {
	Book   Book
	Name   string // of what it rings for
	Now    func() time.Time
	Logger *slog.Logger

	// After is a timer, and what stops it; nil is a time.Timer.
	After func(time.Duration) (<-chan time.Time, func())

	wake chan struct{}
}

// New returns a clock that does not run yet.
func New(c Clock) *Clock {
	c.wake = make(chan struct{}, 1)
	if c.After == nil {
		c.After = after
	}
	return &c
}

const (
	longest = time.Minute     // between two looks: another process may have added something and died
	again   = 5 * time.Second // after something went wrong
)

// Wake says that the book has changed.
func (c *Clock) Wake() {
	select {
	case c.wake <- struct{}{}:
	default: // it was said already
	}
}

// Run rings until the context ends.
func (c *Clock) Run(ctx context.Context) {
	for ctx.Err() == nil {
		alarm, stop := c.After(c.look(ctx))
		select {
		case <-alarm:
		case <-c.wake:
		case <-ctx.Done():
		}
		stop()
	}
}

// look rings for what is due, and tells how long nothing else is.
func (c *Clock) look(ctx context.Context) time.Duration {
	next, err := c.Book.Next(ctx)
	now := c.Now() // not before: what is due at this moment is due
	if err == nil && !next.IsZero() && !next.After(now) {
		if err = c.Book.Ring(ctx, now); err == nil {
			next, err = c.Book.Next(ctx)
		}
	}
	switch {
	case err != nil:
		if ctx.Err() == nil {
			c.Logger.Error("could not look for what is due", "in", c.Name, "error", err)
		}
		return again
	case next.IsZero():
		return longest
	}
	return min(max(next.Sub(c.Now()), 0), longest)
}

// after is the time.Timer that is used where nobody wants another one.
func after(d time.Duration) (<-chan time.Time, func()) {
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}
