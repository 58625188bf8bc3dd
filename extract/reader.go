package extract

import (
	"bytes"
	"iter"
)

// A Reader reads one reply after another. It is not safe for use by several
// goroutines at once.
type Reader struct {
	show shower
	scan scanner
	over bool // the caller broke off: nothing more is yielded until Reset
	// While nothing is open, neither in scan nor in show, a chunk of plain text
	// passes by the scanner, which is told later how much it has missed.
	quiet  bool
	words  bool // and no newline or fence can matter before the end of the line
	passed int
}

// New returns a Reader for a first reply.
func New(c Config) *Reader {
	r := &Reader{}
	t := newTables(c)
	r.show.limit = t.limit
	r.scan.init(t, &r.show)
	return r
}

// Feed reads the next chunk of the reply and yields what is certain by now. The
// chunk may be reused by the caller once the events were taken. A caller that
// breaks out of the loop has ended the reply: what was not yielded is lost, and
// the Reader yields nothing more until Reset.
func (r *Reader) Feed(chunk []byte) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		r.feed(chunk, yield)
	}
}

// End says that the reply is complete and yields what was still held back. After
// it the Reader needs a Reset.
func (r *Reader) End() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if r.over {
			return
		}
		r.scan.pass(r.passed)
		r.scan.end()
		r.show.end()
		r.drain(yield)
		r.over = true
	}
}

// Reset makes the Reader ready for another reply.
func (r *Reader) Reset() {
	r.over, r.quiet, r.passed = false, false, 0
	r.show.reset()
	r.scan.reset()
}

// proseSize is up to which size a chunk is looked at byte by byte.
const proseSize = 64

// feed is the body of Feed's loop. Most chunks of most replies are a few bytes in
// the middle of a line of prose, read while everything is quiet, and are done with
// here: nothing in them can begin or end anything. That is one function which looks
// at and writes as little as it can, because of 35 ns per chunk two thirds went into
// calls, the queue and the scanner's offsets; what is left is mostly the branches
// on white space, which prose makes hard to predict.
func (r *Reader) feed(chunk []byte, yield func(Event) bool) {
	if !r.quiet || uint(len(chunk))-1 >= proseSize {
		r.read(chunk, yield)
		return
	}
	class := &r.scan.class
	var all uint8
	for _, c := range chunk {
		all |= class[c]
	}
	if !r.words || all&(classMark|classNewline) != 0 {
		if !r.passLine(chunk, all) {
			r.read(chunk, yield)
			return
		}
	}
	body := len(chunk)
	for body > 0 && class[chunk[body-1]]&classSpace != 0 {
		body--
	}
	pos := r.scan.pos + r.passed
	r.passed += len(chunk)
	if body > 0 {
		r.show.visible = true
		e := Event{Kind: KindText, Text: chunk[:body], Pos: pos, End: pos + body}
		if space := r.show.space; len(space) > 0 {
			e.Text, e.Pos = append(space, chunk[:body]...), r.show.spacePos
			r.show.space = e.Text[:0]
		}
		if !yield(e) {
			r.over, r.quiet = true, false
			return
		}
	}
	if body < len(chunk) {
		r.show.hold(chunk[body:], pos+body)
		if r.show.endless || r.scan.code.fence != 0 {
			r.show.spaceIsFree()
			r.drain(yield)
			r.quiet = !r.show.endless
		}
	}
}

// passLine passes a chunk at the start of a line or in code, of which all is the
// classes of its bytes, if nothing in it can begin or end anything.
func (r *Reader) passLine(chunk []byte, all uint8) bool {
	c := &r.scan.code
	if c.fence != 0 {
		if bytes.IndexByte(chunk, c.fence) >= 0 {
			return false
		}
	} else if all&classMark != 0 || all&classNewline != 0 && len(c.spans) > 0 {
		return false
	}
	c.walkLine(chunk, 0)
	r.words = c.inWords()
	return true
}

// read lets the scanner read a chunk.
func (r *Reader) read(chunk []byte, yield func(Event) bool) {
	if r.over || len(chunk) == 0 {
		return
	}
	r.scan.pass(r.passed)
	r.passed = 0
	r.scan.feed(chunk)
	r.drain(yield)
	r.quiet = !r.over && r.scan.quiet()
	r.words = r.scan.code.inWords()
}

func (r *Reader) drain(yield func(Event) bool) {
	for i := range r.show.queue {
		if !yield(r.show.queue[i]) {
			r.over = true
			break
		}
	}
	r.show.drained()
}
