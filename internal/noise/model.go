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
	line  strings.Builder // the line that is being written
	open  bool            // it is known to be no noise, and let through as it comes
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
		s.line.WriteString(part)
		line := s.line.String()
		ended := strings.HasSuffix(part, "\n")
		switch {
		case s.open:
			out.WriteString(part)
			if ended {
				s.sieve.state.next(line)
			}
		case ended:
			out.WriteString(s.sieve.line(line))
		case !s.sieve.state.undecided(line):
			s.open = true
			out.WriteString(s.sieve.before() + line)
		}
		if ended {
			s.line, s.open = strings.Builder{}, false
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
