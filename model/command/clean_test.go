package command_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/model/command"
)

func TestOutputIsCleaned(t *testing.T) {
	cases := []struct{ name, output, want string }{
		{"text stays as it is", "Grüße, 5 €\n\t👋", "Grüße, 5 €\n\t👋"},
		{"colours go", "\x1b[1;31mred\x1b[0m and \x1b[38;2;1;2;3mmore\x1b[m", "red and more"},
		{"the cursor stays where it is", "a\x1b[2K\x1b[1Gb\x1b[?25l", "ab"},
		{"titles and links go", "\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "alink"},
		{"an escape inside a title does not end it", "\x1b]0;a\x1bb\x07c", "c"},
		{"other sequences go", "\x1b(Ba\x1b7b\x1b=c\x1bPq#0\x1b\\d", "abcd"},
		{"lines that end in CR LF end in LF", "a\r\nb\r\n", "a\nb\n"},
		{"control characters go", "a\x00\x08\x7fb\u0085\u009b", "ab"},
		{"a sequence without an end ends with the line", "\x1b]0;title\nb", "\nb"},
		{"bytes that are no text are marked", "a\xffb\xe2\x82", "a\uFFFDb\uFFFD"},
		{"a cut character is no reason to lose the next", "\xe2\x82a\xc3", "\uFFFDa\uFFFD"},
		{"an escape at the end is nothing", "a\x1b", "a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := command.Clean(c.output); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestItDoesNotMatterHowOutputIsCut(t *testing.T) {
	pieces := []string{"a", " ", "\n", "\r\n", "é", "€", "👋", "\x1b", "[", "]", "0;", "31m", "\x07", "\\", "(", "P", "\xff", "\xe2", "\x82", "\x80", "\x00"}
	rapid.Check(t, func(t *rapid.T) {
		output := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "output"), "")
		whole := command.Clean(output)
		if bytes := command.Clean(strings.Split(output, "")...); bytes != whole {
			t.Fatalf("by characters %q, whole %q", bytes, whole)
		}
		at := rapid.IntRange(0, len(output)).Draw(t, "at")
		if halves := command.Clean(output[:at], output[at:]); halves != whole {
			t.Fatalf("in halves %q, whole %q", halves, whole)
		}
		if !utf8.ValidString(whole) || strings.ContainsAny(whole, "\x00\x1b\r\x07") {
			t.Fatalf("%q is not clean", whole)
		}
	})
}
