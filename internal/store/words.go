package store

import (
	"fmt"

	"github.com/asidehq/aside/platform"
)

// mostQuoted is how much of the message that has a reaction is quoted, in characters.
const mostQuoted = 500

// Words are what a message says, as a model reads it: a reaction in words, and a change as
// one, because what was said before may be about what the message said then. What answers a
// prompt is stored in words.
func Words(m platform.Message) string {
	if m.Edits != "" {
		return "(changed an earlier message to:) " + m.Text
	}
	r := m.Reaction
	if r == nil || m.Text != "" {
		return m.Text
	}
	did, whose := "reacted with "+r.Emoji+" to", "a message"
	if r.Removed {
		did = "took the reaction " + r.Emoji + " off"
	}
	if r.ToAgent {
		whose = "your message"
	}
	quoted := []rune(r.To.Text)
	if len(quoted) > mostQuoted {
		quoted = append(quoted[:mostQuoted], '…')
	}
	return fmt.Sprintf("(%s %s: %q)", did, whose, string(quoted))
}
