// Package web is the web page as a platform: rooms that anyone with a browser, or a
// program with an HTTP client, can write in. It is the adapter and its HTTP API; what
// stands in its rooms is kept by a Log.
package web

import (
	"context"
	"encoding/json"
	"time"
)

// A Log keeps what stands in the rooms, and everything that happened to it, in
// order, so that a page that was away can catch up.
//
// It is kept where the messages are: what the inbox receives from a page is in the
// log when Receive returns, with an event "post", and a turn that is settled has its
// event "settled" when Settled is called.
type Log interface {
	// Add puts an entry into its room, with an event "post", and its files with it. An
	// entry whose id is there already changes nothing and is no error.
	Add(ctx context.Context, e Entry) error

	// Edit changes an entry's text, with an event "edit"; Delete takes it away, with
	// an event "delete"; React puts an emoji on it or takes it off, with an event
	// "react". They return false if there is no such entry. What changes nothing
	// makes no event.
	Edit(ctx context.Context, room, id, text string) (bool, error)
	Delete(ctx context.Context, room, id string) (bool, error)
	React(ctx context.Context, room, id, emoji string, on bool) (bool, error)

	// Entries returns the entries of a room, oldest first, behind the one of an id
	// (all of them if it is ""), at most so many.
	Entries(ctx context.Context, room, after string, most int) ([]Entry, error)

	// EntriesBefore returns the newest entries of a room before the one of an id (at
	// all if it is "" or there is no such entry), oldest first, at most so many.
	EntriesBefore(ctx context.Context, room, before string, most int) ([]Entry, error)

	// Rooms returns the rooms that have entries, the one with the newest first, at
	// most so many.
	Rooms(ctx context.Context, most int) ([]Room, error)

	// Events returns the events of a room behind a number, oldest first, at most so
	// many. Last is the number of the newest, 0 if there is none.
	Events(ctx context.Context, room string, after int64, most int) ([]Event, error)
	Last(ctx context.Context, room string) (int64, error)

	// File returns a file of an entry with its bytes, or nil if there is none.
	File(ctx context.Context, id string) (*File, error)
}

// An Entry is a message or a post in a room.
type Entry struct {
	ID        string    `json:"id"`
	Room      string    `json:"room"`
	Author    string    `json:"author"`
	Kind      string    `json:"kind"` // person or agent
	Text      string    `json:"text"`
	ReplyTo   string    `json:"reply_to"`
	Mark      string    `json:"mark"`
	Reactions []string  `json:"reactions"`
	Files     []File    `json:"files"`
	At        time.Time `json:"at"`
}

// A File stands with an entry. Whoever has its id can download it.
type File struct {
	ID   string `json:"id"` // cannot be guessed
	Name string `json:"name"`
	Type string `json:"type"`
	Size int64  `json:"size"`
	Data []byte `json:"-"`
}

// An Event is something that happened in a room.
type Event struct {
	ID   int64
	Kind string // post, edit, delete, react, mark, settled
	Body json.RawMessage
}
