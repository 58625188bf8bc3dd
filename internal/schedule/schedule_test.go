package schedule

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"
)

// A diary is a book of times.
type diary struct {
	mu   sync.Mutex
	due  []time.Time
	rung chan time.Time
	fail error
}

func (d *diary) Next(context.Context) (time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail != nil {
		return time.Time{}, d.fail
	}
	if len(d.due) == 0 {
		return time.Time{}, nil
	}
	return d.due[0], nil
}

func (d *diary) Ring(_ context.Context, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.due) > 0 && !d.due[0].After(now) {
		d.rung <- d.due[0]
		d.due = d.due[1:]
	}
	return nil
}

// A hand is a clock that somebody moves.
type hand struct {
	mu    sync.Mutex
	now   time.Time
	waits chan time.Duration // what the clock waits for
	alarm chan time.Time     // ends the wait
}

func (h *hand) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hand) After(d time.Duration) (<-chan time.Time, func()) {
	h.waits <- d
	return h.alarm, func() {}
}

func (h *hand) move(d time.Duration) {
	h.mu.Lock()
	h.now = h.now.Add(d)
	h.mu.Unlock()
	h.alarm <- h.Now()
}

func TestAClockRingsWhenSomethingIsDue(t *testing.T) {
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := &hand{now: begin, waits: make(chan time.Duration), alarm: make(chan time.Time)}
	d := &diary{due: []time.Time{begin.Add(-time.Hour), begin.Add(10 * time.Second), begin.Add(time.Hour)}, rung: make(chan time.Time, 10)}
	c := New(Clock{Book: d, Now: h.Now, After: h.After, Logger: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Run(ctx)
	}()
	wait := func(want time.Duration) {
		t.Helper()
		if got := <-h.waits; got != want {
			t.Errorf("it waits for %s, not %s", got, want)
		}
	}
	rung := func(want time.Duration) {
		t.Helper()
		if got := (<-d.rung).Sub(begin); got != want {
			t.Errorf("it rang for %s, not %s", got, want)
		}
	}
	wait(10 * time.Second) // what was due before is done at once
	rung(-time.Hour)
	h.move(10 * time.Second)
	rung(10 * time.Second)
	wait(longest) // the next one is further away than it looks
	d.mu.Lock()
	d.due = append([]time.Time{begin.Add(13 * time.Second)}, d.due...)
	d.mu.Unlock()
	c.Wake()
	wait(3 * time.Second)
	d.mu.Lock()
	d.fail = errors.New("no disk")
	d.mu.Unlock()
	h.move(3 * time.Second)
	wait(again)
	d.mu.Lock()
	d.fail = nil
	d.mu.Unlock()
	h.move(again)
	rung(13 * time.Second)
	wait(longest)
	stop()
	<-ended
}
