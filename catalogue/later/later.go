// Package later holds the actions of the categories defer and loop: what a reply has done
// later, once, or again and again.
//
// Before changing it, know that whoever asks needs the right to write in the room twice: when
// they ask, which the engine checks, and when it is done, which whoever keeps the book does.
package later

import (
	"context"
	"fmt"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// A Kind is what an appointment is. It is also the name of its category, and stands in its id.
type Kind string

const (
	Deferral Kind = "defer" // once
	Loop     Kind = "loop"  // again and again
)

// An Appointment is something to be done later.
type Appointment struct {
	ID     string // such as defer-1, given by the book
	Kind   Kind
	Room   platform.Room
	Parent string // of the room
	Place  string // what people call the room
	Direct bool
	Person platform.Person // for whom, and with whose rights
	Prompt string
	Label  string
	Delay  time.Duration // of a deferral, from now on
	Every  time.Duration // between two rounds of a loop

	// Known to the book alone.
	Due    time.Time
	State  string // pending, running, paused, failed, barred, done or cancelled
	Reason string // for it
	Busy   bool   // it is being done
	Open   bool   // something is still to come of it
}

// A Book keeps appointments until they are due. Its errors are for a person.
type Book interface {
	// Add writes an appointment down, once for each key.
	Add(ctx context.Context, key string, a Appointment) (Appointment, error)

	// List returns what is still to come, and of which nothing came lately.
	List(ctx context.Context, kind Kind) ([]Appointment, error)

	// Find returns the one of an id.
	Find(ctx context.Context, kind Kind, id string) (Appointment, error)

	// Cancel ends one, and what is being done of it, and returns it as it was.
	Cancel(ctx context.Context, kind Kind, id string) (Appointment, error)
}

// Specs are the actions of both categories. longest is the longest delay that the book takes;
// 0 is not known.
func Specs(platforms venue.Platforms, book Book, longest time.Duration) []*action.Spec {
	return []*action.Spec{
		deferTurn(platforms, book, longest),
		list(platforms, book, Deferral, action.Spec{
			Name: "deferList", Description: "List what was put off: the person's own, and what is in rooms that they can see.",
			Example: `{"type":"deferList"}`,
		}),
		cancel(platforms, book, Deferral, action.Spec{
			Name: "deferCancel", Description: "Cancel something that was put off.",
			Example: `{"type":"deferCancel","id":"defer-1"}`,
		}),
		loopCreate(platforms, book),
		list(platforms, book, Loop, action.Spec{
			Name: "loopList", Description: "List loops, and why one is paused: the person's own, and those in rooms that they can see.",
			Example: `{"type":"loopList"}`,
		}),
		cancel(platforms, book, Loop, action.Spec{
			Name: "loopCancel", Description: "End a loop. One that is paused can only be ended and created again.",
			Example: `{"type":"loopCancel","id":"loop-1"}`,
		}),
	}
}

// appointment is one in the room that a model means, for the person of a call.
func appointment(ctx context.Context, platforms venue.Platforms, c action.Call, kind Kind, room action.Room) (Appointment, error) {
	a := Appointment{
		Kind: kind, Room: venue.Here(c), Parent: c.Parent, Direct: c.Direct,
		Person: platform.Person{ID: c.Person, Name: c.Name, Handle: c.Handle},
	}
	info, err := venue.Info(ctx, platforms, c, room)
	if err != nil && info.Room != a.Room { // what this one is called is only nice to know
		return a, err
	}
	a.Place = venue.Label(info)
	if info.Room != a.Room {
		a.Room, a.Parent, a.Direct = info.Room, "", info.Kind == platform.DirectRoom
		if info.Kind == platform.ThreadRoom {
			a.Parent = info.Parent
		}
	}
	return a, nil
}

// at is a time as models and people read it.
func at(t time.Time) string { return t.UTC().Format("15:04:05 UTC on 2 January 2006") }

// where is the room of an appointment, as it stands behind "in".
func (a Appointment) where(c action.Call) string {
	if a.Room == venue.Here(c) {
		return "this room"
	}
	if a.Place != "" {
		return a.Place
	}
	return a.Room.ID
}

// called is an appointment in an outcome: loop-1 (weather).
func (a Appointment) called() string {
	if a.Label == "" {
		return a.ID
	}
	return fmt.Sprintf("%s (%s)", a.ID, venue.Name(a.Label))
}
