package operator

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	kinds "github.com/asidehq/aside/catalogue/later"
	"github.com/asidehq/aside/internal/later"
	"github.com/asidehq/aside/internal/store"
)

// A Kind is what an appointment is.
type Kind = kinds.Kind

const (
	Deferral = kinds.Deferral
	Loop     = kinds.Loop
)

var (
	// ErrNoSuchAppointment says that there is no deferral or loop of that id.
	ErrNoSuchAppointment = errors.New("there is no such deferral or loop")

	// ErrEnded says that nothing is still to come of it.
	ErrEnded = errors.New("it has ended already")
)

// An OffError says that a category is switched off. It is the sentence of the policy.
type OffError string

func (e OffError) Error() string { return string(e) }

// An Appointment is something to be done later: once, or again and again.
type Appointment struct {
	ID      string                 `json:"id"`
	Kind    Kind                   `json:"kind"`
	State   store.AppointmentState `json:"state"`
	Reason  string                 `json:"reason,omitempty"` // for the state
	Next    *time.Time             `json:"next,omitempty"`   // when it is done, if it waits
	Due     time.Time              `json:"due"`              // when it is or was due
	Every   int                    `json:"every,omitempty"`  // seconds between two rounds of a loop
	Rounds  int                    `json:"rounds"`           // that were begun
	Running bool                   `json:"running"`
	Room    string                 `json:"room"` // platform/id
	Place   string                 `json:"place,omitempty"`
	Person  string                 `json:"person"` // platform/id
	Name    string                 `json:"name"`   // as they call themselves
	Label   string                 `json:"label,omitempty"`
	Prompt  string                 `json:"prompt"`
	Created time.Time              `json:"created"`
}

func appointmentOf(a store.Appointment) Appointment {
	shown := Appointment{
		ID: a.ID(), Kind: Kind(a.Kind), State: a.State, Reason: a.Reason, Due: a.Due, Every: int(a.Every.Seconds()), Rounds: a.Rounds, Running: a.Errand != "",
		Room: a.Room.String(), Place: a.Place, Person: a.Room.Platform + "/" + a.Person.ID, Name: a.Person.Name,
		Label: a.Label, Prompt: a.Prompt, Created: a.Created,
	}
	if a.State == store.AppointmentPending {
		shown.Next = &a.Due
	}
	return shown
}

// book is the one that keeps appointments, unless their category is switched off.
func (l Local) book(kind Kind) (*later.Book, error) {
	if l.Off != nil {
		if why := l.Off(string(kind)); why != "" {
			return nil, OffError(why)
		}
	}
	if l.Later != nil {
		return l.Later, nil
	}
	return &later.Book{Store: l.Store, Now: l.Store.Now}, nil
}

// Appointments returns what is still to come, and of which nothing came in the last day.
func (l Local) Appointments(ctx context.Context, kind Kind) ([]Appointment, error) {
	book, err := l.book(kind)
	if err != nil {
		return nil, err
	}
	all, err := book.All(ctx, kind)
	shown := []Appointment{}
	for _, a := range all {
		shown = append(shown, appointmentOf(a))
	}
	return shown, err
}

// Appointment returns the one of an id, or ErrNoSuchAppointment.
func (l Local) Appointment(ctx context.Context, kind Kind, id string) (Appointment, error) {
	book, err := l.book(kind)
	if err != nil {
		return Appointment{}, err
	}
	a, err := book.One(ctx, kind, id)
	return appointmentOf(a), appointmentError(err)
}

// Cancel ends one, and returns it as it is then.
func (l Local) Cancel(ctx context.Context, kind Kind, id string) (Appointment, error) {
	book, err := l.book(kind)
	if err != nil {
		return Appointment{}, err
	}
	was, err := book.End(ctx, kind, id)
	if err == nil && !was.Open() && was.State != store.AppointmentCancelled {
		err = ErrEnded
	}
	if err != nil {
		return Appointment{}, appointmentError(err)
	}
	return l.Appointment(ctx, kind, id)
}

func appointmentError(err error) error {
	if errors.Is(err, store.ErrNoSuchAppointment) {
		return ErrNoSuchAppointment
	}
	return err
}

// paths are where the API has appointments.
var paths = map[Kind]string{Deferral: "/api/v1/deferrals", Loop: "/api/v1/loops"}

// Appointments returns what is still to come, and of which nothing came in the last day.
func (r Remote) Appointments(ctx context.Context, kind Kind) ([]Appointment, error) {
	page := struct{ Deferrals, Loops []Appointment }{}
	err := r.ask(ctx, http.MethodGet, paths[kind], nil, &page)
	return append(append([]Appointment{}, page.Deferrals...), page.Loops...), err
}

// Appointment returns the one of an id, or ErrNoSuchAppointment.
func (r Remote) Appointment(ctx context.Context, kind Kind, id string) (a Appointment, err error) {
	err = r.ask(ctx, http.MethodGet, paths[kind]+"/"+url.PathEscape(id), ErrNoSuchAppointment, &a)
	return a, err
}

// Cancel ends one, and returns it as it is then.
func (r Remote) Cancel(ctx context.Context, kind Kind, id string) (a Appointment, err error) {
	err = r.ask(ctx, http.MethodDelete, paths[kind]+"/"+url.PathEscape(id), ErrNoSuchAppointment, &a)
	return a, err
}
