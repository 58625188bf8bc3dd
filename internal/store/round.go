package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// What becomes of an appointment when it is due, when its errand has ended, and when somebody
// cancels it. Each is one transaction, and each looks whether another process was first.

// KeepAppointment begins with an appointment that is due: a deferral is running from then on,
// a loop is due again at next. Both get an errand, unless the one before has not ended; then
// the round is left out. It tells whether an errand was opened: of several processes that
// try, one opens it.
func (s *Store) KeepAppointment(ctx context.Context, a Appointment, next time.Time, e Errand) (opened bool, err error) {
	err = s.In(ctx, func(tx Tx) error {
		opened = false
		state := AppointmentPending
		if a.Kind == Deferral {
			state, next = AppointmentRunning, a.Due
		}
		var open string
		err := tx.row(ctx, `UPDATE appointment SET due = ?, state = ?, changed = CASE WHEN state = ? THEN changed ELSE ? END
			WHERE kind = ? AND number = ? AND state = 'pending' AND due = ? RETURNING errand`,
			stamp(next), state, state, stamp(s.now()), a.Kind, a.Number, stamp(a.Due)).Scan(&open)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // somebody else was first
		}
		if err != nil || open != "" {
			return err
		}
		if _, err := tx.exec(ctx, `UPDATE appointment SET rounds = rounds + 1, errand = ? WHERE kind = ? AND number = ?`, e.Key, a.Kind, a.Number); err != nil {
			return err
		}
		_, err = tx.Open(ctx, e, false)
		opened = err == nil
		return err
	})
	if err != nil {
		return false, fmt.Errorf("begin with %s: %w", a.ID(), err)
	}
	return opened, nil
}

// An Ending is what an errand of an appointment came to.
type Ending struct {
	State    AppointmentState
	Reason   string
	Failures int // in a row
}

// EndErrand notes that the errand of a key has ended which an appointment has opened. end says
// what that comes to; an appointment that was cancelled meanwhile stays so. It does nothing
// if there is no such errand.
func (t Tx) EndErrand(ctx context.Context, key string, end func(Appointment) (Ending, error)) error {
	var a Appointment
	err := scanAppointment(t.row(ctx, appointmentColumns+`WHERE errand = ? AND errand <> ''`, key), &a)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	to := Ending{a.State, a.Reason, a.Failures}
	if a.State != AppointmentCancelled {
		if to, err = end(a); err != nil {
			return err
		}
	}
	_, err = t.exec(ctx, `UPDATE appointment SET errand = '', state = ?, reason = ?, failures = ?, changed = CASE WHEN state = ? THEN changed ELSE ? END WHERE kind = ? AND number = ?`,
		to.State, to.Reason, to.Failures, to.State, stamp(t.s.now()), a.Kind, a.Number)
	return err
}

// Undelivered tells whether something that a turn's message has led to was not delivered.
func (t Tx) Undelivered(ctx context.Context, turn int64) (some bool, err error) {
	err = t.row(ctx, `SELECT EXISTS (SELECT 1 FROM post JOIN turn ON turn.id = post.turn
		WHERE turn.message = (SELECT message FROM turn WHERE id = ?) AND post.state IN ('dead', 'late'))`, turn).Scan(&some)
	return some, err
}

// Say opens an errand in which the runtime itself says something, without asking a model.
func (t Tx) Say(ctx context.Context, e Errand, text string) error {
	o, err := t.Open(ctx, e, false)
	if err == nil && o.Fresh {
		_, err = t.exec(ctx, `UPDATE turn SET notice = ? WHERE id = ?`, text, o.Turn)
	}
	return err
}

// CancelAppointment ends an appointment, and what is being done of it. It returns the turns
// of that which are open, and the appointment as it was; one that has ended stays as it is.
func (s *Store) CancelAppointment(ctx context.Context, kind AppointmentKind, number int64, why string) (was Appointment, open []OpenTurn, err error) {
	err = s.In(ctx, func(tx Tx) (err error) {
		open = nil
		err = scanAppointment(tx.row(ctx, appointmentColumns+`WHERE kind = ? AND number = ?`, kind, number), &was)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoSuchAppointment
		}
		if err != nil || !was.Open() {
			return err
		}
		if was.Errand != "" { // first, in the order in which an errand ends
			if open, err = tx.CancelErrand(ctx, was.Room, was.Errand, why); err != nil {
				return err
			}
		}
		// By now it may have been begun, or have ended.
		done, err := tx.exec(ctx, `UPDATE appointment SET state = 'cancelled', reason = ?, changed = ? WHERE kind = ? AND number = ? AND state = ? AND errand = ?`,
			why, stamp(s.now()), kind, number, was.State, was.Errand)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrTakenOver, err)
		}
		return nil
	})
	if err != nil {
		return was, nil, fmt.Errorf("cancel %s-%d: %w", kind, number, err)
	}
	return was, open, nil
}
