package extract

import "bytes"

// An opener is a candidate of which < and perhaps a part of a tag's name was
// read.
type opener struct {
	names  nameList
	lo, hi int
}

func (o *opener) begin(s *scanner, i int) {
	s.begin(o, i)
	which := 0
	if s.code.line <= lineTaken {
		which |= 1
	}
	if !s.begun {
		which |= 2
	}
	o.names = s.tags[which]
	o.lo, o.hi = 0, len(o.names)
	s.at++
}

func (o *opener) read(s *scanner, hi int, why last) verdict {
	if o.lo == o.hi {
		return plain
	}
	for i := s.at - s.base; i < hi; i++ {
		c := lower(s.w[i])
		n := s.base + i - s.start - 1
		if c == '>' || c == '/' || isSpace(c) {
			if !o.names.whole(o.lo, o.hi, n) {
				return plain
			}
			s.at = s.base + i
			return o.handOn(s, o.names[o.lo])
		}
		if o.lo, o.hi = o.names.narrow(o.lo, o.hi, n, c); o.lo == o.hi {
			return plain
		}
	}
	s.at = s.base + hi
	if why != 0 {
		return plain
	}
	return more
}

// handOn lets the candidate read on that a tag of this name belongs to.
func (o *opener) handOn(s *scanner, name string) verdict {
	switch name {
	case tagActions:
		if s.start < s.noActions {
			return plain
		}
		s.actions.begin()
		s.cand = &s.actions
	case tagNoReply:
		s.silence = silence{}
		s.cand = &s.silence
	case tagThink, tagThinking:
		s.thought.begin(name)
		s.cand = &s.thought
	case tagResponse:
		s.response.begin()
		s.cand = &s.response
	default:
		s.block.begin(s, name)
		s.cand = &s.block
	}
	return taken
}

// A tagReader reads one tag, from its < to its >, and notes where its parts
// stand.
type tagReader struct {
	state       tagState
	prev, prev2 byte // the bytes before the one being read
	quote       byte // what closes the value: " or '
	escaped     bool // the value's quotes have a backslash before them

	start, nameEnd int
	closing        bool // </name>
	selfClosing    bool // <name/>
	attrs          []attr
	strict         bool // a newline, or an attribute that is no word, rules the tag out
}

// An attr is an attribute, by the offsets of its parts. Without a value its
// value's offsets are 0.
type attr struct {
	name, nameEnd   int
	value, valueEnd int
	end             int // after the closing quote
}

type tagState uint8

const (
	tagStart   tagState = iota // < was read
	tagName                    // inside the name
	tagBetween                 // after the name or an attribute
	tagSlash                   // a / that may be the last byte but one
	tagAttr                    // inside an attribute's name
	tagAttrEnd                 // white space after an attribute's name
	tagEquals                  // = was read, perhaps white space
	tagQuoted                  // inside a quoted value
	tagBare                    // inside a value without quotes, or before its quote is complete
)

// begin makes ready for the tag whose < stands at an offset.
func (t *tagReader) begin(at int) {
	*t = tagReader{start: at + 1, attrs: t.attrs[:0]}
}

// beginAfterName makes ready for what follows the name of an opening tag.
func (t *tagReader) beginAfterName() {
	*t = tagReader{state: tagBetween, attrs: t.attrs[:0], strict: true}
}

// A tagVerdict is what a tagReader knows after a byte.
type tagVerdict uint8

const (
	tagMore   tagVerdict = iota
	tagDone              // the byte was the closing >
	tagBroken            // this is no tag; the byte does not belong to it
)

// read takes the byte c at an offset.
func (t *tagReader) read(c byte, at int) tagVerdict {
	v := t.step(c, at)
	t.prev2, t.prev = t.prev, c
	return v
}

func (t *tagReader) step(c byte, at int) tagVerdict {
	if c == '\n' && t.strict {
		return tagBroken
	}
	switch t.state {
	case tagStart:
		switch {
		case c == '/' && !t.closing:
			t.closing = true
			t.start = at + 1
		case isLetter(c):
			t.state = tagName
		default:
			return tagBroken
		}
		return tagMore
	case tagName:
		if c != '>' && c != '/' && c != '<' && !isSpace(c) {
			return tagMore
		}
		t.nameEnd = at
		return t.between(c, at)
	case tagAttr, tagAttrEnd:
		return t.attr(c, at)
	case tagEquals:
		return t.value(c, at)
	case tagQuoted:
		t.quoted(c, at)
		return tagMore
	case tagBare:
		return t.bare(c, at)
	}
	return t.between(c, at)
}

// between takes a byte outside attributes.
func (t *tagReader) between(c byte, at int) tagVerdict {
	switch {
	case c == '>':
		t.selfClosing = t.state == tagSlash
		return tagDone
	case c == '<' || t.strict && c != '/' && !isSpace(c) && !isWord(c):
		return tagBroken
	case c == '/':
		t.state = tagSlash
	case !isSpace(c):
		t.state = tagAttr
		t.attrs = append(t.attrs, attr{name: at})
	case t.state != tagSlash:
		t.state = tagBetween
	}
	return tagMore
}

// attr takes a byte in or right after an attribute's name.
func (t *tagReader) attr(c byte, at int) tagVerdict {
	a := &t.attrs[len(t.attrs)-1]
	if t.state == tagAttr {
		if c != '=' && c != '>' && c != '/' && c != '<' && !isSpace(c) {
			if t.strict && !isWord(c) {
				return tagBroken
			}
			return tagMore
		}
		a.nameEnd, a.end = at, at
	}
	switch {
	case c == '=':
		t.state = tagEquals
	case isSpace(c):
		t.state = tagAttrEnd
	default:
		return t.between(c, at)
	}
	return tagMore
}

// value takes a byte where a value begins.
func (t *tagReader) value(c byte, at int) tagVerdict {
	switch {
	case c == '"' || c == '\'':
		t.open(c, at+1)
	case !isSpace(c):
		t.state = tagBare
		t.attrs[len(t.attrs)-1].value = at
		return t.bare(c, at)
	}
	return tagMore
}

// open begins a quoted value.
func (t *tagReader) open(quote byte, at int) {
	t.state, t.quote, t.escaped = tagQuoted, quote, false
	t.attrs[len(t.attrs)-1].value = at
}

// quoted takes a byte of a quoted value, which closes with its own kind of quote.
func (t *tagReader) quoted(c byte, at int) {
	a := &t.attrs[len(t.attrs)-1]
	switch {
	case c == t.quote && c < smartSingle:
		a.valueEnd = at
		if t.escaped && t.prev == '\\' && at > a.value {
			a.valueEnd--
		}
	case t.quote >= smartSingle && smartQuote(t.prev2, t.prev, c) == t.quote && at-2 >= a.value:
		a.valueEnd = at - 2
	default:
		return
	}
	a.end = at + 1
	t.state = tagBetween
}

// bare takes a byte of a value without quotes. A backslash or the bytes of a
// typographic quote at its beginning may still open a quoted one.
func (t *tagReader) bare(c byte, at int) tagVerdict {
	a := &t.attrs[len(t.attrs)-1]
	switch {
	case at == a.value+1 && t.prev == '\\' && (c == '"' || c == '\''):
		t.open(c, at+1)
		t.escaped = true
	case at == a.value+2 && smartQuote(t.prev2, t.prev, c) != 0:
		t.open(smartQuote(t.prev2, t.prev, c), at+1)
	case c == '<':
		return tagBroken
	case c == '>':
		a.valueEnd, a.end = at, at
		if t.prev == '/' && at > a.value {
			t.selfClosing = true
			a.valueEnd, a.end = at-1, at-1
		}
		return tagDone
	case isSpace(c):
		a.valueEnd, a.end = at, at
		t.state = tagBetween
	}
	return tagMore
}

// The kinds of typographic quotes, beside '"' and '\”.
const (
	smartSingle = 0x98 // ‘ or ’
	smartDouble = 0x9c // “ or ”
)

// smartQuote returns the kind of typographic quote that three bytes are, or 0.
func smartQuote(a, b, c byte) byte {
	if a != 0xe2 || b != 0x80 {
		return 0
	}
	switch c {
	case 0x98, 0x99:
		return smartSingle
	case 0x9c, 0x9d:
		return smartDouble
	}
	return 0
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isWord tells whether c may stand in an ordinary name.
func isWord(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '_' || c == ':' || c == '.'
}

// A tagEnd looks for a closing tag, </name>, in text.
type tagEnd struct {
	names []string
	live  uint // which of the names fit what was read of a tag, as bits
	n     int  // how many bytes of the tag were read, 0 outside one
	at    int  // where the tag begins
	space bool // white space was read behind the name
}

// find reads the bytes of w from the index i to hi, of which w[0] has the offset
// base, up to the end of a closing tag. It returns the index behind what it read
// and which name was found, or -1.
func (t *tagEnd) find(w []byte, i, hi, base int) (int, int) {
	for ; i < hi; i++ {
		if t.n == 0 {
			k := bytes.IndexByte(w[i:hi], '<')
			if k < 0 {
				return hi, -1
			}
			i += k
			t.at, t.n, t.live, t.space = base+i, 1, 1<<len(t.names)-1, false
			continue
		}
		if which := t.step(lower(w[i])); which >= 0 {
			t.n = 0
			return i + 1, which
		}
		if t.n == 0 && w[i] == '<' {
			i--
		}
	}
	return hi, -1
}

// step takes a byte of a tag.
func (t *tagEnd) step(c byte) int {
	t.n++
	if t.n == 2 {
		if c != '/' {
			t.n = 0
		}
		return -1
	}
	var fit uint
	for k, name := range t.names {
		if t.live&(1<<k) == 0 {
			continue
		}
		switch i := t.n - 3; {
		case (i == len(name) || t.space) && c == '>':
			return k
		case (i == len(name) || t.space) && isSpace(c):
			t.space = true
			t.live = 1 << k
			return -1
		case !t.space && i < len(name) && name[i] == c:
			fit |= 1 << k
		}
	}
	if t.live = fit; fit == 0 {
		t.n = 0
	}
	return -1
}

// heldFrom is the offset from which bytes may belong to a closing tag; end is the
// offset behind what was read.
func (t *tagEnd) heldFrom(end int) int {
	if t.n > 0 {
		return t.at
	}
	return end
}
