package command

import (
	"strings"

	"github.com/asidehq/aside/model"
)

// prompt is a request as one text. A single message stands for itself; in a
// conversation it has to be said who speaks.
func prompt(r model.Request, system bool) string {
	var parts []string
	if system && r.System != "" {
		parts = append(parts, strings.TrimSpace(r.System))
	}
	if len(r.Messages) == 1 {
		return strings.Join(append(parts, r.Messages[0].Text), "\n\n")
	}
	parts = append(parts, "The conversation so far. Write the next answer of the assistant, and nothing else.")
	for _, m := range r.Messages {
		who := "Person: "
		if m.Role == model.Assistant {
			who = "Assistant: "
		}
		parts = append(parts, who+m.Text)
	}
	return strings.Join(parts, "\n\n")
}

// lastMessage is what was written last by a person.
func lastMessage(r model.Request) string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == model.User {
			return r.Messages[i].Text
		}
	}
	return ""
}
