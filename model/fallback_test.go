package model_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/asidehq/aside/model"
)

func TestFallback(t *testing.T) {
	busy, broken := failure(model.Busy), failure(model.Broken)
	cases := []struct {
		name          string
		first, second []any
		want          string
		asked         int // how often the second was
	}{
		{"a reply passes through as it is", []any{"a", "b", done}, nil, "a b [done]", 0},
		{"the second answers for the first", []any{busy}, []any{"b", done}, "b [done]", 1},
		{"a bad key is a reason", []any{failure(model.BadKey)}, []any{"b", done}, "b [done]", 1},
		{"so is an unknown model", []any{failure(model.UnknownModel)}, []any{"b", done}, "b [done]", 1},
		{"what the first has said is taken back", []any{"a", broken}, []any{"b", done}, "a ↺ b [done]", 1},
		{"but not while the second says nothing", []any{"a", broken}, []any{alive, busy}, "a [busy]", 1},
		{"the second's error is the last word", []any{busy}, []any{failure(model.BadKey)}, "[bad-key]", 1},
		{"too long is too long for both", []any{failure(model.TooLong)}, nil, "[too-long]", 0},
		{"cancelled is cancelled", []any{"a", failure(model.Cancelled)}, nil, "a [cancelled]", 0},
		{"a restart from within is passed on", []any{"a", model.Delta{Restart: true}, "c", broken}, []any{"b", done}, "a ↺ c ↺ b [done]", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			first, second := &script{tries: [][]any{c.first}}, &script{tries: [][]any{c.second}}
			var log bytes.Buffer
			m := model.Fallback(first, second, slog.New(slog.NewTextHandler(&log, nil)))
			if got, _ := told(t, m.Stream(t.Context(), model.Request{})); got != c.want || second.asked != c.asked {
				t.Errorf("got %q with %d questions to the second; want %q, %d", got, second.asked, c.want, c.asked)
			}
			if logged := strings.Count(log.String(), "its fallback is asked"); logged != c.asked {
				t.Errorf("the log says so %d times", logged)
			}
		})
	}
}

func TestTheLogSaysWhyTheFallbackWasAskedButNoKey(t *testing.T) {
	for _, c := range []struct {
		kind model.Kind
		want bool
	}{{model.Unavailable, true}, {model.BadKey, false}} {
		var log bytes.Buffer
		first := &script{tries: [][]any{{&model.Error{Kind: c.kind, Message: "It fails.", Cause: errors.New("the words with sk-123")}}}}
		m := model.Fallback(first, &script{tries: [][]any{{"b", done}}}, slog.New(slog.NewTextHandler(&log, nil)))
		told(t, m.Stream(t.Context(), model.Request{}))
		if strings.Contains(log.String(), "sk-123") != c.want || !strings.Contains(log.String(), string(c.kind)) {
			t.Errorf("%s: the log says %s", c.kind, log.String())
		}
	}
}

func TestNobodyIsAskedForARequestThatWasCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	first, second := &script{tries: [][]any{{"a", func(context.Context) { cancel() }, failure(model.Broken)}}}, &script{}
	m := model.Fallback(first, second, slog.New(slog.DiscardHandler))
	if got, _ := told(t, m.Stream(ctx, model.Request{})); got != "a [cancelled]" || second.asked != 0 {
		t.Errorf("got %q", got)
	}
}

func TestACallerMayLeaveAFallbackAtAnyDelta(t *testing.T) {
	for at := 1; at <= 4; at++ {
		m := model.Fallback(&script{tries: [][]any{{"a", failure(model.Broken)}}}, &script{tries: [][]any{{"b", "c", done}}}, slog.New(slog.DiscardHandler))
		n := 0
		for range m.Stream(t.Context(), model.Request{}) {
			if n++; n == at {
				break
			}
		}
		if n != at {
			t.Errorf("%d deltas, want %d", n, at)
		}
	}
}
