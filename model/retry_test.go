package model_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asidehq/aside/model"
)

// A clock goes on only while someone sleeps.
type clock struct {
	now   time.Time
	slept []time.Duration
}

func (c *clock) Now() time.Time { return c.now }

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	return ctx.Err()
}

func (c *clock) policy() model.RetryPolicy {
	return model.RetryPolicy{
		Tries: 4, For: time.Minute, First: time.Second, Most: 4 * time.Second,
		Now: c.Now, Sleep: c.Sleep, Rand: func() float64 { return 0 },
	}
}

func TestRetry(t *testing.T) {
	busy, down, broken := failure(model.Busy), failure(model.Unavailable), failure(model.Broken)
	in := func(d time.Duration) *model.Error { return &model.Error{Kind: model.Busy, Wait: d} }
	const half, second = 500 * time.Millisecond, time.Second

	cases := []struct {
		name  string
		tries [][]any
		want  string
		slept []time.Duration
	}{
		{"a reply passes through as it is", [][]any{{"a", "b", done}}, "a b [done]", nil},
		{"a try that fails at once leaves no trace", [][]any{{busy}, {"a", done}}, "a [done]", []time.Duration{half}},
		{"what broke half-way is taken back", [][]any{{"a", broken}, {"a", "b", done}}, "a ↺ a b [done]", []time.Duration{half}},
		{"each broken try is taken back once", [][]any{{"a", broken}, {"b", broken}, {"c", done}}, "a ↺ b ↺ c [done]", []time.Duration{half, second}},
		{"a try that brings nothing takes nothing back", [][]any{{"a", broken}, {down}, {"a", done}}, "a ↺ a [done]", []time.Duration{half, second}},
		{"what was shown stays when no try brings more", [][]any{{"a", broken}, {down}, {down}, {down}}, "a [unavailable]", []time.Duration{half, second, 2 * second}},
		{"an empty reply takes a broken one back", [][]any{{"a", broken}, {done}}, "a ↺ [done]", []time.Duration{half}},
		{"a sign of life is not text", [][]any{{alive, broken}, {alive, "a", done}}, "a [done]", []time.Duration{half}},
		{"a sign of life takes nothing back", [][]any{{"a", broken}, {alive, down}, {"b", done}}, "a ↺ b [done]", []time.Duration{half, second}},
		{"a restart from within is not doubled", [][]any{{"a", broken}, {model.Delta{Restart: true}, "b", done}}, "a ↺ b [done]", []time.Duration{half}},
		{"a restart from within counts", [][]any{{"a", model.Delta{Restart: true}, broken}, {"b", done}}, "a ↺ b [done]", []time.Duration{half}},
		{"the tries come to an end", [][]any{{busy}, {busy}, {busy}, {down}}, "[unavailable]", []time.Duration{half, second, 2 * second}},
		{"stalled is tried again", [][]any{{failure(model.Stalled)}, {"a", done}}, "a [done]", []time.Duration{half}},
		{"a bad key is final", [][]any{{failure(model.BadKey)}}, "[bad-key]", nil},
		{"too long is final", [][]any{{failure(model.TooLong)}}, "[too-long]", nil},
		{"cancelled is final", [][]any{{"a", failure(model.Cancelled)}}, "a [cancelled]", nil},
		{"the provider's wait is the least", [][]any{{in(7 * second)}, {"a", done}}, "a [done]", []time.Duration{7 * second}},
		{"a shorter wait does not shorten ours", [][]any{{in(time.Millisecond)}, {"a", done}}, "a [done]", []time.Duration{half}},
		{"a wait beyond the time allowed is not begun", [][]any{{in(61 * second)}}, "[busy]", nil},
		{"waits add up to the time allowed", [][]any{{in(30 * second)}, {in(30 * second)}, {in(second)}}, "[busy]", []time.Duration{30 * second, 30 * second}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			clock, m := &clock{}, &script{tries: c.tries}
			got, _ := told(t, model.Retry(m, clock.policy()).Stream(t.Context(), model.Request{}))
			if got != c.want || m.asked != len(c.tries) || !slices.Equal(clock.slept, c.slept) {
				t.Errorf("got %q after %d tries and waits of %v; want %q, %d, %v", got, m.asked, clock.slept, c.want, len(c.tries), c.slept)
			}
		})
	}
}

func TestAWaitGrowsUpToItsMostAndIsSpread(t *testing.T) {
	for _, c := range []struct {
		random float64
		want   []time.Duration
	}{
		{0, []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 2 * time.Second}},
		{0.5, []time.Duration{750 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second, 3 * time.Second}},
	} {
		clock := &clock{}
		p := clock.policy()
		p.Tries, p.Rand = 5, func() float64 { return c.random }
		m := &script{tries: slices.Repeat([][]any{{failure(model.Busy)}}, 5)}
		told(t, model.Retry(m, p).Stream(t.Context(), model.Request{}))
		if !slices.Equal(clock.slept, c.want) {
			t.Errorf("with %v: waited %v, want %v", c.random, clock.slept, c.want)
		}
	}
}

func TestTheLastErrorStillSaysHowLongToWait(t *testing.T) {
	clock, m := &clock{}, &script{tries: [][]any{{&model.Error{Kind: model.Busy, Wait: time.Hour}}}}
	if _, e := told(t, model.Retry(m, clock.policy()).Stream(t.Context(), model.Request{})); e.Wait != time.Hour {
		t.Errorf("says %v", e.Wait)
	}
}

func TestAnErrorOfAnotherTypeIsPassedOn(t *testing.T) {
	odd, m := errors.New("odd"), &script{}
	m.tries = [][]any{{odd}}
	for _, err := range model.Retry(m, model.RetryPolicy{}).Stream(t.Context(), model.Request{}) {
		if !errors.Is(err, odd) {
			t.Errorf("got %v", err)
		}
	}
}

func TestACallerMayBreakOffAtAnyDelta(t *testing.T) {
	for at := 1; at <= 4; at++ {
		clock, m := &clock{}, &script{tries: [][]any{{"a", failure(model.Broken)}, {"b", done}}}
		seen := 0
		for range model.Retry(m, clock.policy()).Stream(t.Context(), model.Request{}) {
			if seen++; seen == at {
				break
			}
		}
		if seen != at {
			t.Errorf("saw %d deltas, want %d", seen, at)
		}
	}
}

// Real time, inside a bubble in which it costs nothing.
func TestTheZeroPolicyWaitsInRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		m := &script{tries: [][]any{{failure(model.Busy)}, {failure(model.Busy)}, {"a", done}}}
		got, _ := told(t, model.Retry(m, model.RetryPolicy{}).Stream(t.Context(), model.Request{}))
		took := time.Since(start)
		if got != "a [done]" || took < 750*time.Millisecond || took > 1500*time.Millisecond {
			t.Errorf("got %q after %v", got, took)
		}
	})
}

func TestTheEndOfTheContextEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		m := &script{tries: [][]any{{"a", &model.Error{Kind: model.Busy, Wait: time.Minute}}}}
		got, e := told(t, model.Retry(m, model.RetryPolicy{}).Stream(ctx, model.Request{}))
		if got != "a [cancelled]" || !errors.Is(e, context.DeadlineExceeded) || time.Since(start) != 3*time.Second {
			t.Errorf("got %q (%v) after %v", got, e.Cause, time.Since(start))
		}
	})
}
