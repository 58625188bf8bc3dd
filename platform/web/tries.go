package web

import (
	"maps"
	"sync"
	"time"
)

// An allowance is how many wrong tries there are, and how long it takes until one comes
// back.
type allowance struct {
	most  int
	every time.Duration
}

var (
	// tries of one address: enough for somebody who mistypes.
	ofOne = allowance{10, time.Minute}
	// of all together: many machines guess no faster than a few do.
	ofAll = allowance{100, 10 * time.Second}
)

// wait is how long until there is a try, 0 if there is one now. full is when all of them
// will be back.
func (a allowance) wait(full, now time.Time) time.Duration {
	if !full.After(now) {
		return 0
	}
	return max(0, full.Sub(now)-time.Duration(a.most-1)*a.every)
}

// spent is when all will be back after one more.
func (a allowance) spent(full, now time.Time) time.Time {
	if full.Before(now) {
		full = now
	}
	return full.Add(a.every)
}

// tries counts how often the token was guessed at. What is right costs nothing.
type tries struct {
	now func() time.Time

	mu  sync.Mutex
	all time.Time
	by  map[string]time.Time // where from; those who have all tries are not in it, so it stays small
}

func newTries(now func() time.Time) *tries { return &tries{now: now, by: map[string]time.Time{}} }

// begin spends a try, or returns how long to wait for one. It is spent before anybody
// knows whether it is right: otherwise many could be made at the same moment.
func (t *tries) begin(from string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	maps.DeleteFunc(t.by, func(_ string, full time.Time) bool { return !full.After(now) })
	if wait := max(ofOne.wait(t.by[from], now), ofAll.wait(t.all, now)); wait > 0 {
		return wait
	}
	t.by[from], t.all = ofOne.spent(t.by[from], now), ofAll.spent(t.all, now)
	return 0
}

// right gives back the try that begin has spent.
func (t *tries) right(from string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.by[from], t.all = t.by[from].Add(-ofOne.every), t.all.Add(-ofAll.every)
}
