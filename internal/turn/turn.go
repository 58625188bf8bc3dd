// Package turn is the engine: it brings a turn from the message to the settled
// answer, one file per stage. Each stage ends in one transaction, so a turn can be
// taken up again after any of them.
//
// Before changing it, know what makes that safe: the reply is stored before anything
// acts on it, an action's outcome before the next one runs, a post before it is
// sent.
package turn

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// An Engine runs turns, many at once.
type Engine struct {
	Store    *store.Store
	Outbox   *outbox.Outbox
	Model    model.Model
	Registry *action.Registry
	Reading  extract.Config // with the dialects of chat
	Policy   action.Policy
	Gatherer *Gatherer
	Folder   *Folder
	Now      func() time.Time
	Logger   *slog.Logger

	// FollowupDepth is how often in a row the model may be asked again with what came of
	// its actions.
	FollowupDepth int

	// Continues is how often in a row a turn that only says what is being done is
	// continued; nil is never.
	Continues func(*store.Turn) int

	// Corrects says that the model can be told, when it is asked again about a message, what
	// the person has written meanwhile. If not, that is a turn of its own.
	Corrects bool

	// Classifier says what replies are; nil leaves that to rules.
	Classifier model.Model

	// Sendable tells which file of at most so many bytes a path in a reply names, if it may
	// be sent; nil leaves paths alone.
	Sendable func(path string, most int64) (file string, ok bool)

	// Judges tells whether Judge decides, in the room of a message, which are answered.
	Judges func(m platform.Message) bool
	Judge  model.Model

	// ModelOf is the model that is asked in an errand; nil is Model.
	ModelOf func(b store.Brief) (model.Model, error)

	// DialectsOf are the dialects that a role's replies are read in; nil is Reading's for all.
	DialectsOf func(role string) extract.Dialect

	// Barred is why an errand is not to be run any more, "" if it may be: the room may be
	// closed to the agent by now, or the person may have lost the right. Nil asks nobody.
	Barred func(ctx context.Context, t *store.Turn) (why string, err error)

	// Revoked tells whether an errand was called off after it was opened. It is asked once
	// Stop reaches the turn, so that whoever calls one off and then stops it can be sure.
	// Nil is never.
	Revoked func(ctx context.Context, t *store.Turn) (bool, error)

	// Ended is called with the last turn of an errand, in the transaction that settles it;
	// nil does nothing.
	Ended func(ctx context.Context, tx store.Tx, t *store.Turn) error

	// Allowed tells whether the agent is to be talked to in the room of a message; nil allows
	// all.
	Allowed func(m platform.Message) bool

	// Every ticks for what is shown again and again; nil is a time.Ticker.
	Every func(time.Duration) (tick <-chan time.Time, stop func())

	Metrics *observe.Metrics // what it has done; nil counts nothing
	Tracer  trace.Tracer     // of turns; nil makes no spans

	mu      sync.Mutex
	running map[string][]*running // by session
}

// Decider decides about the engine's actions.
func (e *Engine) Decider() *Decider {
	return &Decider{Registry: e.Registry, Policy: e.Policy, Platforms: e.Outbox, Wait: e.Outbox.Wait}
}

// Step brings a turn to its next stage. An error means that it could not be brought
// forward now.
func (e *Engine) Step(ctx context.Context, t *store.Turn) error {
	switch t.Stage {
	case store.Waiting:
		return e.generate(ctx, t)
	case store.Generated:
		return e.stage(ctx, "act", t, e.act)
	case store.Acted:
		var delivered bool
		err := e.stage(ctx, "deliver", t, func(ctx context.Context, t *store.Turn) (err error) {
			delivered, err = e.deliver(ctx, t)
			return err
		})
		if err != nil {
			return err
		}
		e.settled(ctx, t, delivered)
		if t.Complete {
			e.report(ctx, t)
		}
	}
	return nil
}

// report tells a platform that wants to know that a turn is settled.
func (e *Engine) report(ctx context.Context, t *store.Turn) {
	p, ok := e.Outbox.Platform(t.Message.Room.Platform)
	if !ok {
		return
	}
	if settler, ok := p.(platform.Settler); ok {
		settler.Settled(ctx, t.Message.Room, t.Message.ID, t.ID)
		for _, joined := range t.Answered {
			settler.Settled(ctx, joined.Message.Room, joined.Message.ID, t.ID)
		}
	}
}
