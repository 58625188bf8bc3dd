package extract

import (
	"bytes"
	"slices"
	"strings"
)

// block is a candidate for <discord-action>{…}</discord-action>, of which the tag
// and its name were read.
type block struct {
	state blockState
	name  string
	body  int // where the JSON begins
	end   int // and ends
	json  jsonReader

	// At the start of a line inside the JSON another opening tag ends it.
	line  lineOpener
	fence fenceOpener // around the JSON

	closed  int // the offset behind the last closing tag that was read
	closing closingRun
}

type blockState uint8

const (
	blockTag   blockState = iota // in the opening tag
	blockLead                    // before the JSON
	blockFence                   // in the opening line of a fence around it
	blockBody                    // in the JSON
	blockTail                    // behind it, where closing tags may follow
)

func (b *block) begin(s *scanner, name string) {
	*b = block{name: name}
	s.tag.beginAfterName()
}

func (b *block) read(s *scanner, hi int, why last) verdict {
	for i := s.at - s.base; i < hi; i++ {
		c, at := s.w[i], s.base+i
		switch b.state {
		case blockTag:
			switch s.tag.read(c, at) {
			case tagDone:
				if s.tag.selfClosing {
					return plain
				}
				b.state = blockLead
			case tagBroken:
				return plain
			}
		case blockLead:
			switch {
			case c == '{' || c == '[':
				b.state, b.body = blockBody, at
				if at < s.blocksDead {
					return b.unclosed(s, s.blocksDead, Unclosed)
				}
				b.json.read(c)
			case c == '`' && b.fence.ticks == 0:
				b.state = blockFence
				b.fence.read(c)
			case !isSpace(c):
				return plain
			}
		case blockFence:
			switch b.fence.read(c) {
			case fenceOpened:
				b.state = blockLead
				i--
			case fenceNot:
				return plain
			}
		case blockBody:
			if b.line.state == insideLine {
				if n := b.json.skip(s.w[i:hi]); n > 0 {
					i += n - 1
					continue
				}
			}
			if from, ok := b.line.read(s.blockTags, c, at); ok {
				return b.unclosed(s, from, Unclosed)
			}
			if b.json.read(c) {
				b.state, b.end, b.closed = blockTail, at+1, at+1
				b.closing = closingRun{own: b.name, ticks: b.fence.ticks > 0}
			}
		case blockTail:
			switch b.closing.read(c) {
			case runClosed:
				b.closed = at + 1
			case runOwn:
				return b.done(s, at+1)
			case runOver:
				return b.done(s, b.closed)
			}
		}
	}
	s.at = s.base + hi
	switch {
	case why == 0:
		return more
	case b.state == blockTail:
		return b.done(s, b.closed)
	case b.state == blockBody:
		return b.unclosed(s, s.at, why.kindOf())
	}
	return plain
}

// unclosed ends a block whose JSON does not end before the offset to. The problem
// takes the first line of it; the rest is read again.
//
// A block found in that rest may be the real one, so it is tried. If that does not
// close either, the stretch was read twice, and whatever opens in it counts as
// unclosed without another look.
func (b *block) unclosed(s *scanner, to int, kind string) verdict {
	switch {
	case b.body < s.blocksDead:
	case b.body < s.blocksRead:
		s.blocksDead = to
	default:
		s.blocksRead = to
	}
	line := s.bytes(b.body, to)
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	own := tagEnd{names: []string{b.name}}
	if n, which := own.find(line, 0, len(line), 0); which >= 0 {
		line = line[:n]
	}
	end := b.body + len(line)
	run := closingRun{own: b.name}
	for i, c := range s.bytes(end, to) {
		v := run.read(c)
		if v == runClosed || v == runOwn {
			line = s.bytes(b.body, end+i+1)
		}
		if v == runOwn || v == runOver {
			break
		}
	}
	end = b.body + len(line)
	why := "the JSON is not complete: a closing brace is missing"
	if kind == TooLarge {
		why = "the instruction is too large"
	}
	return s.take(end, s.problem(kind, Blocks, s.start, end, why))
}

// done ends a block whose JSON is complete.
func (b *block) done(s *scanner, end int) verdict {
	body := s.bytes(b.body, b.end)
	if body[0] == '[' {
		return s.take(end, b.list(s, body, end)...)
	}
	e, why := b.action(s, b.body, b.end)
	if why != "" {
		return s.take(end, s.problem(Malformed, Blocks, s.start, end, why))
	}
	return s.take(end, s.markup(Blocks, s.start, b.body), e, s.markup(Blocks, b.end, end))
}

// list reads an array, each of whose members is an action.
func (b *block) list(s *scanner, body []byte, end int) []Event {
	items, err := lenientItems(body)
	if err == nil && stateTags[b.name] != "" {
		err = errNotObject
	}
	if err != nil {
		return []Event{s.problem(Malformed, Blocks, s.start, end, err.Error())}
	}
	var events []Event
	at := s.start
	for _, item := range items {
		from, to := b.body+item.pos, b.body+item.end
		events = append(events, s.markup(Blocks, at, from))
		e, why := b.action(s, from, to)
		if why != "" {
			e = s.problem(Malformed, Blocks, from, to, why)
		}
		events = append(events, e)
		at = to
	}
	return append(events, s.markup(Blocks, at, end))
}

type blockError string

func (e blockError) Error() string { return string(e) }

const (
	errNotObject = blockError("this block needs one JSON object")
	errNoType    = blockError(`the object needs a "type" that names the action`)
)

// action reads the object between two offsets: what its type is, and its
// arguments. If it is no action, it says why.
func (b *block) action(s *scanner, from, to int) (Event, string) {
	fields, err := lenientFields(s.bytes(from, to))
	if err != nil {
		return Event{}, err.Error()
	}
	name := stateTags[b.name]
	if name == "" {
		if name, fields = typeOf(fields); name == "" {
			return Event{}, errNoType.Error()
		}
	}
	e := s.event(KindAction, Blocks, name, from, to)
	e.Args = joinFields(fields)
	return e, ""
}

// typeOf returns the action that an object names, and its other fields.
func typeOf(fields []field) (string, []field) {
	for _, key := range []string{"type", "action", "name"} {
		for i, f := range fields {
			if f.name == key && f.value[0] == '"' {
				return strings.TrimSpace(text(f.value)), slices.Delete(fields, i, i+1)
			}
		}
	}
	return "", nil
}

// A fenceOpener reads the opening of a fence around JSON: backticks, and perhaps
// the word json.
type fenceOpener struct {
	ticks, letters int
}

type fenceVerdict uint8

const (
	fenceMore   fenceVerdict = iota
	fenceOpened              // the fence is open; the byte stands behind it
	fenceNot
)

func (f *fenceOpener) read(c byte) fenceVerdict {
	const lang = "json"
	switch {
	case c == '`' && f.letters == 0:
		f.ticks++
	case f.ticks < 3:
		return fenceNot
	case f.letters < len(lang) && lower(c) == lang[f.letters]:
		f.letters++
	case f.letters%len(lang) == 0 && (isSpace(c) || c == '{' || c == '['):
		return fenceOpened
	default:
		return fenceNot
	}
	return fenceMore
}

// A lineOpener looks for an opening tag at the start of a line.
type lineOpener struct {
	state  lineOpenerState
	at     int // where the tag begins
	n      int // how many letters of its name were read
	lo, hi int
}

type lineOpenerState uint8

const (
	insideLine  lineOpenerState = iota
	atLineStart                 // only white space was read on this line
	inLineTag                   // < and a part of a name were read
)

// read takes a byte and tells whether a tag has opened, and where.
func (l *lineOpener) read(names nameList, c byte, at int) (int, bool) {
	switch {
	case c == '\n':
		whole := l.state == inLineTag && names.whole(l.lo, l.hi, l.n)
		l.state = atLineStart
		return l.at, whole
	case l.state == insideLine:
	case l.state == atLineStart:
		if c == '<' {
			*l = lineOpener{state: inLineTag, at: at, hi: len(names)}
		} else if !isSpace(c) {
			l.state = insideLine
		}
	case c == '>' || isSpace(c):
		l.state = insideLine
		return l.at, names.whole(l.lo, l.hi, l.n)
	default:
		if l.lo, l.hi = names.narrow(l.lo, l.hi, l.n, lower(c)); l.lo == l.hi {
			l.state = insideLine
		}
		l.n++
	}
	return 0, false
}

// A closingRun reads the closing tags, white space between them, that follow a
// block's JSON, and before them the end of a fence around it.
type closingRun struct {
	own   string
	ticks bool // a fence may be closed first
	state closingState
	name  [longestName]byte
	n     int // how long the name is so far
}

type closingState uint8

const (
	closingBetween closingState = iota
	closingTicks                // in the closing backticks of a fence
	closingOpen                 // < was read
	closingName                 // in the name
	closingSpace                // white space behind the name
)

type runVerdict uint8

const (
	runMore   runVerdict = iota
	runClosed            // the byte completes a closing tag, or a fence so far
	runOwn               // the byte completes the block's own closing tag
	runOver              // the byte does not belong to the run
)

// longestName bounds the names of the tags in a run.
const longestName = 64

func (r *closingRun) read(c byte) runVerdict {
	switch r.state {
	case closingTicks:
		if c == '`' {
			return runClosed
		}
		r.state, r.ticks = closingBetween, false
		return r.read(c)
	case closingBetween:
		switch {
		case c == '<':
			r.state, r.n = closingOpen, 0
		case c == '`' && r.ticks:
			r.state = closingTicks
			return runClosed
		case !isSpace(c):
			return runOver
		}
	case closingOpen:
		if c != '/' {
			return runOver
		}
		r.state = closingName
	case closingName, closingSpace:
		switch {
		case c == '>' && r.n > 0:
			r.state = closingBetween
			if string(r.name[:r.n]) == r.own {
				return runOwn
			}
			return runClosed
		case (c == ' ' || c == '\t') && r.n > 0:
			r.state = closingSpace
		case r.state == closingName && isWord(c) && r.n < longestName:
			r.name[r.n] = lower(c)
			r.n++
		default:
			return runOver
		}
	}
	return runMore
}
