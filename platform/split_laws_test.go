package platform

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

// The laws of Split. Two kinds of texts are made up: wild ones of fragments in any
// order, for what must hold always, and documents whose fences are balanced.

var fragments = []string{
	"a", "word", "Sentence. ", "Really? ", " ", "  ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u2028", "é", "e\u0301", "\u0301",
	"日本", "。", "！」", "👍🏽", "👨‍👩‍👧", "🇫🇷", "\u0600", "\u200d", "\xff", "\xe2\x80", "\x00",
	"`", "``", "```", "````", "~~~", "~~~~", "`code`", "``a ` b``", "```x y```", "\\`",
	"```go\n", "\n```\n", "\n~~~\n", "  ```\n", "> ```\n", "\n> ```\n", "- ```\n", "1. ```js\n", "Here: ```\n",
	"- ", "> ", "1. ", "# ", "e.g. ", strings.Repeat("x", 50), strings.Repeat("long words ", 10), strings.Repeat("code();\n", 8),
	strings.Repeat("`", 40), strings.Repeat(" ", 40), strings.Repeat("\n", 40), "a" + strings.Repeat("\u0301", 40),
}

var wildText = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 30).Draw(t, "fragments"), "")
})

// document draws a text of paragraphs, code spans and balanced fences. No fence
// takes more than 20 characters to mend, and none of the code looks like one.
var document = rapid.Custom(func(t *rapid.T) string {
	var b strings.Builder
	word := rapid.SampledFrom([]string{"a", "to", "word", "`code span`", "sentence.", "Question?", "日本。", "👨‍👩‍👧", "longerword", "1.", "-", ">"})
	words := rapid.SliceOfN(word, 1, 20)
	for range rapid.IntRange(1, 8).Draw(t, "blocks") {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			indent := rapid.SampledFrom([]string{"", " ", "   ", "\t"}).Draw(t, "indent")
			marks := rapid.SampledFrom([]string{"```", "````", "~~~", "~~~~"}).Draw(t, "marks")
			info := rapid.SampledFrom([]string{"", "go", " sh"}).Draw(t, "info")
			b.WriteString(indent + marks + info + "\n")
			for range rapid.IntRange(0, 9).Draw(t, "lines") {
				b.WriteString(rapid.SampledFrom([]string{"", "  ", "    x := 1", "return", "a  b\tc", "`x` ~y~ > z", strings.Repeat("y", 70), "日本語"}).Draw(t, "code") + "\n")
			}
			b.WriteString(indent + marks + rapid.SampledFrom([]string{"", "  "}).Draw(t, "after") + "\n")
		default:
			b.WriteString(strings.Join(words.Draw(t, "words"), " "))
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n\n", "\n  \n\n"}).Draw(t, "gap"))
		}
	}
	return b.String()
})

var (
	anyCount = rapid.SampledFrom([]Count{CountRunes, CountUTF16, CountBytes})
	anyLimit = rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(13, 300))
)

func TestLawPartsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(wildText, document).Draw(t, "text")
		limits := Limits{Text: anyLimit.Draw(t, "limit"), Count: anyCount.Draw(t, "count")}
		checkFit(t, text, limits)
	})
}

func checkFit(t rapid.TB, text string, limits Limits) {
	parts := Split(text, limits)
	if limits.Count.Of(text) <= limits.Text {
		if text != "" && !slices.Equal(parts, []string{text}) {
			t.Fatalf("a text within the limit became %q", parts)
		}
		return
	}
	for _, part := range parts {
		if strings.TrimFunc(part, isSpace) == "" {
			t.Fatalf("an empty part of %q: %q", text, parts)
		}
		if limits.Count.Of(part) > limits.Text && utf8.RuneCountInString(part) > 1 {
			t.Fatalf("a part is %d long: %q", limits.Count.Of(part), part)
		}
	}
}

// Joining the parts, with the fences that were mended taken out, gives the text
// back up to the white space at the cuts.
func TestLawNothingIsLostOrAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(wildText, document).Draw(t, "text")
		limits := Limits{Text: anyLimit.Draw(t, "limit"), Count: anyCount.Draw(t, "count")}
		checkComplete(t, text, limits)
	})
}

func checkComplete(t rapid.TB, text string, limits Limits) {
	parts := Split(text, limits)
	c := cutter{text: text, blocks: findBlocks(text, limits)}
	// Where in the text the parts so far may have ended: code may look just like
	// the fence that mends it.
	ends := map[int]bool{0: true}
	for i, part := range parts {
		next := map[int]bool{}
		for end := range ends {
			for _, start := range c.starts(end) {
				for _, at := range c.ends(start, part) {
					next[at] = true
				}
			}
		}
		if len(next) == 0 {
			t.Fatalf("part %d, %q, is not what follows in %q\nparts %q", i, part, text, parts)
		}
		ends = next
	}
	for end := range ends {
		if strings.TrimFunc(text[end:], isSpace) == "" {
			return
		}
	}
	t.Fatalf("something is missing at the end of %q\nparts %q", text, parts)
}

// starts are the places where a part may begin if the one before ended here: not
// in white space, but for the indentation of a fence, that before the text, and a
// space that a grapheme begins with.
func (c *cutter) starts(end int) []int {
	if c.codeAt(end) != nil {
		return []int{end, end + newline(c.text[end:])}
	}
	next := end + len(c.text[end:]) - len(strings.TrimLeftFunc(c.text[end:], isSpace))
	starts := []int{next}
	if end == 0 {
		starts = append(starts, end)
	}
	if _, width := utf8.DecodeLastRuneInString(c.text[end:next]); joined(c.text, next) {
		starts = append(starts, next-width)
	}
	for _, b := range c.blocks {
		if b.start > end && b.start <= next {
			starts = append(starts, b.start)
		}
	}
	return starts
}

// ends are the places in the text where a part may end that begins at start.
func (c *cutter) ends(start int, part string) []int {
	if b := c.codeAt(start); b != nil {
		var ok bool
		if part, ok = strings.CutPrefix(part, b.reopen+"\n"); !ok {
			return nil
		}
	}
	var ends []int
	end := start + len(part)
	_, width := utf8.DecodeLastRuneInString(part)
	if strings.HasPrefix(c.text[start:], part) && c.codeAt(end) == nil &&
		(end == len(c.text) || !c.spaceBefore(end) || joined(c.text, end-width)) {
		ends = append(ends, end)
	}
	if i := strings.LastIndexByte(part, '\n'); i >= 0 && strings.HasPrefix(c.text[start:], part[:i]) {
		if b := c.codeAt(start + i); b != nil && part[i+1:] == b.close {
			ends = append(ends, start+i)
		}
	}
	return ends
}

// unclosed tells whether a text ends inside a fence. It knows less than findBlocks
// does: documents need no more.
func unclosed(text string) bool {
	open := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		if marks == "" {
			marks = line[:len(line)-len(strings.TrimLeft(line, "~"))]
		}
		switch {
		case open == "" && len(marks) >= 3:
			open = marks
		case open != "" && line == marks && strings.HasPrefix(marks, open):
			open = ""
		}
	}
	return open != ""
}

func TestLawFencesStayBalanced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := document.Draw(t, "text")
		limits := Limits{Text: rapid.IntRange(60, 300).Draw(t, "limit"), Count: anyCount.Draw(t, "count")}
		for _, part := range Split(text, limits) {
			if unclosed(part) {
				t.Fatalf("a fence is open at the end of a part: %q", part)
			}
		}
	})
}

// Wild texts as well, as the finder sees them: whatever it makes of a text, a part
// has a fence open at its end only if the text has, or if the limit is so small
// that fences cannot be mended, or that code spans or runs of backticks have to be
// cut.
func TestLawFencesOfWildTextsStayBalanced(t *testing.T) {
	open := func(text string) bool {
		f := finder{text: text, limits: Limits{Text: 1 << 30}}
		for at := 0; at < len(text); {
			next := len(text)
			if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
				next = at + n + 1
			}
			f.line(at, next)
			at = next
		}
		return f.fence.char != 0
	}
	mild := rapid.Custom(func(t *rapid.T) string {
		some := slices.DeleteFunc(slices.Clone(fragments), func(f string) bool { return len(f) >= 40 && !strings.Contains(f, " ") })
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(some), 0, 60).Draw(t, "fragments"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		text := mild.Draw(t, "text")
		if open(text) {
			t.Skip("its own fences are not balanced")
		}
		for line := range strings.Lines(text) {
			if len(line) > 30 && (strings.Contains(line, "```") || strings.Contains(line, "~~~")) {
				t.Skip("a fence may be too long to be mended")
			}
		}
		limits := Limits{Text: rapid.IntRange(150, 300).Draw(t, "limit")}
		c := cutter{text: text}
		for _, b := range findBlocks(text, Limits{Text: 1 << 30}) {
			last := strings.LastIndexByte(text[:b.end], '\n') + 1
			if b.size > limits.Text && !(c.looksLikeFence(b.start) && c.looksLikeFence(last)) {
				t.Skip("a code span has to be cut, and its halves may open others")
			}
		}
		parts := Split(text, limits)
		for _, part := range parts {
			if open(part) {
				t.Fatalf("a fence is open at the end of a part: %q\nparts %q", part, parts)
			}
		}
	})
}

// Texts without fences or code spans, in which no grapheme is over the limit: each
// cut is between graphemes.
func TestLawGraphemesStayWhole(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"a", "b ", "\n", ". ", "e\u0301", "\u0301", "👍🏽", "👨‍👩‍👧", "🇫🇷", "🇫", "\u0600", "\u200d", "。", "각", "ก็", "\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 60).Draw(t, "pieces"), "")
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		bounds := map[int]bool{0: true}
		at := 0
		for g := uniseg.NewGraphemes(text); g.Next(); {
			if len(g.Runes()) > limit {
				t.Skip("a grapheme is over the limit")
			}
			at += len(g.Str())
			bounds[at] = true
		}
		at = 0
		for i, part := range Split(text, Limits{Text: limit}) {
			gap := strings.Index(text[at:], part)
			if strings.TrimFunc(text[at:at+gap], isSpace) != "" {
				t.Fatalf("part %d, %q, is not what follows", i, part)
			}
			at += gap
			if !bounds[at] || !bounds[at+len(part)] {
				t.Fatalf("part %d, %q, cuts a grapheme of %q", i, part, text)
			}
			at += len(part)
		}
	})
}

// Plain words that are short for the limit leave no part less than half full, but
// for the last.
func TestLawPartsAreAtLeastHalfFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a ", "word ", "Sentence. ", "line\n", "paragraph\n\n", "日本 ", "é "})
		text := strings.Join(rapid.SliceOfN(word, 0, 200).Draw(t, "words"), "")
		limit := rapid.IntRange(30, 300).Draw(t, "limit")
		parts := Split(text, Limits{Text: limit})
		for i, part := range parts {
			// Of the white space at a cut none counts.
			if i < len(parts)-1 && 2*utf8.RuneCountInString(part) < limit-len("paragraph\n\n") {
				t.Fatalf("part %d of %q is short for %d", i, parts, limit)
			}
		}
	})
}

func FuzzSplit(f *testing.F) {
	for _, s := range fragments {
		f.Add("Some words. "+s+" and `code`\n\n```go\nx\n```\n"+s, 20, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, limit int, count uint8) {
		limits := Limits{Text: max(1, limit%5000), Count: Count(count % 3)}
		checkFit(t, text, limits)
		checkComplete(t, text, limits)
	})
}

// hostile are texts that would be slow if they were cut carelessly.
func hostile(size int) map[string]string {
	of := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"one word":                    of("x"),
		"newlines":                    of("\n"),
		"spaces":                      of(" ") + "x",
		"backticks":                   of("`"),
		"backticks after a letter":    "x" + of("`"),
		"spans of all lengths":        of("` `` ``` ```` ````` `````` ```````` "),
		"open spans":                  of("a`` b` c``` "),
		"one grapheme":                "a" + of("\u0301"),
		"emoji":                       of("👨‍👩‍👧"),
		"quote marks":                 of("> "),
		"list markers":                of("1. - "),
		"short words":                 of("a "),
		"paragraphs and long words":   of("a\n\n" + strings.Repeat("x", 1500) + " "),
		"fences":                      of("```\nx\n```\n"),
		"a fence of newlines":         "```\n" + of("\n") + "```",
		"a fence of one word":         "```\n" + of("x") + "\n```",
		"a fence of fences":           "````\n" + of("``` ") + "\n````",
		"a fence with a long info":    "```" + of("i") + "\nx\n```",
		"a long info and much code":   "```" + strings.Repeat("i", 900) + "\n" + of("x\n") + "```",
		"a word, then a long space":   of("word" + strings.Repeat(" ", 5000)),
		"invalid bytes":               of("\xff\xe2\x80"),
		"spaces that break nothing":   of("\u00a0"),
		"full stops":                  of("。"),
		"lines that look like fences": of("```a`b "),
	}
}

// Sixteen times the text takes sixteen times as long, not 256 times. What is asked
// is far from both, and asked again, so that a busy machine does not matter. The
// benchmark has 1 MB.
func TestLawSplittingIsLinear(t *testing.T) {
	limits := Limits{Text: 2000}
	took := func(text string) time.Duration {
		start := time.Now()
		Split(text, limits)
		return time.Since(start)
	}
	small, large := hostile(1<<14), hostile(1<<18)
	for name := range large {
		short, long := took(small[name]), took(large[name])
		for tries := 0; long > 50*short+10*time.Millisecond; tries++ {
			if tries == 10 {
				t.Errorf("%s: %v for %d bytes, %v for %d", name, short, len(small[name]), long, len(large[name]))
				break
			}
			short, long = max(short, took(small[name])), min(long, took(large[name]))
		}
	}
}

func TestAbsurdLimitsEnd(t *testing.T) {
	for _, text := range hostile(1000) {
		for limit := 1; limit < 20; limit++ {
			for _, count := range []Count{CountRunes, CountUTF16, CountBytes} {
				checkFit(t, text, Limits{Text: limit, Count: count})
			}
		}
	}
}
