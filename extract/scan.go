package extract

import (
	"bytes"
	"slices"
)

// A scanner walks through the text of a reply, or of an envelope's text, and
// starts a candidate wherever an instruction may begin.
//
// All its offsets count from the first byte it was ever fed; w[0] is the byte at
// base. The bytes fall into four parts, any of which may be empty:
//
//	sent       pieces[0]        start              the end of w
//	  | text, sent | text and pieces | candidate ... |
//
// Text before sent has been shown. From there to pos everything is decided but
// for the code spans that may still close and make text of the pieces found
// behind them. From start on a candidate does not know yet what it is.
type scanner struct {
	*tables
	show *shower

	w     []byte // the bytes at hand, either the chunk or buf
	buf   []byte // holds bytes from one chunk to the next
	spare []byte // takes its turn as buf
	base  int
	sent  int
	pos   int
	next  [4]int // where in w each of the marks stands next; -1 where that is not known
	stops [2]int // the same for what the watch looks out for

	code     code
	pieces   []piece
	begun    bool      // the text has begun: there can be no envelope
	inner    bool      // this is the text of an envelope, where keywords count
	flags    []Event   // the flags found in an envelope's text
	segments []segment // where bytes come from, in the text of an envelope

	cand  candidate // nil while walking text
	start int       // where the candidate begins
	at    int       // what it reads next
	watch watch     // looks out for the end of a code span inside the candidate

	// A candidate that came to nothing may not be tried again from inside the
	// stretch it has read, or nested openers would cost quadratic time.
	noActions, noSignals int
	blocksRead           int // blocks have read this far
	blocksDead           int // and have done so twice: what opens before it is unclosed

	tag      tagReader
	opener   opener
	silence  silence
	actions  actions
	block    block
	bracket  bracket
	thought  thought
	word     word
	envelope envelope
	response response
}

// A candidate is a stretch of the reply that may be an instruction.
type candidate interface {
	// read reads from s.at up to the index hi of s.w and says what it knows.
	// If last is not 0 nothing follows, and it must decide.
	read(s *scanner, hi int, last last) verdict
}

// verdict is what a candidate knows.
type verdict uint8

const (
	more  verdict = iota // it needs to read on
	plain                // it is text; what stands behind its first byte is read again
	again                // it is none of its kind; its first byte is read again as well
	taken                // it was taken out up to s.pos, or handed on to another candidate
)

// last says why nothing follows.
type last uint8

const (
	ended    last = iota + 1 // the reply is complete
	overlong                 // the candidate has reached the limit
)

// kindOf is the kind of the problem that follows.
func (l last) kindOf() string {
	if l == overlong {
		return TooLarge
	}
	return Unclosed
}

// A piece is an instruction that was found, perhaps behind an open code span.
type piece struct {
	start, end int
	events     []Event
	signal     *Signal // it is this signal, whose event is made once it counts
	arg        int     // where the signal's argument begins
}

// A segment says that the scanner's byte at comes from byte pos of the reply, and
// the following ones from those that follow.
type segment struct{ at, pos int }

func (s *scanner) init(t *tables, show *shower) {
	s.tables, s.show = t, show
	s.reset()
}

func (s *scanner) reset() {
	*s = scanner{
		tables: s.tables, show: s.show, inner: s.inner,
		buf: s.buf[:0], spare: s.spare[:0], pieces: s.pieces[:0], segments: s.segments[:0], flags: s.flags[:0],
		code: s.code, tag: s.tag, actions: s.actions, envelope: s.envelope, response: s.response,
	}
	s.code.reset()
	if cap(s.buf)+cap(s.spare) > keepBuffer {
		s.buf, s.spare = nil, nil
	}
	s.begun = s.dialects&Envelope == 0
}

// keepBuffer is how large a buffer is kept from one reply to the next.
const keepBuffer = 64 << 10

// posOf is the offset in the reply of the scanner's byte at.
func (s *scanner) posOf(at int) int {
	if len(s.segments) == 0 {
		return at
	}
	i := len(s.segments) - 1
	for i > 0 && s.segments[i].at > at {
		i--
	}
	return s.segments[i].pos + at - s.segments[i].at
}

// bytes is what stands from one offset to another.
func (s *scanner) bytes(from, to int) []byte {
	return s.w[from-s.base : to-s.base]
}

// feed reads a chunk.
func (s *scanner) feed(chunk []byte) {
	if len(s.buf) == 0 {
		s.w = chunk
	} else {
		s.buf = append(s.buf, chunk...)
		s.w = s.buf
	}
	s.forgetPlaces()
	s.run(0)
	s.keep()
}

// forgetPlaces is called when w has changed.
func (s *scanner) forgetPlaces() {
	s.next = [4]int{-1, -1, -1, -1}
	s.stops = [2]int{-1, -1}
}

// keep puts aside what is not sent yet. Events refer to the bytes at hand until
// the queue is drained, so the rest moves to another buffer, and only if it is
// small enough for the moves to be paid by the bytes sent.
func (s *scanner) keep() {
	rest := s.w[s.sent-s.base:]
	switch {
	case len(s.buf) > 0 && len(rest) > len(s.buf)/2:
		return
	case s.inner:
		s.buf = append([]byte(nil), rest...) // an envelope may feed twice before the queue is drained
	default:
		s.buf, s.spare = append(s.spare[:0], rest...), s.buf
	}
	s.base = s.sent
}

// end decides everything that is still open.
func (s *scanner) end() {
	s.w = s.buf
	s.forgetPlaces()
	s.run(ended)
	s.base, s.w, s.buf = s.sent, nil, s.buf[:0]
}

func (s *scanner) run(last last) {
	for {
		if s.cand == nil {
			if !s.walk(last) {
				break
			}
		} else if !s.readOn(last) {
			break
		}
	}
	s.send(s.pos)
	if s.code.fence != 0 && !s.code.closing || s.begun && s.dialects == Envelope {
		s.show.spaceIsFree() // no instruction can follow it
	}
}

// begin starts a candidate at the index i of w.
func (s *scanner) begin(c candidate, i int) {
	s.cand = c
	s.start = s.base + i
	s.at = s.start
	s.pos = s.start
	s.walkLine(i)
	s.watch = watch{at: s.start}
}

// readOn lets the candidate read. It returns false when it needs more bytes.
func (s *scanner) readOn(last last) bool {
	hi, why := len(s.w), last
	if s.start+s.limit < s.base+hi {
		hi, why = s.start+s.limit-s.base, 0
	}
	if len(s.code.spans) > 0 {
		if hi, why = s.lookOut(hi, why); s.cand == nil {
			return true
		}
	}
	v := s.cand.read(s, hi, why)
	if v == more && s.at >= s.start+s.limit && s.at < s.base+len(s.w) {
		v = s.cand.read(s, hi, overlong)
	}
	switch v {
	case more:
		return hi < len(s.w) || why != last
	case plain:
		s.stepAside(s.start + 1)
	case again:
		s.stepAside(s.start)
	}
	return true
}

// stepAside lets the scanner walk on as text from an offset inside the candidate.
func (s *scanner) stepAside(to int) {
	s.cand = nil
	s.begun = true
	s.pos = to
	s.walkLine(to - s.base)
}

// walkLine brings the state of the line up to the index i of w.
func (s *scanner) walkLine(i int) {
	if from := s.code.lineAt - s.base; from < i {
		s.code.walkLine(s.w[from:i], s.code.lineAt)
	}
}

// take ends the candidate: it was an instruction up to the offset end.
func (s *scanner) take(end int, events ...Event) verdict {
	s.takePiece(piece{start: s.start, end: end, events: events})
	return taken
}

func (s *scanner) takePiece(p piece) {
	s.cand = nil
	s.pos = p.end
	s.leaveLine(p.end)
	if s.stays(p) {
		s.begun = true
		s.code.line = lineWords
	}
	if len(s.code.spans) > 0 {
		p.events = slices.Clone(p.events)
		s.pieces = append(s.pieces, p)
		return
	}
	s.commit(p)
}

// leaveLine goes on at an offset behind something that was taken out. What may
// follow on the line is what might have stood in its place.
func (s *scanner) leaveLine(at int) {
	s.code.lineAt = at
	if s.code.line == lineBlank {
		s.code.line = lineTaken
	}
}

// commit sends a piece and the text before it.
func (s *scanner) commit(p piece) {
	s.sendText(p.start)
	for _, e := range p.events {
		if e.Kind == KindMarkup && e.Instruction != nil {
			s.flags = append(s.flags, e)
		}
	}
	stays := s.stays(p)
	if !stays {
		s.show.takeOut()
		s.sent = p.end
	}
	for _, e := range p.events {
		s.show.event(e)
	}
	if p.signal != nil {
		s.show.event(p.signal.event(s, p))
	}
	if stays {
		s.sendText(p.end)
	}
}

// stays tells whether a piece is shown as well.
func (s *scanner) stays(p piece) bool {
	return p.signal != nil && s.visible
}

// send shows the text up to an offset, or to the first piece that is not certain.
func (s *scanner) send(to int) {
	if len(s.pieces) > 0 {
		to = min(to, s.pieces[0].start)
	}
	s.sendText(to)
}

func (s *scanner) sendText(to int) {
	if to > s.sent {
		s.show.text(s.bytes(s.sent, to), s.posOf(s.sent), s.posOf(to))
		s.sent = to
	}
}

// settle gives up every open code span: its paragraph is over, so what was found
// behind it counts.
func (s *scanner) settle() {
	s.code.spans = s.code.spans[:0]
	s.code.maybe = -1
	for _, p := range s.pieces {
		s.commit(p)
	}
	s.pieces = s.pieces[:0]
}

// drop makes text of the pieces from an offset on: they were code.
func (s *scanner) drop(from int) {
	n := len(s.pieces)
	for n > 0 && s.pieces[n-1].start >= from {
		n--
	}
	s.pieces = s.pieces[:n]
}

// event is the event of an instruction between two offsets.
func (s *scanner) event(kind Kind, d Dialect, name string, from, to int) Event {
	e := s.markup(d, from, to)
	e.Kind = kind
	e.Instruction = &Instruction{Name: name, Raw: string(s.bytes(from, to))}
	return e
}

// markup is the event of the notation between two offsets.
func (s *scanner) markup(d Dialect, from, to int) Event {
	return Event{Kind: KindMarkup, Dialect: d, Pos: s.posOf(from), End: s.posOf(to)}
}

func (s *scanner) problem(kind string, d Dialect, from, to int, why string) Event {
	e := s.event(KindProblem, d, kind, from, to)
	e.Why = why
	return e
}

// quiet tells whether nothing is open: a chunk of plain text can be shown at once.
func (s *scanner) quiet() bool {
	return s.cand == nil && len(s.buf) == 0 && s.begun && s.code.run == 0 && len(s.pieces) == 0 &&
		!s.code.closing && !s.show.gap && !s.show.endless && len(s.show.silent) == 0
}

// pass goes on behind n bytes that were shown.
func (s *scanner) pass(n int) {
	if n == 0 {
		return
	}
	s.pos += n
	s.base, s.sent, s.code.lineAt = s.pos, s.pos, s.pos
}

// mark returns the index of the next byte at or after i that may begin or end
// something. The places found are kept, so that each byte is searched once for
// each mark, at the speed of bytes.IndexByte; in a few bytes a look at each is
// faster.
func (s *scanner) mark(i int) int {
	w := s.w
	if i < len(w) && s.class[w[i]]&classMark != 0 {
		return i
	}
	if len(w)-i <= proseSize {
		for ; i < len(w); i++ {
			if s.class[w[i]]&classMark != 0 {
				return i
			}
		}
		return i
	}
	nearest := len(w)
	for k, c := range s.marks {
		if s.next[k] < i {
			if n := bytes.IndexByte(w[i:], c); n < 0 {
				s.next[k] = len(w)
			} else {
				s.next[k] = i + n
			}
		}
		nearest = min(nearest, s.next[k])
	}
	return nearest
}
