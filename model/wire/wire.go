// Package wire is what providers that are asked over HTTP have in common: reading a
// stream of events, telling what an error means, and finding out how long to wait.
//
// It imports the standard library and package model. Before changing it, know that
// every provider goes through it: what one server says in an odd way is handled here
// for all of them, because proxies pass on each other's words. model/modeltest has the
// suite that all providers pass.
//
// Nothing is asked twice because it failed; model.Retry does that. What a server says
// about an error goes to the Cause, for the log, and never to the Message.
package wire

import (
	"net/http"
	"strings"
	"time"

	"github.com/asidehq/aside/model"
)

// A Server is what has to be known of a model's server to read its answers.
type Server struct {
	Model string           // what the model is called there
	Key   string           // is kept out of every error; may be empty
	Now   func() time.Time // used where a server says until when to wait

	// AfterEnd is how long to wait for the usage once the reply is complete. A server
	// that does not send it must not hold up the reply.
	AfterEnd time.Duration
}

// NewServer fills in what is usual.
func NewServer(name, key string, now func() time.Time) *Server {
	if now == nil {
		now = time.Now
	}
	return &Server{Model: name, Key: key, Now: now, AfterEnd: 3 * time.Second}
}

// Client is c, or a new client with connections of its own if c is nil.
func Client(c *http.Client) *http.Client {
	if c != nil {
		return c
	}
	c = &http.Client{}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		c.Transport = t.Clone()
	}
	return c
}

// Spoken are the messages without empty ones, which some providers refuse. A person's
// message is kept, so that there is something to answer.
func Spoken(messages []model.Message) []model.Message {
	var spoken []model.Message
	for _, m := range messages {
		if strings.TrimSpace(m.Text) == "" {
			m.Text = ""
		}
		if m.Text == "" && len(m.Images) == 0 {
			if m.Role == model.Assistant {
				continue
			}
			m.Text = "(no text)"
		}
		spoken = append(spoken, m)
	}
	return spoken
}
