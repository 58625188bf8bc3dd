package mark

import (
	"context"
	"time"

	"github.com/asidehq/aside/platform"
)

// Wanted is the mark that is to stand on a message.
type Wanted struct {
	Message int64 // its number in the store
	Room    platform.Room
	Stands  string // the platform's id of what stands in the room
	Mark    Mark
	Own     []string // what the agent itself has put on it, oldest first
	Shown   bool     // it is known to stand there
	Fresh   bool     // nothing that Aside has put there can stand on it yet
}

// A Book is where it is written down which marks are wanted.
type Book interface {
	// Mark is what is wanted on a message, false if it has no mark.
	Mark(ctx context.Context, message int64) (Wanted, bool, error)

	// Unshown are final marks that were wanted before a time and are not known to stand
	// where they should.
	Unshown(ctx context.Context, before time.Time) ([]Wanted, error)

	// Waiting are messages that nobody has taken up since a time, though no earlier one of
	// their session is being worked on.
	Waiting(ctx context.Context, since time.Time) ([]Wanted, error)

	// Shown notes what became of a final mark, if it is still the one that is wanted: it
	// stands there, was refused, or was given up.
	Shown(ctx context.Context, w Wanted, became Mark) error

	// Turn changes the mark of a message on the web page from one to another, if it is
	// that one. It tells whether it was.
	Turn(ctx context.Context, w Wanted, from, to Mark) (bool, error)
}
