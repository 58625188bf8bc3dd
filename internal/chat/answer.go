package chat

import (
	"slices"
	"strings"

	"github.com/asidehq/aside/platform/web/client"
)

// An exchange is a message and what has come of it so far, as it is shown below the
// prompt.
type exchange struct {
	message  string   // the id of what was written; "" between messages
	hidden   []string // messages that are not shown, nor what answers them
	stopping bool     // the person has asked for it

	posts     []client.Message // in the order they came, people's too
	onMessage string           // reactions
	turns     []client.Turn    // once it is settled
}

// apply takes an event in. It reports whether it may have changed what is shown.
func (x *exchange) apply(e client.Event) bool {
	switch e.Kind {
	case client.EventPost, client.EventEdit, client.EventReact, client.EventMark:
		if e.Message.ID == x.message && x.message != "" {
			x.onMessage = strings.Join(e.Message.Reactions, " ")
			return true
		}
		if slices.Contains(x.hidden, e.Message.ID) || slices.Contains(x.hidden, e.Message.ReplyTo) {
			return false
		}
		x.put(e.Message, e.Kind == client.EventPost || e.Kind == client.EventEdit)
		return true
	case client.EventDelete:
		x.posts = slices.DeleteFunc(x.posts, func(m client.Message) bool { return m.ID == e.Message.ID })
		return true
	}
	return false
}

// put adds a message, or changes it if it is there. A reaction to something further
// up is no reason to show it again.
func (x *exchange) put(m client.Message, add bool) {
	if i := slices.IndexFunc(x.posts, func(have client.Message) bool { return have.ID == m.ID }); i >= 0 {
		x.posts[i] = m
	} else if add {
		x.posts = append(x.posts, m)
	}
}

// settle takes in what the API says once everything is done: events may be late, and
// a server that was killed may have left one out.
func (x *exchange) settle(turns []client.Turn, room []client.Message) {
	x.turns = turns
	for _, t := range turns {
		for _, r := range t.Receipts {
			for _, m := range room {
				if m.ID == r.Post {
					x.put(m, true)
				}
			}
		}
	}
}

// rows are what is shown.
func (x *exchange) rows(width int) []row {
	var rows []row
	add := func(text string, dim bool) {
		for _, text := range wrap(text, width) {
			rows = append(rows, row{text, dim})
		}
	}
	for i, m := range x.posts {
		if i > 0 {
			add("", false)
		}
		if m.Kind == "person" {
			add(oneLine(m.Author)+": "+Visible(m.Text), true)
			continue
		}
		add(strings.TrimRight(Visible(m.Text), "\n "), false)
	}
	if x.onMessage != "" {
		add("  "+oneLine(x.onMessage)+" on your message", true)
	}
	for _, t := range x.turns {
		for _, a := range t.Actions {
			add("  "+Outcome(a), true)
		}
	}
	if x.message != "" && x.turns == nil && len(x.posts) == 0 {
		add("…", true)
	}
	if x.stopping && x.turns == nil {
		add("  stopping…", true)
	}
	return rows
}

// Outcome is what an action came to, in a line.
func Outcome(a client.Action) string {
	sign := "✗"
	if a.Done() {
		sign = "✓"
	}
	summary := oneLine(a.Summary)
	if summary == "" {
		summary = oneLine(a.Outcome)
	}
	return sign + " " + oneLine(a.Type) + ": " + summary
}
