package turn

import (
	"bytes"
	"slices"
	"strings"

	"github.com/asidehq/aside/extract"
)

// words are what a reply comes to as it is read. Its text is what people are to see.
//
// Taking an instruction out must not change what is code in the rest: an example that the
// model quotes would stand there as if it were meant. Before changing this, know that the
// text is shown while it grows, so that nothing can be done about what was added before.
type words struct {
	extract.Result
	taken bool // something was taken out behind the text so far
	end   int  // how far in the reply the text is
}

// add adds the next event of a reply, of which at least so much is known.
func (w *words) add(e extract.Event, reply string) {
	switch {
	case e.Kind != extract.KindText:
		w.taken = true
	case len(bytes.TrimSpace(e.Text)) > 0:
		if w.taken {
			w.part(e, reply)
		}
		w.taken, w.end = false, e.End
	}
	w.Add(e)
}

// part keeps the text so far apart from what comes next, where something was taken out.
func (w *words) part(e extract.Event, reply string) {
	n := len(w.Text)
	switch first := e.Text[0]; {
	case n == 0:
	case hasBlankLine(reply[min(w.end, e.Pos):e.Pos]) && openSpan(w.Text):
		// The paragraph had ended there, and with it the backticks.
		w.Text = append(w.Text, paragraphEnd[min(newlines(w.Text), 2)]...)
	case w.Text[n-1] == first && (first == '`' || first == '~'):
		// Two runs would become one, which begins and ends other code.
		w.Text = append(w.Text, ' ')
	}
}

// paragraphEnd is what ends a paragraph behind so many newlines. What stood in the middle of
// a line must not make a list or a fence at the beginning of one: something invisible stands
// before it.
var paragraphEnd = [...]string{"\n\n\u200b", "\n", ""}

func hasBlankLine(text string) bool {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines)-1; i++ {
		if strings.TrimSpace(lines[i]) == "" {
			return true
		}
	}
	return false
}

// openSpan tells whether a text ends in a paragraph with backticks that begin no code in
// it, and would if it went on. A line of backticks may be a fence, which ends a paragraph as
// well, or not.
func openSpan(text []byte) bool {
	paragraph, behindFence := text, text
	for rest := text; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return unpaired(paragraph) || unpaired(behindFence)
		}
		line := bytes.TrimSpace(rest[:i])
		rest = rest[i+1:]
		mark := bytes.TrimLeft(line, ">-*+0123456789.) \t")
		switch {
		case len(line) == 0:
			paragraph, behindFence = rest, rest
		case bytes.HasPrefix(mark, []byte("```")), bytes.HasPrefix(mark, []byte("~~~")):
			behindFence = rest
		}
	}
}

// newlines counts them at the end of a text.
func newlines(text []byte) int {
	return bytes.Count(text[len(bytes.TrimRight(text, " \t\r\n")):], []byte("\n"))
}

// unpaired tells whether a run of backticks in a text has no other one of its length to end
// the code that it begins.
func unpaired(text []byte) bool {
	var runs []int // how long each is
	for {
		i := bytes.IndexByte(text, '`')
		if i < 0 {
			break
		}
		run := len(text[i:]) - len(bytes.TrimLeft(text[i:], "`"))
		runs = append(runs, run)
		text = text[i+run:]
	}
	for len(runs) > 0 {
		end := slices.Index(runs[1:], runs[0])
		if end < 0 {
			return true
		}
		runs = runs[end+2:]
	}
	return false
}
