package messaging

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/asidehq/aside/platform"
)

// cut is a text of at most so many characters.
func cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	seen := 0
	for i := range text {
		if seen == most {
			return text[:i] + "…"
		}
		seen++
	}
	return text
}

// author is who wrote a message, on one line.
func author(m platform.Message) string {
	return cut(strings.Join(strings.Fields(cmp.Or(m.Author.Name, m.Author.ID, "somebody")), " "), 80)
}

// count is a number of things: 1 message, 2 messages.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
