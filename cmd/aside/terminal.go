package main

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// A palette colours text, where someone looks at it.
type palette struct{ on bool }

// newPalette colours on terminals only, and never where NO_COLOR asks not to.
func newPalette(out io.Writer) palette {
	file, ok := out.(*os.File)
	return palette{ok && term.IsTerminal(int(file.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func (p palette) paint(code, text string) string {
	if !p.on || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// eachLine colours the lines of a text one by one, so that a margin stays without.
func (p palette) eachLine(code, text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = p.paint(code, lines[i])
	}
	return strings.Join(lines, "\n")
}

func (p palette) good(text string) string   { return p.paint("32", text) }
func (p palette) warn(text string) string   { return p.paint("33", text) }
func (p palette) bad(text string) string    { return p.paint("31", text) }
func (p palette) strong(text string) string { return p.paint("1", text) }
func (p palette) faint(text string) string  { return p.paint("2", text) }

// visible makes text harmless for a terminal. What a model or a person wrote may hold
// anything, also what moves the cursor or turns the line around; it is printed as a
// picture of itself.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
}

// clip is the beginning of a text on one line.
func clip(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(visible(text)), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// indent puts a margin before each line of a text.
func indent(text, margin string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		if line != "\n" {
			b.WriteString(margin)
		}
		b.WriteString(line)
	}
	return b.String()
}
