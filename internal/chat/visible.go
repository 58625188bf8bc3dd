package chat

import (
	"fmt"
	"strings"
)

// Visible makes a text harmless for a terminal: what would be obeyed is shown
// instead. Line breaks and tabs are left.
func Visible(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	if !strings.ContainsFunc(text, obeyed) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !obeyed(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune('\u2400' + r) // its picture, as ␛
		case r == 0x7f:
			b.WriteRune('\u2421')
		default:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}

// obeyed reports whether a terminal does something else with a character than showing
// it: control characters, among them those from U+0080 on that begin a sequence
// without an escape, and what turns the direction of text around or breaks a line.
func obeyed(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029:
		return true
	}
	return false
}

// oneLine is a text for a line of its own.
func oneLine(text string) string {
	return strings.Join(strings.Fields(Visible(text)), " ")
}
