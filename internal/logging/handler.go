package logging

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
)

// A handler adds what the context is about, and hides secrets wherever they stand.
type handler struct {
	slog.Handler
	hider *Hider
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	hidden := slog.NewRecord(r.Time, r.Level, h.hider.Text(r.Message), r.PC)
	hidden.AddAttrs(h.attrs(aboutIn(ctx))...)
	r.Attrs(func(a slog.Attr) bool {
		hidden.AddAttrs(h.attr(a))
		return true
	})
	return h.Handler.Handle(ctx, hidden)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(h.attrs(attrs)), h.hider}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.Handler.WithGroup(h.hider.Text(name)), h.hider}
}

func (h handler) attrs(attrs []slog.Attr) []slog.Attr {
	hidden := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		hidden[i] = h.attr(a)
	}
	return hidden
}

func (h handler) attr(a slog.Attr) slog.Attr {
	return slog.Attr{Key: h.hider.Text(a.Key), Value: h.value(a.Value)}
}

func (h handler) value(v slog.Value) slog.Value {
	v = v.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		return slog.GroupValue(h.attrs(v.Group())...)
	case slog.KindAny:
		return h.any(v.Any())
	}
	// A key may consist of digits, and then a number can be one.
	text := v.String()
	if hidden := h.hider.Text(text); hidden != text {
		return slog.StringValue(hidden)
	}
	return v
}

// any makes a text of a value. Left to JSON, it would become one in which a secret can
// no longer be found: of bytes, for one, base64.
func (h handler) any(value any) slog.Value {
	switch value := value.(type) {
	case nil:
		return slog.AnyValue(nil)
	case json.RawMessage:
		if hidden := h.hider.Text(string(value)); json.Valid([]byte(hidden)) {
			return slog.AnyValue(json.RawMessage(hidden))
		}
		return slog.StringValue(h.hider.Text(string(value)))
	case []byte:
		return slog.StringValue(h.hider.Text(string(value)))
	}
	return slog.StringValue(h.hider.Text(fmt.Sprintf("%+v", value)))
}
