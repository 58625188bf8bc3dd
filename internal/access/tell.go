package access

import (
	"context"
	"fmt"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// tellEvery is how often those are tried again who could not be told.
const tellEvery = time.Minute

// Wake says that there is somebody to be told something.
func (d *Door) Wake() {
	select {
	case d.wake <- struct{}{}:
	default: // it was said already
	}
}

// Run tells strangers their code, and people that they were let in, until the context
// ends. wait waits for a time, or returns the context's error.
func (d *Door) Run(ctx context.Context, wait func(context.Context, time.Duration) error) {
	for ctx.Err() == nil {
		if err := d.Tell(ctx); err != nil && ctx.Err() == nil {
			d.Logger.Error("could not look who is to be told of a pairing", "error", err)
		}
		d.sleep(ctx, wait)
	}
}

// sleep waits until somebody wakes it, or for tellEvery.
func (d *Door) sleep(ctx context.Context, wait func(context.Context, time.Duration) error) {
	waiting, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = wait(waiting, tellEvery) // either way it is over
	}()
	select {
	case <-d.wake:
	case <-over:
	}
	cancel()
	<-over
}

// Tell tells everybody who is to be told something. Whoever cannot be reached is tried
// again the next time.
func (d *Door) Tell(ctx context.Context) error {
	untold, err := d.Store.UntoldPairings(ctx)
	if err != nil {
		return err
	}
	for _, p := range untold {
		key := fmt.Sprintf("pairing-%d-%s-%d", p.ID, p.State, p.Changed.UnixMicro()) // somebody may be let in more than once
		r, err := d.Notify(ctx, "pairing", platform.Post{Key: key, Room: p.Room, Text: textOf(p)})
		if err != nil {
			return err
		}
		switch r.Outcome {
		case platform.Delivered:
		case platform.Refused:
			d.Logger.Warn("somebody cannot be told of their pairing", "room", p.Room.String(), "state", p.State, "reason", r.Reason)
		default:
			continue
		}
		if err := d.Store.PairingTold(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// textOf is what somebody is told of a pairing.
func textOf(p store.Pairing) string {
	if p.State == store.PairingApproved {
		return "You can write to me now."
	}
	return "I do not know you yet, so I have not read your message. Give this code to whoever runs me: " + p.Code +
		". It is good for an hour; I will tell you when you are let in."
}
