package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/platform/web/client"
)

const help = `/help        this
/details     the last turn: the reply as it was written, its actions, its posts
/room NAME   go to another room
/stop        stop what is running; Ctrl-C does so too while an answer is written
/missed      answers that came too late to be sent
/quit        leave; so do Ctrl-D, and Ctrl-C at the prompt
A line that ends with \ goes on in the next one. Everything else is a message.`

// do does what a line says. What is no command here is for Aside: it has commands of
// its own.
func (s *Session) do(ctx context.Context, line string) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "/quit", "/exit":
		return errLeave
	case "/help":
		s.tell(help)
		return nil
	case "/details":
		return s.details(ctx)
	case "/room":
		if len(words) != 2 {
			s.tell("You are in the room " + s.Room + "; /room NAME goes to another one.")
			return nil
		}
		err := s.enter(ctx, words[1])
		var refused *client.Refusal
		if errors.As(err, &refused) {
			s.tell("✗ " + oneLine(refused.Message))
			return nil
		}
		if err == nil {
			s.tell("You are in the room " + s.Room + ".")
		}
		return err
	}
	return s.send(ctx, line)
}

// tell prints a text of the session's own, or one that was made visible.
func (s *Session) tell(text string) {
	var rows []row
	for _, text := range wrap(text, s.Screen.columns()) {
		rows = append(rows, row{text, true})
	}
	s.say(rows...)
}

// details shows the turns of the last message.
func (s *Session) details(ctx context.Context) error {
	if s.last == "" {
		s.tell("You have asked nothing yet.")
		return nil
	}
	turns, err := s.Client.Turns(ctx, s.last)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, t := range turns {
		fmt.Fprintf(&b, "Turn %d (%s). The reply as it was written:\n%s\n", t.ID, oneLine(t.State), indent(t.Reply))
		if t.Failure != "" {
			fmt.Fprintf(&b, "Failure: %s\n", oneLine(t.Failure))
		}
		for _, a := range t.Actions {
			fmt.Fprintf(&b, "%s (%s) %s\n", Outcome(a), oneLine(a.Dialect), oneLine(string(a.Args)))
		}
		for _, p := range t.Problems {
			fmt.Fprintf(&b, "Problem: %s\n", oneLine(p.Explanation))
		}
		for _, r := range t.Receipts {
			fmt.Fprintf(&b, "Post in %s: %s\n", oneLine(r.Room), oneLine(r.State+" "+r.Reason))
		}
	}
	s.tell(strings.TrimRight(b.String(), "\n"))
	return nil
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(Visible(text), "\n"), "\n", "\n  ")
}
