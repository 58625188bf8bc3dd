package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/display"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/schedule"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// errands are the turns that no message starts: what opens them, by the clock, and what
// is done when they have ended.
type errands struct {
	clocks   []*schedule.Clock
	displays *display.Keeper
	ended    map[action.Flow]func(ctx context.Context, tx store.Tx, t *store.Turn) error

	// settled are called when what ended did is stored.
	settled map[action.Flow]func()
}

// after is a step of the engine, after which is told what it has settled.
func (e *errands) after(step func(context.Context, *store.Turn) error) func(context.Context, *store.Turn) error {
	return func(ctx context.Context, t *store.Turn) error {
		err := step(ctx, t)
		if err == nil && t.Brief != nil && t.Complete {
			if settled := e.settled[flowOf(t)]; settled != nil {
				settled()
			}
		}
		return err
	}
}

// flowOf is what a turn began with.
func flowOf(t *store.Turn) action.Flow { return action.Flow(cmp.Or(t.Origin, t.Flow)) }

// ring rings for a book, and returns the clock that does.
func (e *errands) ring(name string, book schedule.Book, log *slog.Logger) *schedule.Clock {
	clock := schedule.New(schedule.Clock{Book: book, Name: name, Now: time.Now, Logger: log})
	e.clocks = append(e.clocks, clock)
	return clock
}

// newErrands shows how far long work has come.
func newErrands(s *store.Store, out *outbox.Outbox, seats *queue.Queue, log *slog.Logger) *errands {
	return &errands{
		ended: map[action.Flow]func(context.Context, store.Tx, *store.Turn) error{}, settled: map[action.Flow]func(){},
		displays: display.New(display.Keeper{
			Store: s, Logger: log, Display: out.Display, InSeat: seats.InSeat,
			After: func(d time.Duration) (<-chan time.Time, func()) {
				timer := time.NewTimer(d)
				return timer.C, func() { timer.Stop() }
			},
		}),
	}
}

// begin begins a turn, and has it shown what an errand has changed when it is left.
func (e *errands) begin(ctx context.Context, t *store.Turn, next func(context.Context, *store.Turn) (context.Context, func(error))) (context.Context, func(error)) {
	ctx, end := next(ctx, t)
	if t.Brief == nil {
		return ctx, end
	}
	return ctx, func(err error) {
		end(err)
		e.displays.Wake()
	}
}

// run rings, and shows, until the context ends.
func (e *errands) run(ctx context.Context, beside *sync.WaitGroup) {
	beside.Go(func() { _ = e.displays.Run(ctx) }) // which has no errors but the context's
	for _, clock := range e.clocks {
		beside.Go(func() { clock.Run(ctx) })
	}
}

// end does what is to be done with an errand that has ended.
func (e *errands) end(ctx context.Context, tx store.Tx, t *store.Turn) error {
	if ended := e.ended[flowOf(t)]; ended != nil {
		return ended(ctx, tx, t)
	}
	return nil
}

// modelOf is the model that an errand asks.
func modelOf(models *roleModels) func(store.Brief) (model.Model, error) {
	return func(b store.Brief) (model.Model, error) {
		role := config.Role(b.Role)
		if role == "" {
			role = config.Chat
		}
		if b.Model == "" {
			return models.of(role), nil
		}
		return models.other(role, b.Model)
	}
}

// barred is why an errand is not to be run any more: what holds for the person's messages
// in the room holds for what is done there in their name.
func barred(c *config.Config, door *access.Door, out *outbox.Outbox) func(context.Context, *store.Turn) (string, error) {
	return func(ctx context.Context, t *store.Turn) (string, error) {
		m := t.Message
		if _, ok := out.Platform(m.Room.Platform); !ok {
			return fmt.Sprintf("%s is not connected any more", m.Room.Platform), nil
		}
		if !allowed(c, m) || !m.Direct && modeOf(c, m) == config.ModeOff {
			return "the agent is not to be talked to in that room any more", nil
		}
		if known, err := door.Knows(ctx, m); err != nil || !known {
			return "the person may not talk to the agent any more", err
		}
		warden, err := venue.Ability[platform.Warden](out, m.Room.Platform, "tell who may do what")
		if err != nil || t.Brief.Unposted {
			return "", nil
		}
		may, err := warden.May(ctx, m.Author.ID, platform.SendMessages, m.Room)
		var problem *platform.Problem
		switch {
		case errors.As(err, &problem) && problem.Outcome == platform.Refused:
			return "nobody knows whether the person may still write in that room: " + venue.Reason(err), nil
		case err != nil:
			return "", err // it is tried again
		case !may:
			return "the person may not write in that room any more", nil
		}
		return "", nil
	}
}
