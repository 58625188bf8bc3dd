// Package logging makes the program's log: text or JSON, with the turn and the session
// on every line that concerns one, and without secrets.
//
// It imports the standard library only. There is one way to say what a line is about:
// With puts it into the context, and whoever logs passes the context
// (logger.WarnContext). So adapters and providers need to know nothing of turns.
// Before changing it, know that what people write is logged at debug level only.
package logging

import (
	"io"
	"log/slog"
)

// A Format is how a line is written.
type Format string

const (
	Text Format = "text"
	JSON Format = "json"
)

// New is a logger that writes lines of a level and above, and hides secrets.
func New(w io.Writer, format Format, level slog.Leveler, hider *Hider) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	var inner slog.Handler = slog.NewTextHandler(w, options)
	if format == JSON {
		inner = slog.NewJSONHandler(w, options)
	}
	return slog.New(handler{inner, hider})
}
