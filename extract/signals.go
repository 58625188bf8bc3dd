package extract

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// bracket is a candidate for [NAME:argument] and, in the text of an envelope, for
// a keyword such as [LIKE]. Of it [ was read.
type bracket struct {
	state        bracketState
	lo, hi       int // the signals whose names fit
	wordLo, word int // the keywords whose names fit
	name         string
	arg          int // where the argument begins
	depth        int // of brackets inside the argument
	blank        bool
}

type bracketState uint8

const (
	bracketName bracketState = iota // in the name
	bracketArg                      // in the argument
)

func (b *bracket) begin(s *scanner, i int) {
	s.begin(b, i)
	*b = bracket{hi: len(s.signals), word: len(s.keywords)}
	s.at++
}

func (b *bracket) read(s *scanner, hi int, why last) verdict {
	for i := s.at - s.base; i < hi; i++ {
		c, at := s.w[i], s.base+i
		if b.state == bracketName {
			n := at - s.start - 1
			switch {
			case c == ':' && s.signals.whole(b.lo, b.hi, n):
				if s.start < s.noSignals {
					return plain
				}
				b.state, b.name, b.arg, b.depth = bracketArg, s.signals[b.lo], at+1, 1
			case c == ']' && s.keywords.whole(b.wordLo, b.word, n):
				return b.keyword(s, s.keywords[b.wordLo], at+1)
			default:
				b.lo, b.hi = s.signals.narrow(b.lo, b.hi, n, c)
				b.wordLo, b.word = s.keywords.narrow(b.wordLo, b.word, n, lower(c))
				if b.lo == b.hi && b.wordLo == b.word {
					return plain
				}
			}
			continue
		}
		switch c {
		case '[':
			b.depth++
		case ']':
			if b.depth--; b.depth == 0 {
				return b.done(s, at+1)
			}
		case '\n':
			if b.blank {
				return b.open(s, at)
			}
			b.blank = true
			continue
		}
		b.blank = b.blank && isSpace(c)
	}
	s.at = s.base + hi
	if why != 0 {
		return b.open(s, s.at)
	}
	return more
}

// open ends a signal that was not closed before the offset at. It is text as a
// whole: no signal begins before that.
func (b *bracket) open(s *scanner, at int) verdict {
	if b.state == bracketArg {
		s.noSignals = at
	}
	return plain
}

// keyword ends a keyword in the text of an envelope.
func (b *bracket) keyword(s *scanner, name string, end int) verdict {
	if slices.Contains(flags, name) {
		return s.take(end, s.event(KindMarkup, Envelope, name, s.start, end))
	}
	return s.take(end, s.event(KindControl, Envelope, name, s.start, end))
}

// done ends a signal that was closed.
func (b *bracket) done(s *scanner, end int) verdict {
	if len(bytes.TrimSpace(s.bytes(b.arg, end-1))) == 0 {
		return s.take(end, s.problem(Malformed, Signals, s.start, end, "the signal needs an argument: ["+b.name+":…]"))
	}
	s.takePiece(piece{start: s.start, end: end, signal: s.byName[b.name], arg: b.arg})
	return taken
}

// event is the action of a signal that was found.
func (g *Signal) event(s *scanner, p piece) Event {
	e := s.event(KindAction, Signals, g.Name, p.start, p.end)
	arg := strings.TrimSpace(e.Raw[p.arg-p.start : len(e.Raw)-1])
	if len(g.Params) == 0 {
		args := append(make([]byte, 0, len(arg)+len(`{"argument":""}`)), `{"argument":`...)
		e.Args = append(appendQuoted(args, arg), '}')
	} else {
		e.Args = joinFields(g.split(arg))
	}
	return e
}

// split cuts a signal's argument into its parameters.
func (g *Signal) split(arg string) []field {
	parts := strings.SplitN(arg, ":", len(g.Params))
	if g.Pair {
		parts = pair(arg)
	}
	var fields []field
	for i, part := range parts {
		if part = strings.TrimSpace(part); part != "" && i < len(g.Params) {
			fields = append(fields, field{g.Params[i], quoted([]byte(part))})
		}
	}
	return fields
}

// pair cuts old from new: at the first arrow, or else at the colon that leaves two
// sides as equal in length as possible.
func pair(arg string) []string {
	cut, width := -1, 2
	for _, arrow := range []string{"=>", "->"} {
		if i := strings.Index(arg, arrow); i >= 0 && (cut < 0 || i < cut) {
			cut = i
		}
	}
	if cut < 0 {
		width = 1
		all := utf8.RuneCountInString(arg)
		best := all + 1
		left := 0
		for i, r := range arg {
			if r == ':' {
				before, after := strings.TrimSpace(arg[:i]), strings.TrimSpace(arg[i+1:])
				if d := abs(all - 1 - 2*left); d < best && before != "" && after != "" {
					cut, best = i, d
				}
			}
			left++
		}
	}
	if cut < 0 {
		return []string{arg}
	}
	return []string{arg[:cut], arg[cut+width:]}
}

func abs(n int) int {
	return max(n, -n)
}
