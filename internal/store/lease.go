package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A session with open turns has a lease. Its owner is the process that works through
// it, or "" while it waits for one; since is when it was made, or lost its owner. Before
// changing it, know what keeps a session from being forgotten or worked through twice: the
// lease is made in the transaction that opens a turn and ends in one that sees none open,
// and a stage is entered only by the owner.

// open gives a session with a new turn a lease, for this process if it claims one. It
// tells whether this process has to begin: an owner that is at work sees the turn by
// itself.
func (t Tx) open(ctx context.Context, session string, claim bool) (mine bool, err error) {
	mine, _, _, err = t.take(ctx, session, claim)
	return mine, err
}

// take is open, and tells also whether an owner is at work, and whether everything before
// was settled.
func (t Tx) take(ctx context.Context, session string, claim bool) (mine, busy, idle bool, err error) {
	owner := ""
	if claim {
		owner = t.s.Process
	}
	now := stamp(t.s.now())
	var since int64
	err = t.row(ctx, `INSERT INTO lease (session, owner, since) VALUES (?, ?, ?)
		ON CONFLICT (session) DO UPDATE SET owner = excluded.owner, due = 0 WHERE lease.owner = '' RETURNING since`, session, owner, now).Scan(&since)
	if errors.Is(err, sql.ErrNoRows) {
		return false, true, false, nil
	}
	return claim && err == nil, false, since == now, err
}

// end ends the lease of a session without open turns.
func (t Tx) end(ctx context.Context, session string) (ended bool, err error) {
	var open bool
	if err := t.row(ctx, `SELECT EXISTS (SELECT 1 FROM turn WHERE session = ? AND stage <> 'settled')`, session).Scan(&open); err != nil || open {
		return false, err
	}
	_, err = t.exec(ctx, `DELETE FROM lease WHERE session = ? AND owner = ?`, session, t.s.Process)
	return true, err
}

// owns is the condition that this process owns the session of a turn.
const owns = ` EXISTS (SELECT 1 FROM lease WHERE lease.session = turn.session AND lease.owner = ?)`

// Claim makes this process the owner of sessions that wait for one, oldest first, at
// most so many.
//
// Sessions that another one waits for are not among them: see ClaimSpawned.
func (s *Store) Claim(ctx context.Context, most int) (sessions []string, err error) {
	return s.claim(ctx, `session NOT LIKE '`+SpawnSession+`%'`, most)
}

// mostSpawned is how many sessions that others wait for are claimed at a time.
const mostSpawned = 100

// ClaimSpawned is Claim for the sessions that others wait for. Most of the time there are
// none, and it costs no commit.
func (s *Store) ClaimSpawned(ctx context.Context) (sessions []string, err error) {
	const spawned = `session LIKE '` + SpawnSession + `%'`
	var some bool
	if err := s.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM lease WHERE owner = '' AND due <= ? AND `+spawned+`)`, stamp(s.now())).Scan(&some); err != nil {
		return nil, fmt.Errorf("claim sessions: %w", err)
	}
	if !some {
		return nil, nil
	}
	return s.claim(ctx, spawned, mostSpawned)
}

func (s *Store) claim(ctx context.Context, which string, most int) (sessions []string, err error) {
	skip := "" // what another process is about to claim
	if s.Engine == Postgres {
		skip = " FOR UPDATE SKIP LOCKED"
	}
	err = s.In(ctx, func(tx Tx) error {
		sessions = nil
		rows, err := tx.rows(ctx, `UPDATE lease SET owner = ? WHERE session IN
			(SELECT session FROM lease WHERE owner = '' AND due <= ? AND `+which+` ORDER BY since, session`+limit+skip+`) RETURNING session`, s.Process, stamp(s.now()), most)
		if err != nil {
			return err
		}
		sessions, err = readAll(rows, func(rows *sql.Rows, session *string) error { return rows.Scan(session) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim sessions: %w", err)
	}
	return sessions, nil
}

// Release ends this process's lease of a session, unless there is an open turn that it
// has to work on. A session whose turns may all not begin yet waits for an owner until then.
func (s *Store) Release(ctx context.Context, session string) (released bool, err error) {
	err = s.In(ctx, func(tx Tx) error {
		if err := tx.lockSession(ctx, session); err != nil {
			return err
		}
		var mine bool
		if err := tx.row(ctx, `SELECT EXISTS (SELECT 1 FROM lease WHERE session = ? AND owner = ?)`, session, s.Process).Scan(&mine); err != nil {
			return err
		}
		if released = !mine; released {
			return nil
		}
		if released, err = tx.end(ctx, session); released || err != nil {
			return err
		}
		released, err = tx.park(ctx, session)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("release session %s: %w", session, err)
	}
	return released, nil
}

// ErrTakenOver says that another process owns the session or has brought the turn
// forward: this one was thought dead, and must leave it alone. Or the person has changed the
// message meanwhile, and the turn is to be begun anew.
var ErrTakenOver = errors.New("another process has taken the turn over")

// owned is the result of a change that only the owner may make.
func owned(done sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrTakenOver, err)
	}
	return nil
}
