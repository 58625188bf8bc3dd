package model

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"time"
)

// A RetryPolicy says how often and how soon a request is asked again. Its zero
// value is four tries within two minutes.
type RetryPolicy struct {
	Tries int           // how often to ask at most, the first time included; 0 is 4
	For   time.Duration // no try begins later than this after the first; 0 is two minutes

	// The wait before the second try is at most First and doubles with each
	// further one, up to Most. Between half of it and all of it is waited, so that
	// those who failed together do not come back together.
	First time.Duration // 0 is half a second
	Most  time.Duration // 0 is twenty seconds

	Now   func() time.Time                           // nil is time.Now
	Sleep func(context.Context, time.Duration) error // nil waits; it returns early, with an error, if the context ends
	Rand  func() float64                             // from 0 up to 1; nil is a random number
}

// Retry asks m again where an error is one that may pass. A wait that the provider
// asks for is never cut short; if it would take too long, the error is returned at
// once, and still says how long. A try that has begun is not cut off either: that
// is for Watch.
func Retry(m Model, p RetryPolicy) Model {
	return retrier{m, p.withDefaults()}
}

func (p RetryPolicy) withDefaults() RetryPolicy {
	if p.Tries <= 0 {
		p.Tries = 4
	}
	if p.For <= 0 {
		p.For = 2 * time.Minute
	}
	if p.First <= 0 {
		p.First = 500 * time.Millisecond
	}
	if p.Most <= 0 {
		p.Most = 20 * time.Second
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Sleep == nil {
		p.Sleep = sleep
	}
	if p.Rand == nil {
		p.Rand = rand.Float64
	}
	return p
}

// wait is how long to wait after the given number of tries, the last of which
// failed with e.
func (p RetryPolicy) wait(tries int, e *Error) time.Duration {
	d := p.First
	for i := 1; i < tries && d < p.Most; i++ {
		d *= 2
	}
	d = min(d, p.Most)
	d = d/2 + time.Duration(p.Rand()*float64(d/2))
	return max(d, e.Wait)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type retrier struct {
	model  Model
	policy RetryPolicy
}

func (r retrier) Stream(ctx context.Context, req Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		s := retryStream{yield: yield}
		start := r.policy.Now()
		for tries := 1; ; tries++ {
			err := s.try(r.model.Stream(ctx, req))
			if err == nil {
				return
			}
			var e *Error
			if !errors.As(err, &e) || !e.Kind.Again() || tries >= r.policy.Tries {
				yield(Delta{}, err)
				return
			}
			wait := r.policy.wait(tries, e)
			if r.policy.Now().Add(wait).Sub(start) > r.policy.For {
				yield(Delta{}, err)
				return
			}
			if r.policy.Sleep(ctx, wait) != nil || ctx.Err() != nil {
				yield(Delta{}, Interrupted(ctx))
				return
			}
		}
	}
}

// A retryStream is what the caller has seen over all tries.
type retryStream struct {
	yield func(Delta, error) bool
	shown bool // text has been yielded that still counts
	stale bool // and it is that of a try that failed
}

// try passes on one try. It returns the error to decide on, nil if the stream is
// over, be it complete or broken off by the caller.
func (s *retryStream) try(deltas iter.Seq2[Delta, error]) error {
	s.stale = s.shown
	for d, err := range deltas {
		if err != nil {
			return err
		}
		// Only now, not when the try began: if nothing comes of it, the person
		// keeps what there was.
		if s.stale && !d.Restart && (d.Text != "" || d.End != "") {
			if !s.yield(Delta{Restart: true}, nil) {
				return nil
			}
			s.shown, s.stale = false, false
		}
		if d.Restart {
			s.shown, s.stale = false, false
		}
		if d.Text != "" {
			s.shown = true
		}
		if !s.yield(d, nil) {
			return nil
		}
	}
	return nil
}
