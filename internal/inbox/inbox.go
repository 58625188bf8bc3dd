// Package inbox is the one way in: every platform hands it what people write, and
// tells the platform "received" only when it has returned.
package inbox

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An Inbox stores messages and has their sessions worked through.
type Inbox struct {
	Store *store.Store
	Queue Queue

	// Stop cancels the running turn of a session if it comes before the one of the
	// message that says so. It is asked at once, before that gets its turn.
	Stop func(session string, before int64)
}

// A Queue works through sessions.
type Queue interface {
	// Enqueue lets open open a turn of a session, and sees to it that it is worked
	// on.
	Enqueue(open func(claim bool) (session string, mine bool, err error)) error
}

// StopCommand is what a person writes to cancel the running turn.
const StopCommand = "/stop"

// Receive implements platform.Inbox.
func (in *Inbox) Receive(ctx context.Context, m platform.Message) error {
	if m.Author.Bot {
		return nil // two bots would answer each other for ever
	}
	session := m.Room.String()
	return in.Queue.Enqueue(func(claim bool) (string, bool, error) {
		r, err := in.Store.Receive(ctx, m, claim)
		if err == nil && r.Fresh && strings.TrimSpace(m.Text) == StopCommand {
			in.Stop(session, r.Turn)
		}
		return session, r.Mine, err
	})
}
