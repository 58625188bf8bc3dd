package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A Message stands in a room: what a person wrote, or what the agent did.
type Message struct {
	ID        string    `json:"id"`
	Room      string    `json:"room"`
	Author    string    `json:"author"`
	Kind      string    `json:"kind"` // person or agent
	Text      string    `json:"text"`
	ReplyTo   string    `json:"reply_to"`
	Mark      string    `json:"mark"`
	Reactions []string  `json:"reactions"`
	At        time.Time `json:"at"`
}

// A Draft is a message to be written. The key is what makes it one message however
// often it is sent: a draft with the key of another one in its room is that one.
type Draft struct {
	Text    string
	User    string
	ReplyTo string
	Key     string
}

// Write writes a message and returns its id. When it returns without an error, the
// message is stored and will be answered.
func (c *Client) Write(ctx context.Context, room string, d Draft) (id string, err error) {
	body := map[string]string{"text": d.Text}
	if d.User != "" {
		body["user"] = d.User
	}
	if d.ReplyTo != "" {
		body["reply_to"] = d.ReplyTo
	}
	var accepted struct {
		ID string `json:"id"`
	}
	err = c.ask(ctx, request{
		method: http.MethodPost, path: inRoom(room, "messages"),
		header: map[string]string{"Idempotency-Key": d.Key}, body: body,
	}, &accepted)
	if err == nil && accepted.ID == "" {
		err = ErrNotAside
	}
	return accepted.ID, err
}

// Messages are what stands in a room behind a message, oldest first, at most so many;
// after "" it begins with the first.
func (c *Client) Messages(ctx context.Context, room, after string, limit int) ([]Message, error) {
	var page struct {
		Messages *[]Message `json:"messages"`
	}
	err := c.ask(ctx, request{
		method: http.MethodGet, path: inRoom(room, "messages"),
		query: url.Values{"after": {after}, "limit": {strconv.Itoa(limit)}},
	}, &page)
	if err == nil && page.Messages == nil {
		err = ErrNotAside
	}
	if err != nil {
		return nil, err
	}
	return *page.Messages, nil
}

// inRoom is the path to something in a room. Whatever the room is called, it is one
// segment; Aside says so if no room can be called that.
func inRoom(room, what string) string {
	name := url.PathEscape(room)
	if strings.Trim(room, ".") == "" {
		name = strings.ReplaceAll(room, ".", "%2E") // or it would mean a directory
	}
	return "/api/v1/rooms/" + name + "/" + what
}
