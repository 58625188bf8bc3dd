package model_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asidehq/aside/model"
)

const (
	limit = 10 * time.Second
	first = 60 * time.Second
)

// pause lets time pass, as a model that thinks does.
func pause(d time.Duration) func(context.Context) {
	return func(ctx context.Context) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

func TestWatch(t *testing.T) {
	cases := []struct {
		name  string
		steps []any
		want  string
		after time.Duration
	}{
		{"a reply in time passes through", []any{"a", pause(9 * time.Second), "b", pause(9 * time.Second), done}, "a b [done]", 18 * time.Second},
		{"nothing after the first text", []any{"a", pause(time.Hour), done}, "a [stalled]", limit},
		{"each delta starts the wait anew", []any{"a", pause(9 * time.Second), "b", pause(time.Hour)}, "a b [stalled]", 19 * time.Second},
		{"the first text may take longer", []any{pause(59 * time.Second), "a", done}, "a [done]", 59 * time.Second},
		{"but not for ever", []any{pause(time.Hour), "a", done}, "[stalled]", first},
		{"thinking aloud without text keeps the longer limit", []any{alive, pause(50 * time.Second), alive, pause(50 * time.Second), "a", done}, "a [done]", 100 * time.Second},
		{"a sign of life between texts counts", []any{"a", pause(9 * time.Second), alive, pause(9 * time.Second), done}, "a [done]", 18 * time.Second},
		{"the model's own error is passed on", []any{"a", failure(model.Broken)}, "a [broken]", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				m := model.Watch(&script{tries: [][]any{c.steps}}, limit, first)
				got, _ := told(t, m.Stream(t.Context(), model.Request{}))
				if got != c.want || time.Since(start) != c.after {
					t.Errorf("got %q after %v, want %q after %v", got, time.Since(start), c.want, c.after)
				}
			})
		})
	}
}

func TestTheTimeTheCallerTakesIsNotTheModels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model.Watch(&script{tries: [][]any{{"a", "b", done}}}, limit, first)
		for _, err := range m.Stream(t.Context(), model.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
			pause(time.Hour)(t.Context())
		}
	})
}

func TestAStalledRequestIsOverBeforeTheErrorComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := false
		tidyUp := func(ctx context.Context) {
			<-ctx.Done()
			pause(5 * time.Second)(context.WithoutCancel(ctx))
			over = true
		}
		start := time.Now()
		m := model.Watch(&script{tries: [][]any{{"a", tidyUp}}}, limit, first)
		got, e := told(t, m.Stream(t.Context(), model.Request{}))
		if got != "a [stalled]" || !over || time.Since(start) != limit+5*time.Second {
			t.Errorf("got %q, request over: %v, after %v", got, over, time.Since(start))
		}
		if e.Cause.Error() != "nothing came for 10s" {
			t.Errorf("cause %q", e.Cause)
		}
	})
}

func TestTheCallersOwnEndIsNotAStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		m := model.Watch(&script{tries: [][]any{{"a", pause(time.Hour)}}}, limit, first)
		got, e := told(t, m.Stream(ctx, model.Request{}))
		if got != "a [cancelled]" || !errors.Is(e, context.DeadlineExceeded) {
			t.Errorf("got %q (%v)", got, e.Cause)
		}
	})
}

func TestBreakingOffCancelsTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inner context.Context
		keep := func(ctx context.Context) { inner = ctx }
		m := model.Watch(&script{tries: [][]any{{keep, "a", "b", done}}}, limit, first)
		for range m.Stream(t.Context(), model.Request{}) {
			break
		}
		if inner.Err() == nil {
			t.Error("the request goes on")
		}
	})
}

func TestAStallIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{tries: [][]any{{"a", pause(time.Hour)}, {"a", "b", done}}}
		got, _ := told(t, model.Retry(model.Watch(m, limit, first), model.RetryPolicy{}).Stream(t.Context(), model.Request{}))
		if got != "a ↺ a b [done]" {
			t.Errorf("got %q", got)
		}
	})
}
