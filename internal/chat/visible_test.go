package chat

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain text stays", "Héllo 👩‍👩‍👧 wörld\n\tx", "Héllo 👩‍👩‍👧 wörld\n\tx"},
		{"an escape sequence is shown", "\x1b[2J\x1b]0;title\x07", "␛[2J␛]0;title␇"},
		{"a sequence without an escape is shown", "\u009b2J", "⟨U+009B⟩2J"},
		{"a carriage return cannot overwrite", "safe\rfake", "safe␍fake"},
		{"line ends of Windows are line ends", "a\r\nb", "a\nb"},
		{"backspace and delete are shown", "a\bb\x7f", "a␈b␡"},
		{"text cannot be turned around", "\u202egnp.exe", "⟨U+202E⟩gnp.exe"},
		{"bytes that are no text are replaced", "a\xffb", "a\uFFFDb"},
		{"NUL is shown", "\x00", "␀"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Visible(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text string
		width      int
		want       string // rows with | between them
	}{
		{"what fits stays", "one two", 7, "one two"},
		{"it is cut between words", "one two three", 8, "one two|three"},
		{"a space at the end needs no room", "one two ", 7, "one two "},
		{"a long word is cut", "abcdefgh", 3, "abc|def|gh"},
		{"a long word begins a row of its own", "a bcdefgh", 4, "a|bcde|fgh"},
		{"lines stay lines", "a\n\nb", 10, "a||b"},
		{"indentation stays", "    code here", 8, "    code|here"},
		{"wide characters count twice", "日本語", 4, "日本|語"},
		{"an emoji of several characters is not cut", "👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧|👩‍👩‍👧"},
		{"tabs are columns", "a\tb", 10, "a   b"},
		{"nothing is one row", "", 10, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(wrap(test.text, test.width), "|"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWrappingLosesNothingAndFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab -.日é́👍🏽\n\t"))).Draw(t, "text")
		width := rapid.IntRange(2, 12).Draw(t, "width")
		rows := wrap(text, width)
		for _, r := range rows {
			if uniseg.StringWidth(strings.TrimRight(r, " ")) > width && uniseg.GraphemeClusterCount(r) > 1 {
				t.Fatalf("%q does not fit into %d", r, width)
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(strings.Join(rows, "")) != squeeze(text) {
			t.Fatalf("%q became %q", text, rows)
		}
	})
}
