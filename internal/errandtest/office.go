// Package errandtest is for tests of what opens errands: an engine with a queue, a store, a
// platform in memory, and a clock that is moved by hand. It imports the engine, so the
// engine's own tests cannot use it.
package errandtest

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/memory"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform"
)

// An Office is a process that answers, with everything that it needs.
type Office struct {
	t      testing.TB
	Clock  *Clock
	Store  *store.Store
	Hall   *Hall
	Model  *Model
	Engine *turn.Engine
	Queue  *queue.Queue
	Outbox *outbox.Outbox
	Inbox  *inbox.Inbox

	stopOnce *sync.Once
}

// Options of an Office. What is nil is made.
type Options struct {
	Database string // "" is SQLite in Dir
	Dir      string
	Clock    *Clock
	Hall     *Hall
	Model    *Model
	Parallel int // 0 is eight

	// More are further actions.
	More func(o *Office) []*action.Spec
}

// New puts an office together. It does not work before Start.
func New(t testing.TB, opt Options) *Office {
	t.Helper()
	o := &Office{t: t, Clock: opt.Clock, Hall: opt.Hall, Model: opt.Model}
	if o.Clock == nil {
		o.Clock = NewClock()
	}
	if o.Hall == nil {
		o.Hall = NewHall()
	}
	if o.Model == nil {
		o.Model = &Model{}
	}
	s, err := store.Open(t.Context(), opt.Database, opt.Dir, o.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o.Store = s
	o.Outbox = &outbox.Outbox{
		Store: s, Platforms: map[string]platform.Platform{o.Hall.Name(): o.Hall}, MaxAge: time.Hour, Now: o.Clock.Now,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	log := slog.New(slog.DiscardHandler)
	o.Engine = &turn.Engine{
		Store: s, Outbox: o.Outbox, Model: o.Model, Reading: extract.Config{Dialects: extract.Everything &^ extract.Envelope},
		Policy: action.Policy{Enabled: true, Confirm: []string{"destructive"}}, FollowupDepth: 1, Now: o.Clock.Now, Logger: log,
		Folder: &turn.Folder{Store: s, Tokens: 1000, Logger: log},
	}
	t.Cleanup(o.Engine.Folder.Stop)
	parallel := opt.Parallel
	if parallel == 0 {
		parallel = 8
	}
	o.Queue = queue.New(s, queue.Options{Parallel: parallel, Logger: log, Step: o.Engine.Step})
	o.Inbox = &inbox.Inbox{Store: s, Queue: o.Queue, Now: o.Clock.Now, Stop: o.Engine.Stop}
	remembered := &memory.Memory{Store: s, Now: o.Clock.Now}
	specs := slices.Concat(messaging.Specs(o.Outbox, o.Outbox), catalogue.Specs(remembered), tools.Specs())
	if opt.More != nil {
		specs = append(specs, opt.More(o)...)
	}
	if o.Engine.Registry, err = action.NewRegistry(specs...); err != nil {
		t.Fatal(err)
	}
	o.Engine.Gatherer = &turn.Gatherer{
		Store: s, Registry: o.Engine.Registry, Policy: o.Engine.Policy, Dialects: extract.Everything &^ extract.Envelope, Persona: func() string { return "You are a test." }, Tokens: 1000,
		Memory: remembered,
	}
	return o
}

// Start has the office work until the test ends, or Stop.
func (o *Office) Start() {
	o.t.Helper()
	if err := o.Queue.Start(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
	var once sync.Once
	o.stopOnce = &once
	o.t.Cleanup(o.Stop)
}

// Stop has it stop, as a process does that is asked to end: what runs is cut off.
func (o *Office) Stop() {
	o.stopOnce.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		if err := o.Queue.Stop(ctx); err != nil {
			o.t.Error(err)
		}
	})
}

// Say has somebody write in a room.
func (o *Office) Say(who, room, id, text string) {
	o.t.Helper()
	m := platform.Message{Room: Room(room), ID: id, Text: text, Author: platform.Person{ID: who, Name: who}, At: o.Clock.Now()}
	if err := o.Inbox.Receive(o.t.Context(), m); err != nil {
		o.t.Fatal(err)
	}
}

// Ask is Say, and waits until everything that follows is settled. It returns what came of the
// actions.
func (o *Office) Ask(who, room, id, text string) []store.Action {
	o.t.Helper()
	o.Say(who, room, id, text)
	o.Settled(id)
	return o.Ledger(id)
}

// Settled waits until everything that follows from a message or an errand is settled.
func (o *Office) Settled(id string) {
	o.t.Helper()
	o.Hall.until(o.t, "message "+id+" is settled", func() bool { return o.Hall.settled[id] })
}

// Turns are those of a message or an errand.
func (o *Office) Turns(id string) []*store.Turn {
	o.t.Helper()
	turns, err := o.Store.TurnsOf(o.t.Context(), o.Hall.Name(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return turns
}

// Ledger are the actions of a message or an errand.
func (o *Office) Ledger(id string) []store.Action {
	o.t.Helper()
	var all []store.Action
	for _, t := range o.Turns(id) {
		actions, err := o.Store.Actions(o.t.Context(), t.ID)
		if err != nil {
			o.t.Fatal(err)
		}
		all = append(all, actions...)
	}
	return all
}
