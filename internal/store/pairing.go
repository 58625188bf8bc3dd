package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Pairing is a person who has asked to be let in, or was let in.
type Pairing struct {
	ID      int64
	Room    platform.Room // the direct chat with the person
	Person  platform.Person
	Code    string // "" once it was approved
	State   PairingState
	Changed time.Time // when it came into that state
	Expires time.Time // of the code
}

// A PairingState is what became of somebody's wish to be let in.
type PairingState string

const (
	PairingPending  PairingState = "pending"
	PairingDenied   PairingState = "denied" // until the code would have expired
	PairingApproved PairingState = "approved"
)

// ErrNoSuchCode says that no pending pairing has a code.
var ErrNoSuchCode = errors.New("no one waits with that code")

// ErrNoSuchPerson says that a person was never let in.
var ErrNoSuchPerson = errors.New("no such person was let in")

// Knock notes that a stranger wants to be let in: with the code, for so long, unless as
// many as most wait on that platform already. Who knocks again meanwhile changes nothing.
// It tells whether there is somebody new to be told a code.
func (s *Store) Knock(ctx context.Context, m platform.Message, code string, valid time.Duration, most int) (fresh bool, err error) {
	var futile bool // which costs a stranger's hundredth message no commit
	err = s.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pairing WHERE platform = ? AND person = ? AND (state = 'approved' OR expires > ?))
		OR (SELECT COUNT(*) FROM pairing WHERE platform = ? AND state = 'pending' AND expires > ?) >= ?`,
		m.Room.Platform, m.Author.ID, stamp(s.now()), m.Room.Platform, stamp(s.now()), most).Scan(&futile)
	if err != nil {
		return false, fmt.Errorf("look who wants to be let in on %s: %w", m.Room.Platform, err)
	}
	if futile {
		return false, nil
	}
	err = s.In(ctx, func(tx Tx) error {
		fresh = false
		if err := tx.lockSession(ctx, "pairing "+m.Room.Platform); err != nil {
			return err
		}
		now := s.now()
		if _, err := tx.exec(ctx, `DELETE FROM pairing WHERE platform = ? AND state <> 'approved' AND expires <= ?`, m.Room.Platform, stamp(now)); err != nil {
			return err
		}
		var pending int
		if err := tx.row(ctx, `SELECT COUNT(*) FROM pairing WHERE platform = ? AND state = 'pending'`, m.Room.Platform).Scan(&pending); err != nil || pending >= most {
			return err
		}
		done, err := tx.exec(ctx, `INSERT INTO pairing (platform, person, name, room, code, state, changed, expires)
			VALUES (?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT (platform, person) DO NOTHING`,
			m.Room.Platform, m.Author.ID, m.Author.Name, m.Room.ID, code, stamp(now), stamp(now.Add(valid)))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		fresh = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("note that somebody on %s wants to be let in: %w", m.Room.Platform, err)
	}
	return fresh, nil
}

// Approved tells whether a person was let in.
func (s *Store) Approved(ctx context.Context, platform, person string) (bool, error) {
	var approved bool
	err := s.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pairing WHERE platform = ? AND person = ? AND state = 'approved')`, platform, person).Scan(&approved)
	if err != nil {
		return false, fmt.Errorf("look whether somebody on %s was let in: %w", platform, err)
	}
	return approved, nil
}

const pairingColumns = `SELECT id, platform, person, name, room, code, state, changed, expires FROM pairing `

// Pairings returns who waits to be let in and who was, oldest first.
func (s *Store) Pairings(ctx context.Context) ([]Pairing, error) {
	return s.pairings(ctx, `WHERE state = 'approved' OR state = 'pending' AND expires > ? ORDER BY id`, stamp(s.now()))
}

// UntoldPairings returns those who do not know yet that they have a code, or were let in.
func (s *Store) UntoldPairings(ctx context.Context) ([]Pairing, error) {
	return s.pairings(ctx, `WHERE NOT told AND (state = 'approved' OR state = 'pending' AND expires > ?) ORDER BY id`, stamp(s.now()))
}

func (s *Store) pairings(ctx context.Context, where string, args ...any) ([]Pairing, error) {
	rows, err := s.query(ctx, pairingColumns+where, args...)
	if err == nil {
		var all []Pairing
		if all, err = readAll(rows, func(rows *sql.Rows, p *Pairing) (err error) { *p, err = scanPairing(rows); return err }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read who was let in: %w", err)
}

func scanPairing(row interface{ Scan(...any) error }) (p Pairing, err error) {
	var changed, expires int64
	err = row.Scan(&p.ID, &p.Room.Platform, &p.Person.ID, &p.Person.Name, &p.Room.ID, &p.Code, &p.State, &changed, &expires)
	p.Changed, p.Expires = unstamp(changed), unstamp(expires)
	return p, err
}

// Approve lets the person in who waits with a code.
func (s *Store) Approve(ctx context.Context, code string) (Pairing, error) {
	return s.endPairing(ctx, code, `state = 'approved', code = '', told = FALSE`)
}

// Deny does not let the person in who waits with a code. Until that would have expired
// they get no other one.
func (s *Store) Deny(ctx context.Context, code string) (Pairing, error) {
	return s.endPairing(ctx, code, `state = 'denied', code = '', told = TRUE`)
}

// endPairing changes the pending pairing that has a code. The code is gone with it: it
// works once.
func (s *Store) endPairing(ctx context.Context, code, change string) (p Pairing, err error) {
	err = s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		row := tx.row(ctx, `UPDATE pairing SET changed = ?, `+change+` WHERE code = ? AND code <> '' AND state = 'pending' AND expires > ?
			RETURNING id, platform, person, name, room, code, state, changed, expires`, now, code, now)
		var err error
		if p, err = scanPairing(row); errors.Is(err, sql.ErrNoRows) {
			return ErrNoSuchCode
		}
		if err != nil {
			return err
		}
		return tx.tell(ctx, PairingChanged, "")
	})
	if err != nil {
		return Pairing{}, fmt.Errorf("change who is let in: %w", err)
	}
	return p, nil
}

// Revoke takes back that a person was let in.
func (s *Store) Revoke(ctx context.Context, platform, person string) error {
	err := s.In(ctx, func(tx Tx) error {
		done, err := tx.exec(ctx, `DELETE FROM pairing WHERE platform = ? AND person = ? AND state = 'approved'`, platform, person)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNoSuchPerson, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("change who is let in: %w", err)
	}
	return nil
}

// PairingTold notes that a person knows what became of their pairing, if nothing else has
// become of it since.
func (s *Store) PairingTold(ctx context.Context, p Pairing) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `UPDATE pairing SET told = TRUE WHERE id = ? AND state = ?`, p.ID, p.State)
		return err
	})
	if err != nil {
		return fmt.Errorf("note that somebody knows of their pairing: %w", err)
	}
	return nil
}
