package logging

import (
	"context"
	"log/slog"
	"slices"
)

// aboutKey is the context's key for what lines are about.
type aboutKey struct{}

// With is a context whose lines say what they are about, as in
// With(ctx, slog.Int64("turn", 42)).
func With(ctx context.Context, about ...slog.Attr) context.Context {
	return context.WithValue(ctx, aboutKey{}, slices.Concat(aboutIn(ctx), about))
}

func aboutIn(ctx context.Context) []slog.Attr {
	about, _ := ctx.Value(aboutKey{}).([]slog.Attr)
	return about
}
