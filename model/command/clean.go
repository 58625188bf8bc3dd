package command

import (
	"strings"
	"unicode/utf8"
)

// A cleaner makes text of what a program writes for a terminal: without colours and
// other escape sequences, without control characters, and in whole characters. It
// does not care how the output was cut.
type cleaner struct {
	state state
	held  []byte // the first bytes of a character
}

// A state is what has been seen of an escape sequence so far.
type state int

const (
	text       state = iota // none
	escape                  // ESC
	nonfinal                // ESC and bytes that do not end a sequence, as in ESC ( B
	control                 // ESC [, which a letter ends
	command                 // ESC ] and the like, which BEL or ESC \ ends
	commandEnd              // the ESC of that
)

const (
	esc = 0x1B
	bel = 0x07
)

// clean is the text in the next part of the output.
func (c *cleaner) clean(data []byte) string {
	var b strings.Builder
	for _, next := range data {
		if c.state != text {
			c.state = c.state.after(next)
			if next == '\n' {
				b.WriteByte('\n')
			}
			continue
		}
		if next < utf8.RuneSelf {
			b.WriteString(c.rest())
			c.ascii(&b, next)
			continue
		}
		if utf8.RuneStart(next) {
			b.WriteString(c.rest())
		}
		c.held = append(c.held, next)
		if utf8.FullRune(c.held) {
			b.WriteString(c.rest())
		}
	}
	return b.String()
}

// ascii writes a character, or begins an escape sequence.
func (c *cleaner) ascii(b *strings.Builder, next byte) {
	switch {
	case next == esc:
		c.state = escape
	case next >= ' ' && next != 0x7F, next == '\n', next == '\t':
		b.WriteByte(next)
	}
}

// rest is the character that is held, or what stands for one that is none.
func (c *cleaner) rest() string {
	if len(c.held) == 0 {
		return ""
	}
	s := strings.ToValidUTF8(string(c.held), "\uFFFD")
	c.held = c.held[:0]
	if r, _ := utf8.DecodeRuneInString(s); r >= 0x80 && r < 0xA0 {
		return "" // control characters as well
	}
	return s
}

// after is the state after a byte of an escape sequence. A line's end ends every
// sequence, so that one without an end does not swallow the reply.
func (s state) after(next byte) state {
	switch {
	case next == '\n':
		return text
	case s == commandEnd && next == '\\', s == command && next == bel:
		return text
	case s == commandEnd, s == command:
		if next == esc {
			return commandEnd
		}
		return command
	case next == esc:
		return escape
	case s == escape && next == '[':
		return control
	case s == escape && strings.IndexByte("]PX^_", next) >= 0:
		return command
	case s == control && next < 0x40, s != control && next < 0x30:
		if s == escape {
			return nonfinal
		}
		return s
	}
	return text
}
