package model

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Watch ends a stream of m with an error of kind Stalled when nothing comes for
// limit. Until there is the first text it may take first, because models read and
// think before they write; a delta without text shows that they still do. The time
// that the caller takes for a delta does not count.
//
// The request is cancelled through its context and the error is yielded after m has
// returned, so nothing of the request is left behind.
func Watch(m Model, limit, first time.Duration) Model {
	return watcher{m, limit, max(limit, first)}
}

type watcher struct {
	model        Model
	limit, first time.Duration
}

var errStalled = errors.New("the stream stalled")

func (w watcher) Stream(ctx context.Context, req Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		watched, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		limit := w.first
		timer := time.AfterFunc(limit, func() { cancel(errStalled) })
		defer timer.Stop()

		for d, err := range w.model.Stream(watched, req) {
			timer.Stop()
			if err != nil {
				if stalled(watched, err) {
					err = &Error{
						Kind:    Stalled,
						Message: "The model has stopped answering.",
						Cause:   fmt.Errorf("nothing came for %s", limit),
					}
				}
				yield(Delta{}, err)
				return
			}
			if d.Text != "" {
				limit = w.limit
			}
			if !yield(d, nil) {
				return
			}
			timer.Reset(limit)
		}
	}
}

// stalled tells whether a stream ended because we have cancelled it, rather than
// the caller or the model itself.
func stalled(watched context.Context, err error) bool {
	var e *Error
	return errors.Is(context.Cause(watched), errStalled) && errors.As(err, &e) && e.Kind == Cancelled
}
