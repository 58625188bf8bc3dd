package noise

import (
	"context"
	"iter"
	"strings"

	"github.com/asidehq/aside/model"
)

// Filter is a model whose replies are cleaned, also while they stream: a line that may be
// noise is not shown before it is known to be none.
func Filter(m model.Model) model.Model { return filtered{m} }

type filtered struct{ model.Model }

// Stream implements model.Model.
func (f filtered) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		s := newStream()
		for delta, err := range f.Model.Stream(ctx, r) {
			if err != nil {
				if rest := s.rest(Lines(s.whole.String(), Doubtful)); rest.Text != "" && !yield(rest, nil) {
					return
				}
				yield(delta, err)
				return
			}
			if delta.Restart {
				s = newStream()
			}
			delta.Text = s.feed(delta.Text)
			if delta.End != "" {
				rest := s.rest(Clean(s.whole.String()))
				if rest.Restart {
					delta.Restart, delta.Text = true, ""
				}
				delta.Text += rest.Text
			}
			if delta == (model.Delta{}) {
				continue
			}
			if !yield(delta, nil) {
				return
			}
		}
	}
}

// A stream is a reply while it is written.
type stream struct {
	sieve sieve
	whole strings.Builder // as the model wrote it
	shown strings.Builder // what was let through
	line  string          // the beginning of a line that is not known to be no noise
	open  string          // the line so far that is known to be none, "" at its beginning
}

func newStream() *stream { return &stream{sieve: sieve{least: Doubtful}} }

// feed is what can be shown of the next part of a reply.
func (s *stream) feed(text string) string {
	s.whole.WriteString(text)
	var out strings.Builder
	for part := range strings.SplitAfterSeq(text, "\n") {
		if part == "" {
			continue
		}
		ended := strings.HasSuffix(part, "\n")
		switch {
		case s.open != "":
			s.open += part
			out.WriteString(part)
		case ended:
			out.WriteString(s.sieve.line(s.line + part))
			s.line = ""
		default:
			s.line += part
			if !s.sieve.state.undecided(s.line) {
				out.WriteString(s.sieve.before() + s.line)
				s.open, s.line = s.line, ""
			}
		}
		if ended && s.open != "" {
			s.sieve.state.next(s.open)
			s.open = ""
		}
	}
	s.shown.WriteString(out.String())
	return out.String()
}

// rest is what is missing of the whole text that is to be shown. If something else was
// shown so far, the reply begins again.
func (s *stream) rest(whole string) model.Delta {
	if rest, ok := strings.CutPrefix(whole, s.shown.String()); ok {
		return model.Delta{Text: rest}
	}
	return model.Delta{Restart: true, Text: whole}
}
