package extract

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// envelope is a candidate for a reply that is a JSON object, bare or in a fence.
// It is certain once its text begins, or when it ends with an action; before that
// it may turn out to be text.
type envelope struct {
	state    envelopeState
	fence    fenceOpener
	json     jsonReader // of a value that is not the text
	key      string
	from     int  // where the key or value being read begins
	certain  bool // the text has begun
	text     envelopeText
	quote    int // where a quote stands in the text that may be its end
	ticks    int // how many backticks were read of the end of the fence
	contents contents
}

type envelopeState uint8

const (
	envelopeLead   envelopeState = iota // before the object
	envelopeFence                       // in the opening of a fence
	envelopeKeys                        // before a key or the closing brace
	envelopeKey                         // in a key
	envelopeColon                       // behind a key
	envelopeValue                       // before a value
	envelopeString                      // in a string that is not the text
	envelopeNested                      // in an object or array
	envelopeScalar                      // in a number or a word
	envelopeAfter                       // behind a value
	envelopeIn                          // in the text
	envelopeQuote                       // behind a quote in the text that may be its end
	envelopeComma                       // behind that and a comma
	envelopeTail                        // behind the object, before the end of its fence
	envelopeBroken                      // in what cannot be read, up to the end of the line
)

func (v *envelope) begin() {
	*v = envelope{text: v.text}
}

func (v *envelope) read(s *scanner, hi int, why last) verdict {
	i := s.at - s.base
	for i < hi {
		if v.state == envelopeIn {
			n := v.readText(s, i, hi, why != 0)
			if i = n; i == hi || s.w[i] != '"' {
				break
			}
			v.state, v.quote = envelopeQuote, s.base+i
			i++
			continue
		}
		switch verdict := v.step(s, s.w[i], s.base+i); verdict {
		case more:
			i++
		case taken:
			if s.cand == nil {
				return taken
			}
			// The byte is read again in the state it has led to.
		default:
			return verdict
		}
	}
	s.at = s.base + i
	if why != 0 && (i == hi || v.state == envelopeIn) {
		return v.unclosed(s, why)
	}
	return more
}

// step takes one byte outside the text.
func (v *envelope) step(s *scanner, c byte, at int) verdict {
	switch v.state {
	case envelopeLead:
		switch {
		case c == '{':
			v.state = envelopeKeys
		case c == '`' && v.fence.ticks == 0:
			v.state = envelopeFence
			v.fence.read(c)
		case !isSpace(c):
			return again
		}
	case envelopeFence:
		switch v.fence.read(c) {
		case fenceOpened:
			v.state = envelopeLead
			return taken
		case fenceNot:
			return again
		}
	case envelopeKeys:
		switch {
		case c == '}':
			return v.object(s, at+1)
		case c == '"':
			v.state, v.from, v.json = envelopeKey, at, jsonReader{quote: '"'}
		case c != ',' && !isSpace(c):
			return v.fail()
		}
	case envelopeKey:
		if v.json.read(c); v.json.quote == 0 {
			v.key = text(s.bytes(v.from, at+1))
			v.state = envelopeColon
		}
	case envelopeColon:
		if c == ':' {
			v.state = envelopeValue
		} else if !isSpace(c) {
			return v.fail()
		}
	case envelopeValue:
		return v.value(s, c, at)
	case envelopeString:
		if v.json.read(c); v.json.quote == 0 {
			v.member(s, at+1)
		}
	case envelopeNested:
		if v.json.read(c) {
			v.member(s, at+1)
		}
	case envelopeScalar:
		if c == ',' || c == '}' || isSpace(c) {
			v.member(s, at)
			return taken
		}
		if !isWord(c) && c != '+' {
			return v.fail()
		}
	case envelopeAfter:
		switch {
		case c == '}':
			return v.object(s, at+1)
		case c == ',':
			v.state = envelopeKeys
		case !isSpace(c):
			return v.fail()
		}
	case envelopeQuote, envelopeComma:
		return v.afterQuote(s, c, at)
	case envelopeTail:
		switch {
		case c == '`' && v.ticks < v.fence.ticks:
			v.ticks++
			v.from = at + 1
		case v.ticks > 0 || !isSpace(c):
			return v.close(s)
		}
	case envelopeBroken:
		if c == '\n' {
			return v.problem(s, at, Malformed, "the JSON cannot be read from here on; its actions were not run")
		}
	}
	return more
}

// value takes the byte that a value begins with, or white space before it.
func (v *envelope) value(s *scanner, c byte, at int) verdict {
	v.from = at
	switch {
	case isSpace(c):
	case c == '"' && v.key == "text" && !v.certain:
		v.certain = true
		v.state = envelopeIn
		v.text.begin(s, at+1)
	case c == '"':
		v.state, v.json = envelopeString, jsonReader{quote: '"'}
	case c == '{' || c == '[':
		v.state, v.json = envelopeNested, jsonReader{}
		v.json.read(c)
	case isWord(c):
		v.state = envelopeScalar
	default:
		return v.fail()
	}
	return more
}

// member ends a value before the offset end.
func (v *envelope) member(s *scanner, end int) {
	v.contents.add(s, v.key, v.from, end)
	v.state = envelopeAfter
}

// fail says what happens to JSON that cannot be read: it is text, unless its own
// text was shown already.
func (v *envelope) fail() verdict {
	if !v.certain {
		return again
	}
	v.state = envelopeBroken
	return taken
}

// readText reads the text from the index i and returns where it stopped: at a
// quote, at the end, or at an escape that is not complete.
func (v *envelope) readText(s *scanner, i, hi int, final bool) int {
	for i < hi {
		n := bytes.IndexAny(s.w[i:hi], `"\`)
		if n < 0 {
			n = hi - i
		}
		v.text.feed(s, s.w[i:i+n], s.base+i)
		if i += n; i == hi || s.w[i] == '"' {
			break
		}
		r, n := jsonEscape(s.w[i:hi], final)
		if n == 0 {
			break
		}
		v.text.feedRune(s, r, s.base+i)
		i += n
	}
	s.passed(s.base + i)
	return i
}

// afterQuote decides whether a quote was the end of the text. Models forget to
// escape quotes; the end is the one that } follows, or a comma and another key.
func (v *envelope) afterQuote(s *scanner, c byte, at int) verdict {
	switch {
	case isSpace(c):
		return more
	case c == ',' && v.state == envelopeQuote:
		v.state = envelopeComma
		return more
	case c == '}' || c == '"' && v.state == envelopeComma:
		v.text.end(s)
		v.state = envelopeKeys
		return taken
	}
	v.text.feed(s, s.bytes(v.quote, at), v.quote)
	s.passed(at)
	v.state = envelopeIn
	return taken
}

// object ends the object before the offset end.
func (v *envelope) object(s *scanner, end int) verdict {
	if !v.certain && !v.contents.named {
		return again
	}
	v.state, v.from = envelopeTail, end
	if v.fence.ticks == 0 {
		return v.close(s)
	}
	return more
}

// close ends the envelope, up to v.from.
func (v *envelope) close(s *scanner) verdict {
	var found []Event
	if v.certain {
		found = v.text.scan.flags
	}
	s.begun = true
	s.unwrap(v.from)
	return s.take(v.from, v.contents.events(found)...)
}

// unclosed ends an envelope that the reply, or the limit, has cut off.
func (v *envelope) unclosed(s *scanner, why last) verdict {
	switch {
	case v.state == envelopeTail:
		return v.close(s)
	case v.state == envelopeBroken:
		return v.problem(s, s.at, Malformed, "the JSON cannot be read from here on; its actions were not run")
	case v.state == envelopeIn && why == overlong:
		return more // the text has no limit
	case v.state == envelopeIn, v.state == envelopeQuote, v.state == envelopeComma:
		v.text.end(s)
	case !v.certain && !v.contents.named:
		return again
	}
	return v.problem(s, s.at, why.kindOf(), "the envelope needs a closing brace; its actions were not run")
}

// problem ends the envelope with what was not read of it.
func (v *envelope) problem(s *scanner, end int, kind, why string) verdict {
	s.begun = true
	return s.take(end, s.problem(kind, Envelope, s.start, end, why))
}

// jsonEscape decodes the escape that b begins with. Its length is 0 if more bytes
// are needed; with final there are none. What is no escape is the character behind
// the backslash.
func jsonEscape(b []byte, final bool) (rune, int) {
	if len(b) < 2 {
		if final {
			return '\\', len(b)
		}
		return 0, 0
	}
	if b[1] != 'u' {
		const from, to = `bfnrt`, "\b\f\n\r\t"
		if i := bytes.IndexByte([]byte(from), b[1]); i >= 0 {
			return rune(to[i]), 2
		}
		r, n := utf8.DecodeRune(b[1:])
		if r == utf8.RuneError && !final && !utf8.FullRune(b[1:]) {
			return 0, 0
		}
		return r, 1 + n
	}
	r, n := hexEscape(b)
	if n == 0 && len(b) < 6 && !final {
		return 0, 0
	}
	if n == 0 {
		return 'u', 2
	}
	if !utf16.IsSurrogate(r) {
		return r, n
	}
	low, m := hexEscape(b[n:])
	if m == 0 && len(b) < 12 && !final && escapeMayFollow(b[n:]) {
		return 0, 0
	}
	if pair := utf16.DecodeRune(r, low); m > 0 && pair != utf8.RuneError {
		return pair, n + m
	}
	return utf8.RuneError, n
}

// escapeMayFollow tells whether b may become another \u escape.
func escapeMayFollow(b []byte) bool {
	return len(b) == 0 || b[0] == '\\' && (len(b) == 1 || b[1] == 'u')
}

// hexEscape decodes \uXXXX.
func hexEscape(b []byte) (rune, int) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, 0
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(n), 6
}
