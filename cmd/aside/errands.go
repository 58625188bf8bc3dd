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
	"github.com/asidehq/aside/internal/cron"
	"github.com/asidehq/aside/internal/display"
	"github.com/asidehq/aside/internal/forge"
	"github.com/asidehq/aside/internal/later"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/schedule"
	"github.com/asidehq/aside/internal/spawn"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/task"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// errands are the turns that no message starts: what opens them, by the clock, and what
// is done when they have ended.
type errands struct {
	clocks   []*schedule.Clock
	displays *display.Keeper
	ended    map[action.Flow]func(ctx context.Context, tx store.Tx, t *store.Turn) error

	opened func() // the queue looks for what was opened
	board  *task.Board
	crons  *cron.Book
	forums forums // that show the board and the jobs
	later  *later.Book
	agents *spawn.Agents

	plans   *plan.Plans
	forging *forge.Forge
}

// newErrands is what actions open errands with. It does nothing before it is connected.
func newErrands(c *config.Config, s *store.Store, log *slog.Logger) *errands {
	board := newBoard(c, s)
	plans := newPlans(c, s, board, log)
	return &errands{
		ended: map[action.Flow]func(context.Context, store.Tx, *store.Turn) error{},
		displays: display.New(display.Keeper{
			Store: s,
			After: func(d time.Duration) (<-chan time.Time, func()) {
				timer := time.NewTimer(d)
				return timer.C, func() { timer.Stop() }
			},
		}),
		board: board,
		crons: &cron.Book{Store: s, Now: time.Now},
		later: &later.Book{
			Store: s, Now: time.Now, MaxDelay: c.Defer.MaxDelay, MaxPending: c.Defer.MaxPending,
			Allowed: func(m platform.Message) bool { return talksIn(c, m) },
		},
		agents: &spawn.Agents{Store: s, Now: time.Now, Wait: wait},
		plans:  plans, forging: newForging(c, s, plans, log),
	}
}

// connect connects what opens errands with who works on them.
func (e *errands) connect(c *config.Config, jobs *queue.Queue, engine *turn.Engine, out *outbox.Outbox, stop func(session string, before int64), log *slog.Logger) {
	e.opened = func() { jobs.Await(time.Now()) }
	e.connectCrons(c, log)
	e.displays.Logger, e.displays.Display, e.displays.InSeat = log, out.Display, jobs.InSeat
	e.later.Await, e.later.StopTurn = jobs.Await, engine.StopTurn
	e.later.Wake = e.ring("later", e.later, log).Wake
	e.ended[action.OnDeferral], e.ended[action.OnLoop] = e.later.Ended, e.later.Ended
	e.agents.Open, e.agents.StopTurn = jobs.Open, engine.StopTurn
	e.connectPlans(jobs, engine, stop, log)
	e.connectForge(engine, out, stop)
}

// flowOf is what a turn began with.
func flowOf(t *store.Turn) action.Flow { return action.Flow(cmp.Or(t.Origin, t.Flow)) }

// ring rings for a book, and returns the clock that does.
func (e *errands) ring(name string, book schedule.Book, log *slog.Logger) *schedule.Clock {
	clock := schedule.New(schedule.Clock{Book: book, Name: name, Now: time.Now, Logger: log})
	e.clocks = append(e.clocks, clock)
	return clock
}

// begin begins a turn. When an errand's is left, it is shown what that has changed, and the
// queue looks for what it has opened: what follows an errand is opened in the transaction
// that ends it, in a session of its own.
func (e *errands) begin(ctx context.Context, t *store.Turn, next func(context.Context, *store.Turn) (context.Context, func(error))) (context.Context, func(error)) {
	ctx, end := next(ctx, t)
	if t.Brief == nil {
		return ctx, end
	}
	return ctx, func(err error) {
		end(err)
		e.opened()
		e.displays.Wake()
		if flowOf(t) == action.OnPlan {
			e.plans.Changed() // its file is to be written
		}
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

// talksIn tells whether the agent may be talked to where a message stands.
func talksIn(c *config.Config, m platform.Message) bool {
	return allowed(c, m) && (m.Direct || modeOf(c, m) != config.ModeOff)
}

// offNow is why what an errand was asked for with may not be used any more.
func offNow(c *config.Config, t *store.Turn) string {
	category, ok := map[action.Flow]string{action.OnDeferral: "defer", action.OnLoop: "loop", action.OnSpawn: "spawn"}[action.Flow(t.Flow)]
	if !ok {
		return ""
	}
	return policy(c).Off(category)
}

// barred is why an errand is not to be run any more: what holds for the person's messages
// in the room holds for what is done there in their name.
func barred(c *config.Config, door *access.Door, out *outbox.Outbox) func(context.Context, *store.Turn) (string, error) {
	return func(ctx context.Context, t *store.Turn) (string, error) {
		m := t.Message
		if _, ok := out.Platform(m.Room.Platform); !ok {
			return fmt.Sprintf("%s is not connected any more", m.Room.Platform), nil
		}
		if why := offNow(c, t); why != "" {
			return why, nil
		}
		if !talksIn(c, m) {
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
