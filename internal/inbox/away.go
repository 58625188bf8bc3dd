package inbox

import (
	"context"

	"github.com/asidehq/aside/platform"
)

var _ platform.Doorkeeper = (*Inbox)(nil)

// TurnedAway implements platform.Doorkeeper.
func (in *Inbox) TurnedAway(ctx context.Context, m platform.Message) (why string, err error) {
	const notHere = "I do not listen here."
	r := in.Rules
	if m.Author.Bot || r.Allowed != nil && !r.Allowed(m) {
		return notHere, nil
	}
	if r.Door != nil {
		known, err := r.Door.Knows(ctx, m)
		if err != nil {
			return "", err
		}
		if !known {
			return "You are not on the list of people I talk to.", nil
		}
	}
	if !m.Direct && r.Mode != nil && r.Mode(m) == Off {
		return notHere, nil
	}
	return "", nil
}
