package extract

import "bytes"

// A shower is where everything that was decided arrives in the order of the
// reply: text, and what was taken out between it. It tidies the white space
// around what was taken out, judges no-reply, and queues the events.
//
// White space is the only text that is held here: what stands at the end of the
// text so far may turn out to touch an instruction.
type shower struct {
	limit int
	queue []Event
	arena []byte // backs the queue's rewritten texts until the queue is drained

	space    []byte // the white space held, without what was taken out of it
	spacePos int    // where in the reply it began
	cut      int    // the last instruction was taken out before space[cut]
	gap      bool   // an instruction was taken out of, or next to, the white space held
	endless  bool   // so much white space came that the rest of it is not held any more

	visible bool    // text was shown
	acted   bool    // an action or a control was found
	silent  []Event // no-replies seen before any text; they are judged at the first text or at the end
}

func (o *shower) reset() {
	*o = shower{limit: o.limit, queue: o.queue[:0], arena: o.arena[:0], space: o.space[:0], silent: o.silent[:0]}
}

// drained forgets the queue once its events were taken.
func (o *shower) drained() {
	clear(o.queue)
	o.queue = o.queue[:0]
	o.arena = o.arena[:0]
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}

// leadingSpace and trailingSpace count white space at the ends of b.
func leadingSpace(b []byte) int {
	n := 0
	for n < len(b) && isSpace(b[n]) {
		n++
	}
	return n
}

func trailingSpace(b []byte) int {
	n := len(b)
	for n > 0 && isSpace(b[n-1]) {
		n--
	}
	return len(b) - n
}

// text shows b, which is bytes pos to end of the reply.
func (o *shower) text(b []byte, pos, end int) {
	if len(b) == 0 {
		return
	}
	if o.gap || len(o.space) > 0 {
		n := leadingSpace(b)
		o.hold(b[:n], pos)
		b, pos = b[n:], pos+n
		if len(b) == 0 {
			return
		}
		o.releaseSpace(pos)
	}
	n := len(b) - trailingSpace(b)
	if n > 0 {
		o.endless = false
		o.show(b[:n], pos, end-(len(b)-n))
	}
	o.hold(b[n:], end-(len(b)-n))
}

// hold keeps white space until it is known what follows it.
func (o *shower) hold(b []byte, pos int) {
	if len(b) == 0 {
		return
	}
	if o.endless {
		o.show(b, pos, pos+len(b))
		return
	}
	if len(o.space) == 0 {
		o.spacePos = pos
	}
	if o.space = append(o.space, b...); len(o.space) > o.limit {
		o.gap = false
		o.releaseSpace(pos)
		o.endless = true
	}
}

// releaseSpace shows the white space held, because text follows at pos.
func (o *shower) releaseSpace(pos int) {
	switch {
	case !o.gap:
		if n := len(o.space); n > 0 {
			start := len(o.arena)
			o.arena = append(o.arena, o.space...)
			o.show(o.arena[start:], o.spacePos, o.spacePos+n)
		}
	case o.visible:
		start := len(o.arena)
		o.arena = tidy(o.arena, o.space[:o.cut], o.space[o.cut:])
		if len(o.arena) > start {
			o.show(o.arena[start:], pos, pos)
		}
	}
	o.space = o.space[:0]
	o.gap = false
}

// spaceIsFree shows the white space held, because nothing can be taken out behind
// it.
func (o *shower) spaceIsFree() {
	if !o.gap && len(o.space) > 0 {
		o.releaseSpace(0)
	}
}

// show queues text. Whatever was silent until now is misplaced.
func (o *shower) show(b []byte, pos, end int) {
	o.visible = true
	for _, e := range o.silent {
		o.queue = append(o.queue, misplaced(e))
	}
	o.silent = o.silent[:0]
	o.queue = append(o.queue, Event{Kind: KindText, Text: b, Pos: pos, End: end})
}

func misplaced(e Event) Event {
	e.Kind = KindProblem
	e.Instruction = &Instruction{Name: Misplaced, Raw: e.Raw, Why: "no-reply must stand alone; the reply has text, which was delivered"}
	return e
}

// takeOut notes that something was taken out of the text here.
func (o *shower) takeOut() {
	if o.gap {
		start := len(o.arena)
		o.arena = tidy(o.arena, o.space[:o.cut], o.space[o.cut:])
		o.space = append(o.space[:0], o.arena[start:]...)
		o.arena = o.arena[:start]
	}
	o.gap, o.endless = true, false
	o.cut = len(o.space)
}

// event queues what was found in the bytes taken out.
func (o *shower) event(e Event) {
	switch e.Kind {
	case KindControl:
		if e.Name == NoReply {
			if o.visible {
				e = misplaced(e)
				break
			}
			o.silent = append(o.silent, e)
			return
		}
		o.acted = true
	case KindAction:
		o.acted = true
	}
	o.queue = append(o.queue, e)
}

// end shows what is left when the reply is complete.
func (o *shower) end() {
	o.spaceIsFree()
	o.queue = append(o.queue, o.silent...)
	o.silent = o.silent[:0]
}

// tidy appends to dst what remains of the white space before and after an
// instruction.
func tidy(dst, before, after []byte) []byte {
	start := len(dst)
	nb, na := bytes.Count(before, newline), bytes.Count(after, newline)
	switch {
	case nb > 0 && na > 0:
		// The lines between held only instructions and keep no spaces.
		dst = append(dst, before[:bytes.IndexByte(before, '\n')]...)
		dst = append(dst, "\n\n"[:min(nb+na, 2)]...)
		return append(dst, after[bytes.LastIndexByte(after, '\n')+1:]...)
	case nb+na == 0 && len(before) > 0 && len(after) > 0:
		return append(dst, ' ')
	}
	dst = append(dst, before...)
	dst = append(dst, after...)
	if nb+na > 2 {
		both := dst[start:]
		first, last := bytes.IndexByte(both, '\n'), bytes.LastIndexByte(both, '\n')
		dst = append(dst[:start+first], "\n\n"...)
		dst = append(dst, both[last+1:]...)
	}
	return dst
}

var newline = []byte{'\n'}
