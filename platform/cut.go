package platform

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A cutter looks for places where a text can be cut.
type cutter struct {
	text   string
	limit  int
	count  Count
	blocks []block // in order, none inside another
}

// A cut ends a part and says where the next one begins; between them is white
// space, or nothing.
type cut struct{ end, next int }

// A grade says how good a cut is.
type grade uint8

const (
	atEdge grade = iota // of a code span, inside a word
	atWord
	atSentence
	atLine
	atParagraph
	grades
)

// A view is what can be seen from the start of a part up to the limit.
type view struct {
	done bool // the rest fits and ends at end; white space at most follows
	end  int

	found  bool
	last   cut         // the last cut of all
	in     [grades]cut // the last of each grade in the second half
	inside [grades]bool
}

// best is the cut to take, if there is one in the second half.
func (v *view) best() (cut, bool) {
	for g := int(grades) - 1; g >= 0; g-- {
		if v.inside[g] {
			return v.in[g], true
		}
	}
	return cut{}, false
}

// mayLead tells whether a part may begin in the middle of a line.
func (c *cutter) mayLead(at int) bool {
	if i := c.blockAfter(at); i < len(c.blocks) && c.blocks[i].start == at {
		return c.blocks[i].leads
	}
	return !c.looksLikeFence(at)
}

// squeeze cuts where there is no good place: between graphemes, or inside one that
// is over the limit alone.
func (c *cutter) squeeze(start int, v view) cut {
	from, room, stop := start, c.limit, len(c.text)
	if v.found {
		from = v.last.next
	}
	size := 0
	if b := c.codeAt(start); b != nil {
		size = c.count.Of(b.reopen) + 1
	}
	size += c.count.Of(c.text[start:from])
	b := c.codeAt(from)
	if next := c.codeAfter(from); b == nil && next != nil {
		stop = next.start
		if stop == from {
			b = next
			size += c.count.Of(c.text[from:b.from])
			from = b.from
		}
	}
	if b != nil {
		room -= c.count.Of(b.close) + 1
		stop = b.to
	}

	// How far the room goes, and one character more, by which one sees whether a
	// grapheme ends there.
	edge := c.reach(from, room-size, stop)
	_, width := utf8.DecodeRuneInString(c.text[edge:stop])
	seen := c.text[from : edge+width]

	good, fits, bare := -1, -1, true
	for at, state := from, -1; at < edge; {
		var cluster string
		cluster, seen, _, state = uniseg.FirstGraphemeClusterInString(seen, state)
		if at += len(cluster); at > edge || b != nil && at >= stop {
			break
		}
		fits = at
		bare = bare && strings.Trim(cluster, "`~> \t") == ""
		if !bare && !c.looksLikeFence(at) {
			good = at
		}
	}
	switch {
	case good > start:
		edge = good
	case v.found:
		return v.last
	case fits > start:
		edge = fits
	case edge <= start || b != nil && edge >= stop:
		_, width = utf8.DecodeRuneInString(c.text[start:])
		edge = start + width
	}
	if b != nil {
		return cut{edge, edge}
	}
	end := start + len(strings.TrimRightFunc(c.text[start:edge], isSpace))
	next := len(c.text) - len(strings.TrimLeftFunc(c.text[edge:], isSpace))
	if fits > 0 {
		// A space that is part of a grapheme stays.
		if joined(c.text, end) && end < edge {
			_, width = utf8.DecodeRuneInString(c.text[end:])
			end += width
		}
		if joined(c.text, next) && next > edge {
			_, width = utf8.DecodeLastRuneInString(c.text[:next])
			next -= width
		}
	}
	return cut{end, next}
}

// reach is how far one gets from a place with some room.
func (c *cutter) reach(from, room, stop int) int {
	at := from
	for at < stop {
		r, width := utf8.DecodeRuneInString(c.text[at:])
		if room -= c.count.size(r, width); room < 0 {
			break
		}
		at += width
	}
	return at
}

// blockAfter is the index of the first block that ends after a place.
func (c *cutter) blockAfter(at int) int {
	return sort.Search(len(c.blocks), func(i int) bool { return c.blocks[i].end > at })
}

// codeAt is the fenced block a cut at a place would have to mend, or nil.
func (c *cutter) codeAt(at int) *block {
	if i := c.blockAfter(at); i < len(c.blocks) {
		if b := &c.blocks[i]; !b.whole && at > b.from && at < b.to {
			return b
		}
	}
	return nil
}

// codeAfter is the next fenced block that may be cut, as far as a part can reach
// (a character has four bytes at most), or nil.
func (c *cutter) codeAfter(at int) *block {
	for i := c.blockAfter(at); i < len(c.blocks) && c.blocks[i].start < at+4*c.limit; i++ {
		if b := &c.blocks[i]; !b.whole && b.start >= at {
			return b
		}
	}
	return nil
}

func (c *cutter) spaceBefore(at int) bool {
	r, _ := utf8.DecodeLastRuneInString(c.text[:at])
	return isSpace(r)
}

func (c *cutter) spaceAfter(at int) bool {
	r, _ := utf8.DecodeRuneInString(c.text[at:])
	return isSpace(r)
}
