package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// Settled is the state of a turn that is over.
const Settled = "settled"

// A Turn is one reply and what followed from it.
type Turn struct {
	ID       int64     `json:"id"`
	State    string    `json:"state"`
	Message  string    `json:"message"`
	Reply    string    `json:"reply"` // as the model wrote it
	Shown    string    `json:"shown"`
	Failure  string    `json:"failure"`
	Actions  []Action  `json:"actions"`
	Receipts []Receipt `json:"receipts"`
	Problems []Problem `json:"problems"`
}

// An Action is an instruction of a reply and what it came to.
type Action struct {
	Dialect string          `json:"dialect"`
	Type    string          `json:"type"`
	Args    json.RawMessage `json:"args"`
	Outcome string          `json:"outcome"`
	Summary string          `json:"summary"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Done reports whether the action did what it should.
func (a Action) Done() bool { return a.Outcome == "done" }

// A Receipt is what became of a post.
type Receipt struct {
	Key    string `json:"key"`
	Room   string `json:"room"`
	Post   string `json:"post"`
	State  string `json:"state"`
	Reason string `json:"reason"`
}

// A Problem is something that looked like an instruction and could not be used.
type Problem struct {
	Kind        string `json:"kind"`
	Raw         string `json:"raw"`
	Explanation string `json:"explanation"`
}

// Turns are the turns that a message has started, oldest first. A message that Aside
// does not know is a Refusal with status 404.
func (c *Client) Turns(ctx context.Context, message string) ([]Turn, error) {
	var page struct {
		Turns []Turn `json:"turns"`
	}
	err := c.ask(ctx, request{
		method: http.MethodGet, path: "/api/v1/turns", query: url.Values{"message": {message}},
	}, &page)
	if err == nil && len(page.Turns) == 0 {
		err = ErrNotAside
	}
	return page.Turns, err
}
