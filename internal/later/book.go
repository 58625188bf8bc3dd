// Package later keeps what is to be done later, once (a deferral) or again and again (a
// loop), and has it done when it is due. It imports the store and what the actions of the
// categories defer and loop want (catalogue/later).
//
// Before changing it, know that nothing here counts but what is stored: an appointment is
// begun in the transaction that opens its errand, and ended in the one that settles the
// errand's last turn. However many processes ring, and whenever they are killed, it is
// begun once.
package later

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/catalogue/later"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A Book keeps appointments. What is nil is not asked or told.
type Book struct {
	Store *store.Store
	Now   func() time.Time

	MaxDelay   time.Duration // of a deferral
	MaxPending int           // deferrals of a person

	// Allowed tells whether the agent may be talked to where a message would stand.
	Allowed func(m platform.Message) bool

	Await    func(due time.Time)              // an errand was opened; see queue.Queue
	Wake     func()                           // there is something new
	StopTurn func(session string, turn int64) // cancels a turn that is being worked on
}

var _ later.Book = (*Book)(nil)

// mostLoops is how many loops of a person may be under way.
const mostLoops = 5

var errStore = errors.New("nothing can be stored at the moment; try again later")

// Add implements later.Book.
func (b *Book) Add(ctx context.Context, key string, a later.Appointment) (later.Appointment, error) {
	most, first := mostLoops, a.Every
	if a.Kind == later.Deferral {
		most, first = b.MaxPending, a.Delay
		if a.Delay <= 0 || a.Delay > b.MaxDelay {
			return a, fmt.Errorf("delaySeconds needs 1 to %d", int(b.MaxDelay.Seconds()))
		}
	}
	if b.Allowed != nil && !b.Allowed(platform.Message{Room: a.Room, Parent: a.Parent, Direct: a.Direct, Author: a.Person}) {
		return a, errors.New("the agent is not to be talked to in that room")
	}
	stored, err := b.Store.AddAppointment(ctx, store.Appointment{
		Kind: store.AppointmentKind(a.Kind), Key: key, Room: a.Room, Parent: a.Parent, Place: a.Place, Direct: a.Direct, Person: a.Person,
		Prompt: a.Prompt, Label: a.Label, Every: a.Every, Due: b.Now().Add(first),
	}, most)
	switch {
	case errors.Is(err, store.ErrTooMany):
		return a, fmt.Errorf("there are %d of this person already, which is all that may wait at a time; cancel one first", most)
	case err != nil:
		return a, errStore
	}
	if b.Wake != nil {
		b.Wake()
	}
	return shown(stored), nil
}

// remembered is how long a list tells of what came to nothing.
const remembered = 24 * time.Hour

// List implements later.Book.
func (b *Book) List(ctx context.Context, kind later.Kind) ([]later.Appointment, error) {
	all, err := b.All(ctx, kind)
	if err != nil {
		return nil, errors.New("it cannot be read at the moment; try again later")
	}
	var list []later.Appointment
	for _, a := range all {
		list = append(list, shown(a))
	}
	return list, nil
}

// All is List as it is stored.
func (b *Book) All(ctx context.Context, kind later.Kind) ([]store.Appointment, error) {
	return b.Store.Appointments(ctx, store.AppointmentKind(kind), b.Now().Add(-remembered))
}

// Find implements later.Book.
func (b *Book) Find(ctx context.Context, kind later.Kind, id string) (later.Appointment, error) {
	a, err := b.One(ctx, kind, id)
	switch {
	case errors.Is(err, store.ErrNoSuchAppointment):
		return later.Appointment{}, later.NotFound(kind, id)
	case err != nil:
		return later.Appointment{}, errors.New("it cannot be read at the moment; try again later")
	}
	return shown(a), nil
}

// One is Find as it is stored, or store.ErrNoSuchAppointment.
func (b *Book) One(ctx context.Context, kind later.Kind, id string) (store.Appointment, error) {
	number, ok := store.ReadAppointmentID(store.AppointmentKind(kind), id)
	if !ok {
		return store.Appointment{}, store.ErrNoSuchAppointment
	}
	return b.Store.Appointment(ctx, store.AppointmentKind(kind), number)
}

// Cancel implements later.Book.
func (b *Book) Cancel(ctx context.Context, kind later.Kind, id string) (later.Appointment, error) {
	was, err := b.End(ctx, kind, id)
	switch {
	case errors.Is(err, store.ErrNoSuchAppointment):
		return later.Appointment{}, later.NotFound(kind, id)
	case err != nil:
		return later.Appointment{}, errStore
	}
	return shown(was), nil
}

// cancelled is why an appointment is not gone on with that somebody has cancelled.
const cancelled = "it was cancelled"

// tries is how often a cancellation is tried while the appointment is being begun or ended.
const tries = 5

// End cancels an appointment, and returns it as it was, or store.ErrNoSuchAppointment.
func (b *Book) End(ctx context.Context, kind later.Kind, id string) (was store.Appointment, err error) {
	number, ok := store.ReadAppointmentID(store.AppointmentKind(kind), id)
	if !ok {
		return was, store.ErrNoSuchAppointment
	}
	var open []store.OpenTurn
	for range tries {
		was, open, err = b.Store.CancelAppointment(ctx, store.AppointmentKind(kind), number, cancelled)
		if !errors.Is(err, store.ErrTakenOver) {
			break
		}
	}
	if err != nil {
		return was, err
	}
	for _, t := range open {
		if b.StopTurn != nil {
			b.StopTurn(t.Session, t.Turn)
		}
	}
	return was, nil
}

// shown is an appointment as actions know it.
func shown(a store.Appointment) later.Appointment {
	return later.Appointment{
		ID: a.ID(), Kind: later.Kind(a.Kind), Room: a.Room, Parent: a.Parent, Place: a.Place, Direct: a.Direct, Person: a.Person,
		Prompt: a.Prompt, Label: a.Label, Every: a.Every, Due: a.Due,
		State: string(a.State), Reason: a.Reason, Busy: a.Errand != "", Open: a.Open(),
	}
}
