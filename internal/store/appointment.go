package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// An Appointment is something to be done later, for a person and in a room: once, which is a
// deferral, or again and again, which is a loop.
type Appointment struct {
	Kind   AppointmentKind
	Number int64
	Key    string // of the call that has made it: of two with one key there is only the first

	Room   platform.Room
	Parent string // of the room
	Place  string // what people call the room
	Direct bool
	Person platform.Person

	Prompt string
	Label  string
	Every  time.Duration // between two rounds of a loop
	Due    time.Time     // when it is done next, or was due

	State    AppointmentState
	Reason   string // why it is in that state, for a person
	Rounds   int    // how many were begun
	Errand   string // the key of the one that is open, "" if none is
	Failures int    // in a row
	Created  time.Time
	Changed  time.Time // when it came into its state
}

// An AppointmentKind is what an appointment is.
type AppointmentKind string

const (
	Deferral AppointmentKind = "defer"
	Loop     AppointmentKind = "loop"
)

// An AppointmentState is what has become of an appointment.
type AppointmentState string

const (
	AppointmentPending   AppointmentState = "pending"
	AppointmentRunning   AppointmentState = "running" // a deferral that has begun
	AppointmentDone      AppointmentState = "done"
	AppointmentFailed    AppointmentState = "failed"
	AppointmentBarred    AppointmentState = "barred" // a deferral that was not to be done any more
	AppointmentPaused    AppointmentState = "paused" // a loop that has no more rounds until somebody mends it
	AppointmentCancelled AppointmentState = "cancelled"
)

// ID is what people call an appointment: defer-1, loop-1.
func (a Appointment) ID() string { return string(a.Kind) + "-" + strconv.FormatInt(a.Number, 10) }

// Open tells whether something is still to come of it.
func (a Appointment) Open() bool {
	return a.State == AppointmentPending || a.State == AppointmentRunning || a.State == AppointmentPaused
}

// ReadAppointmentID is the reverse of ID. It takes a bare number as well.
func ReadAppointmentID(kind AppointmentKind, id string) (number int64, ok bool) {
	id = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(id)), string(kind)+"-")
	number, err := strconv.ParseInt(id, 10, 64)
	return number, err == nil && number > 0
}

var (
	// ErrNoSuchAppointment says that there is none of that number.
	ErrNoSuchAppointment = errors.New("there is no such appointment")

	// ErrTooMany says that a person has as many appointments as they may.
	ErrTooMany = errors.New("there are too many already")
)

const appointmentColumns = `SELECT kind, number, key, platform, room, parent, place, direct, person, name, handle, prompt, label, every, due,
	state, reason, rounds, errand, failures, created, changed FROM appointment `

func scanAppointment(row interface{ Scan(...any) error }, a *Appointment) error {
	var every, due, created, changed int64
	err := row.Scan(&a.Kind, &a.Number, &a.Key, &a.Room.Platform, &a.Room.ID, &a.Parent, &a.Place, &a.Direct, &a.Person.ID, &a.Person.Name, &a.Person.Handle,
		&a.Prompt, &a.Label, &every, &due, &a.State, &a.Reason, &a.Rounds, &a.Errand, &a.Failures, &created, &changed)
	a.Every, a.Due = time.Duration(every)*time.Microsecond, unstamp(due)
	a.Created, a.Changed = unstamp(created), unstamp(changed)
	return err
}

// AddAppointment stores an appointment, once for each key, and returns the one that is
// stored. ErrTooMany says that the person has as many as most of that kind, which are
// pending or running.
func (s *Store) AddAppointment(ctx context.Context, a Appointment, most int) (stored Appointment, err error) {
	err = s.In(ctx, func(tx Tx) error {
		if err := tx.lockSession(ctx, "appointments"); err != nil {
			return err
		}
		err := scanAppointment(tx.row(ctx, appointmentColumns+`WHERE key = ?`, a.Key), &stored)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		var open int
		if err := tx.row(ctx, `SELECT COUNT(*) FROM appointment WHERE platform = ? AND person = ? AND kind = ? AND state IN ('pending', 'running')`,
			a.Room.Platform, a.Person.ID, a.Kind).Scan(&open); err != nil {
			return err
		}
		if open >= most {
			return ErrTooMany
		}
		if err := tx.row(ctx, `SELECT COALESCE(MAX(number), 0) + 1 FROM appointment WHERE kind = ?`, a.Kind).Scan(&a.Number); err != nil {
			return err
		}
		now := stamp(s.now())
		if _, err := tx.exec(ctx, `INSERT INTO appointment (kind, number, key, platform, room, parent, place, direct, person, name, handle, prompt, label, every, due, state, created, changed)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)`,
			a.Kind, a.Number, a.Key, a.Room.Platform, a.Room.ID, a.Parent, a.Place, a.Direct, a.Person.ID, a.Person.Name, a.Person.Handle,
			a.Prompt, a.Label, a.Every.Microseconds(), stamp(a.Due), now, now); err != nil {
			return err
		}
		return scanAppointment(tx.row(ctx, appointmentColumns+`WHERE key = ?`, a.Key), &stored)
	})
	if err != nil {
		return Appointment{}, fmt.Errorf("store what is to be done later: %w", err)
	}
	return stored, nil
}

// Appointment returns an appointment, or ErrNoSuchAppointment.
func (s *Store) Appointment(ctx context.Context, kind AppointmentKind, number int64) (a Appointment, err error) {
	err = scanAppointment(s.queryRow(ctx, appointmentColumns+`WHERE kind = ? AND number = ?`, kind, number), &a)
	if errors.Is(err, sql.ErrNoRows) {
		return a, ErrNoSuchAppointment
	}
	if err != nil {
		return a, fmt.Errorf("read %s-%d: %w", kind, number, err)
	}
	return a, nil
}

// Appointments returns those of which something is still to come, and those of which nothing
// came since a time, though nobody has cancelled them; oldest first.
func (s *Store) Appointments(ctx context.Context, kind AppointmentKind, since time.Time) ([]Appointment, error) {
	return s.appointments(ctx, `WHERE kind = ? AND (state IN ('pending', 'running', 'paused') OR state IN ('failed', 'barred') AND changed >= ?) ORDER BY number`, kind, stamp(since))
}

// DueAppointments returns those that are due by a time, in the order in which they are, at
// most so many.
func (s *Store) DueAppointments(ctx context.Context, now time.Time, most int) ([]Appointment, error) {
	return s.appointments(ctx, `WHERE state = 'pending' AND due <= ? ORDER BY due, id`+limit, stamp(now), most)
}

func (s *Store) appointments(ctx context.Context, where string, args ...any) ([]Appointment, error) {
	rows, err := s.query(ctx, appointmentColumns+where, args...)
	if err == nil {
		var all []Appointment
		if all, err = readAll(rows, func(rows *sql.Rows, a *Appointment) error { return scanAppointment(rows, a) }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read what is to be done later: %w", err)
}

// NextAppointment is when the next one is due; zero is never.
func (s *Store) NextAppointment(ctx context.Context) (time.Time, error) {
	var due sql.NullInt64
	if err := s.queryRow(ctx, `SELECT MIN(due) FROM appointment WHERE state = 'pending'`).Scan(&due); err != nil {
		return time.Time{}, fmt.Errorf("look when something is due: %w", err)
	}
	if !due.Valid {
		return time.Time{}, nil
	}
	return unstamp(due.Int64), nil
}
