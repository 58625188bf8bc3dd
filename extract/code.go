package extract

import "bytes"

// Code is text: inside a fenced block, or a code span that closes in its own
// paragraph, nothing is an instruction. Whether a span closes is known only
// later, so the scanner reads on as if it did not, keeps what it finds behind the
// span's backticks (scanner.pieces) and drops it if the span closes after all.

// A line says what has been read of the current line so far, as far as it
// matters for what may stand next.
type line uint8

const (
	lineBlank  line = iota // nothing but white space: reasoning or a fence may follow
	lineTaken              // instructions, taken out, as well: the same may follow, but the line is not blank
	lineQuote              // quote marks as well: a fence may follow
	linePrefix             // a list marker and a space as well: a fence may follow
	lineMarker             // a list marker; a space must follow
	lineNumber             // digits that may become a list marker
	lineWords              // something else: nothing that needs a line's start
)

// next is the state of the line once c was read.
func (l line) next(c byte) line {
	switch {
	case c == '\n':
		return lineBlank
	case l == lineWords:
		return lineWords
	case isSpace(c):
		switch l {
		case lineMarker:
			return linePrefix
		case lineNumber:
			return lineWords
		}
		return l
	case l == lineMarker:
		return lineWords
	case c >= '0' && c <= '9':
		return lineNumber
	case l == lineNumber:
		if c == '.' || c == ')' {
			return lineMarker
		}
		return lineWords
	case c == '>':
		if l == linePrefix {
			return linePrefix
		}
		return lineQuote
	case c == '-' || c == '*' || c == '+':
		return lineMarker
	}
	return lineWords
}

// fenceMayFollow tells whether a fence may stand next on the line.
func (l line) fenceMayFollow() bool {
	return l <= linePrefix
}

// A span is a run of backticks that opens a code span if a run of the same
// length follows in its paragraph.
type span struct {
	length int
	pos    int
}

// longestRun is how many backticks may open a span. It bounds how many spans can
// be open at once, since those have different lengths.
const longestRun = 32

// code follows the code in a text. Its offsets are the scanner's.
type code struct {
	line   line
	lineAt int // the offset that line is the state before

	run     byte // a run of this byte is being read and may go on in the next chunk
	runLen  int
	runLine line // the state of the line before it

	fence       byte // inside a fence of this byte
	fenceLen    int
	fenceQuoted bool // it stands behind quote marks or a list marker
	closing     bool // a closing run was read; it counts if only white space follows on its line

	spans []span // spans that may still close, oldest first, of different lengths
	maybe int    // the index in spans of a run that is a fence if its line ends without another backtick, or -1
}

func (c *code) reset() {
	*c = code{spans: c.spans[:0], maybe: -1}
}

// inWords tells whether only a mark or a newline can change anything.
func (c *code) inWords() bool {
	return c.line == lineWords && c.fence == 0
}

// walkLine brings the state of the line up to the end of b, whose first byte has
// the offset at.
func (c *code) walkLine(b []byte, at int) {
	c.lineAt = at + len(b)
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		c.line = lineBlank
		b = b[i+1:]
	}
	for i := 0; i < len(b) && c.line != lineWords; i++ {
		c.line = c.line.next(b[i])
	}
}

// spanOf returns the index of the open span of a length, or -1.
func (c *code) spanOf(length int) int {
	for i := len(c.spans) - 1; i >= 0; i-- {
		if c.spans[i].length == length && i != c.maybe {
			return i
		}
	}
	return -1
}

// enterFence starts a fence, which ends the paragraph.
func (c *code) enterFence(char byte, length int) {
	c.fence, c.fenceLen, c.closing = char, length, false
	c.spans = c.spans[:0]
	c.maybe = -1
}
