package model_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/asidehq/aside/model"
)

// A script is a model whose every try is written down. A step is a delta, an error
// or a function that waits.
type script struct {
	tries [][]any
	asked int
}

func (s *script) Stream(ctx context.Context, _ model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		steps := s.tries[s.asked]
		s.asked++
		for _, step := range steps {
			if ctx.Err() != nil {
				yield(model.Delta{}, model.Interrupted(ctx))
				return
			}
			var ok bool
			switch step := step.(type) {
			case string:
				ok = yield(model.Delta{Text: step}, nil)
			case model.Delta:
				ok = yield(step, nil)
			case error:
				yield(model.Delta{}, step)
			case func(context.Context):
				step(ctx)
				ok = true
			}
			if !ok {
				return
			}
		}
		if ctx.Err() != nil {
			yield(model.Delta{}, model.Interrupted(ctx))
		}
	}
}

func failure(k model.Kind) *model.Error { return &model.Error{Kind: k, Message: string(k)} }

var (
	done  = model.Delta{End: model.Done}
	alive = model.Delta{}
)

// told writes a stream down: texts, "↺" for a restart, the end and the error in
// brackets, separated by spaces.
func told(t *testing.T, stream iter.Seq2[model.Delta, error]) (string, *model.Error) {
	t.Helper()
	var words []string
	for d, err := range stream {
		if err != nil {
			var e *model.Error
			if !errors.As(err, &e) {
				t.Fatalf("error of type %T", err)
			}
			return strings.Join(append(words, "["+string(e.Kind)+"]"), " "), e
		}
		if d.Restart {
			words = append(words, "↺")
		}
		if d.Text != "" {
			words = append(words, d.Text)
		}
		if d.End != "" {
			words = append(words, "["+string(d.End)+"]")
		}
	}
	return strings.Join(words, " "), nil
}
