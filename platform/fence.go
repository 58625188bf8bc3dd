package platform

import (
	"slices"
	"strings"
)

// A block is a stretch of code: a code span, or a fenced block with its fences.
type block struct {
	start, end int // a fenced block begins with its indentation and ends before the newline
	size       int // as the platform counts
	whole      bool

	// Of a fenced block that does not fit into a part, and is cut between from and
	// to: after the line of its opening and before that of its closing fence.
	from, to      int
	reopen, close string

	// leads tells that a part may begin with the block: it will be read there as
	// it was read here. A span of three backticks or more that goes on in the next
	// line would become a fence.
	leads bool
}

// longestTicks is how many backticks may open a code span. It bounds how many
// spans can be open at once, since those have different lengths.
const longestTicks = 32

// longestPrefix is how many bytes of white space, quote marks and list markers are
// looked through for a fence.
const longestPrefix = 64

// findBlocks finds the code in a text, as far as a cut has to respect it: not what
// is too long for a part and cannot be mended.
func findBlocks(text string, limits Limits) []block {
	f := finder{text: text, limits: limits}
	for at := 0; at < len(text); {
		next := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		f.line(at, next)
		at = next
	}
	if f.fence.char != 0 {
		f.endFence(len(text), len(text))
	}
	return f.blocks
}

// A finder reads a text line by line.
type finder struct {
	text   string
	limits Limits
	blocks []block

	fence fence // the one it is in, if its char is not 0
	spans []ticks
}

// A fence is an opening fence.
type fence struct {
	start  int // of the block
	from   int // of the line after it
	char   byte
	length int
	quoted bool   // it stands behind quote marks, and so may the one that closes it
	prefix string // what a fence that continues it stands behind
	info   string
}

// ticks are backticks that open a span if as many follow in the paragraph.
type ticks struct{ start, length int }

// line reads the line from at to next.
func (f *finder) line(at, next int) {
	line := strings.TrimSuffix(strings.TrimSuffix(f.text[at:next], "\n"), "\r")
	prefix, length := fenceAt(line)
	if f.fence.char != 0 {
		behind := strings.Trim(line[:prefix], " \t")
		if length >= f.fence.length && line[prefix] == f.fence.char && strings.Trim(line[prefix+length:], " \t") == "" &&
			(behind == "" || f.fence.quoted && strings.Trim(behind, "> \t") == "") {
			f.endFence(at, at+prefix+length)
		}
		return
	}
	if length == 0 {
		f.findSpans(at, line)
		return
	}
	info := line[prefix+length:]
	if line[prefix] == '`' {
		if strings.Contains(info, "`") {
			f.findSpans(at, line)
			return
		}
		// Models write "Here: ```" and put the closing fence on a line of its own.
		if i := f.open(length); i >= 0 && strings.Trim(line, "` \t") == "" {
			if open, ok := f.midLine(f.spans[i]); ok {
				f.dropFrom(open.start)
				f.add(open, at, at+prefix+length)
				f.spans = f.spans[:i]
				return
			}
		}
	}
	f.spans = f.spans[:0]
	f.fence = fence{
		start:  at,
		from:   next,
		char:   line[prefix],
		length: length,
		quoted: strings.Contains(line[:prefix], ">"),
		prefix: continued(line[:prefix]),
		info:   strings.TrimRight(info, " \t"),
	}
}

// fenceAt reads a fence, opening or closing, at the start of a line: how long what
// it stands behind is, and how many characters it has. The length is 0 if there is
// none.
func fenceAt(line string) (prefix, length int) {
	i := 0
	for i < len(line) && i <= longestPrefix {
		switch b := line[i]; {
		case b == ' ' || b == '\t' || b == '>':
			i++
			continue
		case b == '`' || b == '~':
			n := 1
			for i+n < len(line) && line[i+n] == b {
				n++
			}
			if n < 3 {
				return i, 0
			}
			return i, n
		}
		n := listMarker(line[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return min(i, len(line)), 0
}

// listMarker is how long the marker is that a line begins with, its space
// included.
func listMarker(line string) int {
	n := 0
	for n < len(line) && n < 9 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n >= len(line) || !strings.ContainsRune(".)", rune(line[n])) && n > 0 ||
		!strings.ContainsRune("-*+", rune(line[n])) && n == 0 {
		return 0
	}
	if n+1 < len(line) && (line[n+1] == ' ' || line[n+1] == '\t') {
		return n + 2
	}
	return 0
}

// continued is what continues a list item or a quote: a list marker would begin
// another item.
func continued(prefix string) string {
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, prefix)
}

// endFence ends the fence whose closing line begins at line and has its last
// character before end.
func (f *finder) endFence(line, end int) {
	f.add(f.fence, line, end)
	f.fence = fence{}
}

// add adds a fenced block if it fits into a part or can be mended.
func (f *finder) add(open fence, line, end int) {
	b := block{
		start: open.start,
		end:   end,
		size:  f.limits.Count.Of(f.text[open.start:end]),
		leads: true,
	}
	if b.size <= f.limits.Text {
		b.whole = true
		f.blocks = append(f.blocks, b)
		return
	}
	b.from, b.to = open.from, line
	if line < len(f.text) {
		b.to -= len("\n")
		if b.to > 0 && f.text[b.to-1] == '\r' {
			b.to--
		}
	}
	marks := open.prefix + strings.Repeat(string(open.char), open.length)
	b.reopen, b.close = marks+open.info, marks
	of := f.limits.Count.Of
	mend := of(b.reopen) + 1 + max(1+of(b.close), of(f.text[b.to:end]))
	if 2*mend <= f.limits.Text && b.from < b.to {
		f.blocks = append(f.blocks, b)
	}
}

// midLine is the fence that backticks in the middle of a line are, if they are one.
func (f *finder) midLine(t ticks) (fence, bool) {
	rest := f.text[t.start+t.length:]
	n := strings.IndexByte(rest, '\n')
	info := strings.TrimRight(rest[:n], " \t\r")
	return fence{
		start:  t.start,
		from:   t.start + t.length + n + 1,
		char:   '`',
		length: t.length,
		info:   info,
	}, !strings.Contains(info, "`")
}

// findSpans finds the code spans of a line. They may have begun in earlier lines
// of its paragraph.
func (f *finder) findSpans(at int, line string) {
	if strings.TrimSpace(line) == "" {
		f.spans = f.spans[:0]
		return
	}
	for i := 0; i < len(line); {
		n := strings.IndexByte(line[i:], '`')
		if n < 0 {
			return
		}
		i += n
		length := 1
		for i+length < len(line) && line[i+length] == '`' {
			length++
		}
		if o := f.open(length); o >= 0 {
			f.addSpan(f.spans[o].start, at+i+length, length)
			f.spans = f.spans[:o]
		} else if length <= longestTicks {
			f.spans = append(f.spans, ticks{at + i, length})
		}
		i += length
	}
}

// open is the index of the open span of a length, or -1.
func (f *finder) open(length int) int {
	return slices.IndexFunc(f.spans, func(t ticks) bool { return t.length == length })
}

func (f *finder) addSpan(start, end, length int) {
	f.dropFrom(start)
	b := block{start: start, end: end, whole: true}
	if b.size = f.limits.Count.Of(f.text[start:end]); b.size > f.limits.Text {
		return
	}
	b.leads = length < 3 || !strings.Contains(f.text[start:end], "\n")
	f.blocks = append(f.blocks, b)
}

// dropFrom forgets the spans inside one that began before them.
func (f *finder) dropFrom(start int) {
	for len(f.blocks) > 0 && f.blocks[len(f.blocks)-1].start > start {
		f.blocks = f.blocks[:len(f.blocks)-1]
	}
}
