package platform

import (
	"context"
	"time"
)

// A Page says which messages of a room to read.
type Page struct {
	Most   int
	Before string // the id of a message, or ""
	After  string
}

// A Historian reads what stands in a room.
type Historian interface {
	// Messages returns messages, newest first, the agent's own included.
	Messages(ctx context.Context, room Room, page Page) ([]Message, error)
	Message(ctx context.Context, room Room, id string) (Message, error)
}

// A Search says what to look for.
type Search struct {
	Text   string
	Room   Room // all rooms near it if its ID is ""
	Most   int
	Pages  int // how often to read on at most
	Before time.Time
	After  time.Time
}

// A Searcher finds messages in the rooms that a person may see, newest first.
type Searcher interface {
	Search(ctx context.Context, near Room, person string, search Search) ([]Message, error)
}

// A Pinner pins messages. All of it is repeatable.
type Pinner interface {
	Pin(ctx context.Context, room Room, message string) error
	Unpin(ctx context.Context, room Room, message string) error
	Pins(ctx context.Context, room Room) ([]Message, error)
}

// A Sweeper deletes the last messages of a room. It says how many it has deleted: some
// are too old for the platform.
type Sweeper interface {
	Sweep(ctx context.Context, room Room, count int) (deleted int, err error)
}

// A Crossposter sends a message of an announcement room to whoever follows it.
type Crossposter interface {
	Crosspost(ctx context.Context, room Room, message string) error
}

// A Poll asks people to choose.
type Poll struct {
	Key      string // the same for every try
	Room     Room
	Question string
	Answers  []string
	Several  bool // may be chosen
	For      time.Duration
}

// A Pollster posts polls.
type Pollster interface {
	Poll(ctx context.Context, poll Poll) Receipt
}
