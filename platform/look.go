package platform

import (
	"strings"
	"unicode/utf8"
)

// look reads from start to where the limit is reached.
func (c *cutter) look(start int) view {
	g := gaze{cutter: c, start: start, at: start, block: c.blockAfter(start)}
	g.mark = g.markAt(start)
	if b := c.codeAt(start); b != nil {
		g.size = c.count.Of(b.reopen) + 1
		g.code = b
	}
	for g.size <= c.limit && !g.done {
		if g.at == len(c.text) {
			g.done, g.end = true, len(c.text)
			break
		}
		g.read()
	}
	return g.view
}

// A gaze is a look on its way.
type gaze struct {
	*cutter
	view
	start, at int
	size      int    // of the part up to at
	block     int    // the index of the first block that ends after at
	code      *block // at is in the code of this fenced block
	mark      mark
	stopped   bool // a full stop that no space needs to follow was read
}

// A mark says what has been read of a line that begins like a fence and is none:
// cut too early, it would become one.
type mark uint8

const (
	noMark     mark = iota // it does not, or what was read is no fence any more
	beforeMark             // white space, quote marks and list markers
	inMark                 // some characters of the fence
	afterMark              // all of them
)

// markAt is the state at the start of a line.
func (c *cutter) markAt(at int) mark {
	if c.looksLikeFence(at) {
		return beforeMark
	}
	return noMark
}

// looksLikeFence tells whether a line that began here would begin with a fence.
func (c *cutter) looksLikeFence(at int) bool {
	end := min(len(c.text), at+longestPrefix+4)
	line, _, _ := strings.Cut(c.text[at:end], "\n")
	_, length := fenceAt(line)
	return length > 0
}

// read reads a block, a run of white space, or a character.
func (g *gaze) read() {
	if g.code != nil {
		g.readCode()
		return
	}
	if g.block < len(g.blocks) && g.at >= g.blocks[g.block].start {
		if b := &g.blocks[g.block]; g.at == b.start || !b.whole && g.at <= b.from {
			g.readBlock()
			return
		}
		g.block++ // it had to be cut
	}
	r, width := utf8.DecodeRuneInString(g.text[g.at:])
	if isSpace(r) && !joined(g.text, g.at) {
		g.readSpace()
		return
	}
	if g.stopped && !isStop(r) && !isCloser(r) {
		g.offer(g.at, g.at, atSentence)
		g.stopped = false
	}
	g.stopped = g.stopped || isWideStop(r)
	g.take(r, width)
	switch {
	case r == '`' && g.mark == afterMark:
		g.mark = noMark
	case r == '`' || r == '~':
		if g.mark == beforeMark {
			g.mark = inMark
		}
	case g.mark == inMark:
		g.mark = afterMark
	}
}

// readBlock reads a block at once, or up to the code in it.
func (g *gaze) readBlock() {
	b := &g.blocks[g.block]
	g.stopped = false
	if g.at > g.start && !g.spaceBefore(g.at) {
		g.offer(g.at, g.at, atEdge)
	}
	if !b.whole {
		g.skip(b.from)
		g.code = b
		g.mark = g.markAt(g.at)
		return
	}
	g.size += b.size
	g.at = b.end
	g.block++
	g.mark = noMark
	if n := strings.LastIndexByte(g.text[b.start:b.end], '\n'); n >= 0 && g.looksLikeFence(b.start+n+1) {
		g.mark = inMark
	}
	if !g.spaceAfter(g.at) {
		g.offer(g.at, g.at, atEdge)
	}
}

// readSpace reads white space to its end, even over the limit: if the text before
// it is the part, it is dropped.
func (g *gaze) readSpace() {
	end, lines := g.at, 0
	stop := len(g.text)
	if g.block < len(g.blocks) {
		stop = g.blocks[g.block].start
	}
	next := end
	for next < stop {
		r, width := utf8.DecodeRuneInString(g.text[next:])
		if !isSpace(r) {
			break
		}
		if r == '\n' {
			lines++
		}
		next += width
	}
	g.stopped = false
	if next == len(g.text) {
		if g.size+g.count.Of(g.text[end:]) <= g.limit {
			end = len(g.text)
		}
		g.done, g.end = true, end
		return
	}
	if _, width := utf8.DecodeLastRuneInString(g.text[end:next]); joined(g.text, next) && next-width > end {
		next -= width // the last space is part of what follows
	}
	switch {
	case lines > 1:
		g.offer(end, next, atParagraph)
	case lines == 1:
		g.offer(end, next, atLine)
	case endsSentence(g.text[g.start:end], g.text[next:]):
		g.offer(end, next, atSentence)
	default:
		g.offer(end, next, atWord)
	}
	g.skip(next)
	if lines > 0 {
		g.mark = g.markAt(next)
	}
}

// readCode reads a character of a fenced block.
func (g *gaze) readCode() {
	b := g.code
	if g.at >= b.to {
		g.skip(b.end)
		g.code = nil
		g.block++
		g.mark = noMark
		return
	}
	r, width := utf8.DecodeRuneInString(g.text[g.at:])
	if n := newline(g.text[g.at:]); n > 0 {
		g.offer(g.at, g.at+n, atLine)
		g.skip(g.at + n)
		g.mark = g.markAt(g.at)
		return
	}
	g.take(r, width)
	switch {
	case r == ' ' || r == '\t':
		g.offer(g.at, g.at, atWord)
	case r == '`' || r == '~':
		if g.mark == beforeMark {
			g.mark = inMark
		}
	case g.mark == inMark:
		g.mark = noMark
	}
}

func (g *gaze) take(r rune, width int) {
	g.at += width
	g.size += g.count.size(r, width)
}

func (g *gaze) skip(to int) {
	g.size += g.count.Of(g.text[g.at:to])
	g.at = to
}

// offer notes a cut unless it spoils something. It is called when everything
// before end has been counted.
func (g *gaze) offer(end, next int, how grade) {
	size := g.size
	if b := g.code; b != nil {
		// Neither an empty block at the end of a part, nor one at the start.
		if end <= max(g.start, b.from) || next >= b.to {
			return
		}
		size += g.count.Of(b.close) + 1
	}
	if size > g.limit || end == g.start && next == end || joined(g.text, end) || next > end && joined(g.text, next) {
		return
	}
	if !strings.Contains(g.text[end:next], "\n") && (g.mark != noMark || !g.mayLead(next)) {
		return
	}
	at := cut{end, next}
	g.found, g.last = true, at
	if 2*g.size >= g.limit {
		g.inside[how], g.in[how] = true, at
	}
}
