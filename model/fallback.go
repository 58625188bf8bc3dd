package model

import (
	"context"
	"errors"
	"iter"
	"log/slog"
)

// Fallback asks second where first fails, unless the request was cancelled or is too
// long, and says so in the log. It is meant to be around Retry: first has had its
// tries by then. What first has said until it failed is taken back when second says
// something; if second fails as well, its error is the one that is yielded.
func Fallback(first, second Model, log *slog.Logger) Model {
	return fallback{first, second, log}
}

type fallback struct {
	first, second Model
	log           *slog.Logger
}

func (f fallback) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		s := retryStream{yield: yield}
		err := s.try(f.first.Stream(ctx, r))
		if err == nil {
			return
		}
		if ctx.Err() == nil && replaceable(err) {
			f.tell(err)
			err = s.try(f.second.Stream(ctx, r))
		}
		if err != nil {
			yield(Delta{}, err)
		}
	}
}

// replaceable tells whether another model may do better.
func replaceable(err error) bool {
	var e *Error
	return !errors.As(err, &e) || e.Kind != Cancelled && e.Kind != TooLong
}

func (f fallback) tell(err error) {
	log := f.log
	var e *Error
	if errors.As(err, &e) {
		log = log.With("kind", e.Kind)
		// The provider's own words. About a key they may repeat one.
		if e.Kind != BadKey && e.Cause != nil {
			log = log.With("cause", e.Cause)
		}
	}
	log.Warn("the model failed; its fallback is asked", "error", err)
}
