package extract

import "iter"

// A Reader reads one reply after another. It is not safe for use by several
// goroutines at once.
type Reader struct {
	show shower
	scan scanner
	over bool // the caller broke off: nothing more is yielded until Reset
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
		r.scan.end()
		r.show.end()
		r.drain(yield)
		r.over = true
	}
}

// Reset makes the Reader ready for another reply.
func (r *Reader) Reset() {
	r.over = false
	r.show.reset()
	r.scan.reset()
}

// feed is the body of Feed's loop. A chunk of plain prose, by far the most
// common, does not go through the queue.
func (r *Reader) feed(chunk []byte, yield func(Event) bool) {
	if r.over || len(chunk) == 0 {
		return
	}
	if len(chunk) <= proseSize && r.scan.prose() {
		if text, ok := r.scan.plain(chunk); ok {
			pos := r.scan.base
			r.scan.base += len(chunk)
			r.over = !r.show.prose(chunk, text, pos, yield)
			return
		}
	}
	r.scan.feed(chunk)
	r.drain(yield)
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
