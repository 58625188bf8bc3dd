package discord

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/disgoorg/disgo/rest"

	"github.com/asidehq/aside/platform"
)

// A limiter keeps to Discord's limits. A short wait it waits; a long one it says, and
// whoever asked decides: the outbox has other rooms to write to.
type limiter struct {
	now  func() time.Time
	wait func(ctx context.Context, d time.Duration) error

	mu      sync.Mutex
	buckets map[string]*bucket
	global  time.Time // until when nothing may be asked for
}

// A bucket is what a route and a room have in common.
type bucket struct {
	left  int
	until time.Time // when there is more
}

const (
	longestWait = time.Second
	mostBuckets = 1000
)

func newLimiter(now func() time.Time, wait func(context.Context, time.Duration) error) *limiter {
	return &limiter{now: now, wait: wait, buckets: map[string]*bucket{}}
}

// MaxRetries implements rest.RateLimiter: a request that Discord limits is not made
// again here.
func (l *limiter) MaxRetries() int { return 0 }

// Close implements rest.RateLimiter.
func (l *limiter) Close(context.Context) {}

// Reset implements rest.RateLimiter.
func (l *limiter) Reset() {}

func key(e *rest.CompiledEndpoint) string {
	return e.Endpoint.Method + " " + e.Endpoint.Route + " " + e.MajorParams
}

// WaitBucket implements rest.RateLimiter.
func (l *limiter) WaitBucket(ctx context.Context, e *rest.CompiledEndpoint) error {
	for {
		d := l.take(key(e))
		if d > longestWait {
			return &platform.Problem{Outcome: platform.Limited, Reason: "Discord asks to wait", RetryAfter: d}
		}
		if d > 0 {
			_ = l.wait(ctx, d) // the context is looked at next
		}
		if ctx.Err() != nil {
			return &platform.Problem{Outcome: platform.Failed, Reason: "Discord was not asked"}
		}
		if d <= 0 {
			return nil
		}
	}
}

// take takes one request out of a bucket, or says how long to wait for it.
func (l *limiter) take(name string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if d := l.global.Sub(now); d > 0 {
		return d
	}
	b := l.buckets[name]
	if b == nil || !b.until.After(now) {
		delete(l.buckets, name)
		return 0
	}
	if b.left > 0 {
		b.left--
		return 0
	}
	return b.until.Sub(now)
}

// UnlockBucket implements rest.RateLimiter.
func (l *limiter) UnlockBucket(e *rest.CompiledEndpoint, r *http.Response) error {
	if r == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now, h := l.now(), r.Header
	if r.StatusCode == http.StatusTooManyRequests {
		until := now.Add(headerSeconds(h, "Retry-After"))
		// Without Via it was not Discord's API but what stands before it.
		if h.Get("X-RateLimit-Global") != "" || h.Get("Via") == "" {
			l.global = until
		} else {
			l.set(key(e), bucket{0, until})
		}
		return nil
	}
	left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	if err != nil {
		return nil
	}
	// Answers come in any order: what is left can only become less within a window.
	b := bucket{left, now.Add(headerSeconds(h, "X-RateLimit-Reset-After"))}
	if old := l.buckets[key(e)]; old != nil && old.until.After(now) {
		b.left = min(b.left, old.left)
	}
	l.set(key(e), b)
	return nil
}

func (l *limiter) set(name string, b bucket) {
	if len(l.buckets) >= mostBuckets {
		now := l.now()
		for name, old := range l.buckets {
			if !old.until.After(now) {
				delete(l.buckets, name)
			}
		}
	}
	l.buckets[name] = &b
}
