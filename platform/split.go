package platform

import (
	"iter"
	"strings"
)

// MostParts is how many posts one text may take before it is attached instead.
const MostParts = 5

// Split cuts a text that is over the limit into parts that fit.
//
// A part ends at the best place in its second half: a blank line, else the end of
// a line, of a sentence, of a word. Only where the second half has none of these
// may a part be shorter: it then ends before the word, the code span or the fenced
// block that would have to be cut otherwise, if that fits into a part of its own.
// What does not is cut between graphemes, and a grapheme only if it alone is over
// the limit. A character (a rune) is never cut; the one thing that can be over the
// limit is a character alone, where the limit is less than that.
//
// A fenced block that does not fit into a part is closed at the end of the part
// and opened again, with its info string and its indentation, in the next one. A
// fence whose repair would take more than half of a part is cut like text, and so
// is a code span that does not fit.
//
// White space at a cut is dropped, inside a fenced block only the newline. What
// is all white space and over the limit, or empty, has no parts: there would be
// nothing to see.
func Split(text string, limits Limits) []string {
	var parts []string
	for part := range split(text, limits) {
		parts = append(parts, part)
	}
	return parts
}

// Attach is Split for a text that should not fill the room: if it needs more than
// the given number of parts (MostParts if that is not positive), shown is one part
// with its first lines and a note, and file is the whole text, to be attached.
// Where the limit has no room for the note, the first lines stand alone.
func Attach(text string, limits Limits, most int) (shown []string, file string) {
	if most <= 0 {
		most = MostParts
	}
	for part := range split(text, limits) {
		if len(shown) == most {
			return []string{beginning(text, limits)}, text
		}
		shown = append(shown, part)
	}
	return shown, ""
}

// attached is the last line of what is shown of an attached text.
const attached = "\n… (the whole text is attached)"

func beginning(text string, limits Limits) string {
	note := attached
	if room := limits.Text - limits.Count.Of(note); room > 0 {
		limits.Text = room
	} else {
		note = ""
	}
	for part := range split(text, limits) {
		return part + note
	}
	return strings.TrimSpace(note)
}

// split yields the parts one by one, so that who wants a few does not pay for all.
func split(text string, limits Limits) iter.Seq[string] {
	return func(yield func(string) bool) {
		if text == "" {
			return
		}
		if limits.Text <= 0 || limits.Count.Of(text) <= limits.Text {
			yield(text)
			return
		}
		c := cutter{
			text:   text,
			limit:  limits.Text,
			count:  limits.Count,
			blocks: findBlocks(text, limits),
		}
		c.parts(yield)
	}
}

// parts cuts off one part after the other.
func (c *cutter) parts(yield func(string) bool) {
	for start, v := 0, c.look(0); ; {
		if v.done {
			if part := c.part(start, v.end); part != "" {
				yield(part)
			}
			return
		}
		at, ok := v.best()
		var next view
		looked := false
		if !ok && v.found {
			// Whatever follows reaches over the limit. If it fits into the next
			// part, it goes there whole.
			next, looked = c.look(v.last.next), true
			at, ok = v.last, next.found || next.done
		}
		if !ok {
			at, looked = c.squeeze(start, v), false
		}
		if part := c.part(start, at.end); part != "" && !yield(part) {
			return
		}
		start = at.next
		if looked {
			v = next
		} else {
			v = c.look(start)
		}
	}
}

// part is the text from start to end with the fences it cuts mended.
func (c *cutter) part(start, end int) string {
	var opened, closed string
	if b := c.codeAt(start); b != nil {
		opened = b.reopen + "\n"
	}
	if b := c.codeAt(end); b != nil {
		closed = "\n" + b.close
	}
	return opened + c.text[start:end] + closed
}
