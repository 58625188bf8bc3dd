// Package inbox is the one way in: every platform hands it what people write, and
// tells the platform "received" only when it has returned.
package inbox

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An Inbox stores messages and wakes their sessions.
type Inbox struct {
	Store *store.Store
	Wake  func(ctx context.Context, session string) error

	// Stop cancels what a session is working on. It is asked at once, before the
	// message that says so gets its turn.
	Stop func(session string)
}

// StopCommand is what a person writes to cancel the running turn.
const StopCommand = "/stop"

// Receive implements platform.Inbox.
func (in *Inbox) Receive(ctx context.Context, m platform.Message) error {
	if m.Author.Bot {
		return nil // two bots would answer each other for ever
	}
	_, fresh, err := in.Store.Receive(ctx, m)
	if err != nil {
		return err
	}
	if fresh && strings.TrimSpace(m.Text) == StopCommand {
		in.Stop(m.Room.String())
	}
	// Woken even if the message is an old one: whoever sent it again may have done
	// so because the process died before waking.
	return in.Wake(ctx, m.Room.String())
}
