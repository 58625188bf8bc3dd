package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/asidehq/aside/platform/web/client"
)

// An Answer is what came of one message.
type Answer struct {
	Room    string
	Message string
	Turns   []client.Turn
	Posts   []client.Message // the agent's, in this room
}

// errForgotten says that a message which was accepted is not known any more.
var errForgotten = errors.New("Aside does not know the message any more: its data was replaced; send it again")

// Once writes a message and waits until everything that follows from it is done.
func Once(ctx context.Context, c *client.Client, room string, d client.Draft) (*Answer, error) {
	message := ""
	// The room is followed before the message is written, or its answer could be
	// there first.
	for e, err := range c.Follow(ctx, room) {
		switch {
		case err != nil:
			return nil, err
		case message == "":
			if message, err = c.Write(ctx, room, d); err != nil {
				return nil, err
			}
			continue
		case e.Kind == client.EventSettled && e.Settled == message, e.Kind == client.Connected, e.Kind == client.Alive:
			turns, err := settledTurns(ctx, c, message)
			if err != nil {
				return nil, err
			}
			if turns != nil {
				return readAnswer(ctx, c, room, message, turns)
			}
		}
	}
	return nil, ctx.Err()
}

// settledTurns are the turns of a message once they are all settled, and nil before.
func settledTurns(ctx context.Context, c *client.Client, message string) ([]client.Turn, error) {
	turns, err := c.Turns(ctx, message)
	switch {
	case client.Refused(err, http.StatusNotFound):
		return nil, errForgotten
	case err != nil:
		return nil, err
	}
	for _, t := range turns {
		if t.State != client.Settled {
			return nil, nil
		}
	}
	return turns, nil
}

// mostPosts is how many messages behind the one that was written are looked through
// for its answer.
const mostPosts = 1000

func readAnswer(ctx context.Context, c *client.Client, room, message string, turns []client.Turn) (*Answer, error) {
	messages, err := c.Messages(ctx, room, message, mostPosts)
	if err != nil {
		return nil, err
	}
	a := &Answer{Room: room, Message: message, Turns: turns}
	for _, m := range messages {
		if slices.ContainsFunc(turns, func(t client.Turn) bool {
			return slices.ContainsFunc(t.Receipts, func(r client.Receipt) bool { return r.Post == m.ID })
		}) {
			a.Posts = append(a.Posts, m)
		}
	}
	return a, nil
}

// Text is what the agent said, harmless for a terminal.
func (a *Answer) Text() string {
	var texts []string
	for _, p := range a.Posts {
		texts = append(texts, strings.TrimRight(Visible(p.Text), "\n "))
	}
	return strings.Join(texts, "\n\n")
}

// Failure is why there is no answer, or not all of it; "" if there is.
func (a *Answer) Failure() string {
	for _, t := range a.Turns {
		if t.Failure != "" {
			return oneLine(t.Failure)
		}
		for _, r := range t.Receipts {
			if r.State != "delivered" && r.State != "withdrawn" {
				return oneLine("a post was not delivered: " + r.Reason)
			}
		}
	}
	return ""
}

// Outcomes are what the actions came to, a line each.
func (a *Answer) Outcomes() []string {
	var lines []string
	for _, t := range a.Turns {
		for _, action := range t.Actions {
			lines = append(lines, Outcome(action))
		}
	}
	return lines
}

// JSON is the answer on one line, for programs.
func (a *Answer) JSON() (string, error) {
	object := struct {
		Room    string          `json:"room"`
		Message string          `json:"message"`
		Turns   []int64         `json:"turns"`
		Text    string          `json:"text"`
		Failure string          `json:"failure"`
		Actions []client.Action `json:"actions"`
	}{Room: a.Room, Message: a.Message, Failure: a.Failure(), Turns: []int64{}, Actions: []client.Action{}}
	var texts []string
	for _, p := range a.Posts {
		texts = append(texts, p.Text) // as it is; JSON makes it harmless
	}
	object.Text = strings.Join(texts, "\n\n")
	for _, t := range a.Turns {
		object.Turns = append(object.Turns, t.ID)
		object.Actions = append(object.Actions, t.Actions...)
	}
	body, err := json.Marshal(object)
	if err != nil {
		return "", err
	}
	return escaped(string(body)), nil
}

// escaped writes what a terminal would obey as JSON escapes. encoding/json does so for
// the characters below the space only.
func escaped(body string) string {
	var b strings.Builder
	for _, r := range body {
		if obeyed(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
