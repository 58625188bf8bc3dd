// Package rehearsal is a model that needs no key and no network. It knows a small
// set of requests and answers them with replies that carry real instructions, in
// every dialect, so that whatever Aside does can be tried and shown offline.
//
// It imports package model and the standard library. Before changing a reply, know
// that docs/rehearsal.md is written from it (go test ./model/rehearsal -run
// TestDocs -update) and that people follow that page step by step.
package rehearsal

import (
	"context"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/asidehq/aside/model"
)

// Options say how fast the model writes. The zero value is a pleasant speed: some
// six hundred characters a second.
type Options struct {
	Runes int                         // how many runes make a delta; 0 is 12
	Delay func(context.Context) error // waits between deltas; nil waits 20 ms
}

// A Model answers from a table. The same request always gets the same reply.
type Model struct {
	runes int
	delay func(context.Context) error
}

// New returns the model.
func New(o Options) *Model {
	m := &Model{runes: o.Runes, delay: o.Delay}
	if m.runes <= 0 {
		m.runes = 12
	}
	if m.delay == nil {
		m.delay = delay
	}
	return m
}

func delay(ctx context.Context) error {
	timer := time.NewTimer(20 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stream answers the last message; what was said before it does not matter.
func (m *Model) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		message := ""
		if n := len(r.Messages); n > 0 {
			message = r.Messages[n-1].Text
		}
		rest := reply(message)
		for begun := false; rest != ""; begun = true {
			if ctx.Err() != nil || begun && m.delay(ctx) != nil {
				yield(model.Delta{}, model.Interrupted(ctx))
				return
			}
			n := m.next(rest)
			if !yield(model.Delta{Text: rest[:n]}, nil) {
				return
			}
			rest = rest[n:]
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

// next is how many bytes the next delta has. Bytes that are no rune count as one
// each, so that /say gives back whatever it was given.
func (m *Model) next(s string) int {
	n := 0
	for range m.runes {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
	}
	return n
}

// reply is what the model says to a message.
func reply(message string) string {
	if results, ok := strings.CutPrefix(message, resultsMark); ok {
		return sumUp(results)
	}
	message = wanted(message)
	for _, asked := range []string{message, plainly(message)} {
		for _, r := range Requests() {
			if rest, ok := r.match(asked); ok {
				return r.reply(rest)
			}
		}
	}
	return "I do not know that one. " + Help()
}

// wanted is what is to be done where nobody has written: a job, or something that was put
// off, says first what it is, in brackets.
func wanted(message string) string {
	if !strings.HasPrefix(message, "[") {
		return message
	}
	for _, before := range []string{"\nWhat to do:\n", "]\n\n"} {
		if _, rest, ok := strings.Cut(message, before); ok {
			return rest
		}
	}
	return message
}

// Help says what the model is and lists what it can be asked.
func Help() string {
	var b strings.Builder
	b.WriteString("I am the rehearsal model: I need no key and no network, and I know these requests only.\n")
	for _, r := range Requests() {
		b.WriteString("\n- `" + r.Say + "` " + r.Does)
	}
	return b.String()
}
