package slack

import (
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// limits remember what Slack has asked to wait with: a method, in a channel where it is
// about one. Whoever asks in the meantime is told so; there are other rooms to write to.
type limits struct {
	now func() time.Time

	mu    sync.Mutex
	until map[string]time.Time
}

const mostLimits = 1000

func newLimits(now func() time.Time) *limits {
	return &limits{now: now, until: map[string]time.Time{}}
}

func (l *limits) check(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	left := l.until[key].Sub(l.now())
	if left <= 0 {
		delete(l.until, key)
		return nil
	}
	return &platform.Problem{Outcome: platform.Limited, Reason: "Slack asks to wait", RetryAfter: left}
}

func (l *limits) set(key string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if len(l.until) >= mostLimits {
		for key, until := range l.until {
			if !until.After(now) {
				delete(l.until, key)
			}
		}
	}
	l.until[key] = now.Add(d)
}
