package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/platform"
)

// What a person says in several messages, one right after the other, is a burst: its first
// message has the turn that answers, which does not begin before the burst is over. The
// others are stored like any message, join the first, and have turns that are settled.
//
// Before changing it, know what keeps a message from being lost between the two: a turn
// that is due is begun by a transaction that ends the burst (endBurst), and a message joins
// only a burst that has not ended, in the transaction that stores it.

// longestBurst is for how many times the debounce a burst can go on: somebody who never
// pauses is answered, too.
const longestBurst = 10

// joinedWhy is why the turn of a message that has joined another one says nothing.
const joinedWhy = "It was answered together with an earlier message of the same person."

// joinBurst makes a message part of the burst that its author has begun in its room, if
// there is one that is not over, and returns the turn that answers it, or 0.
func (t Tx) joinBurst(ctx context.Context, m platform.Message, how Handling) (turn int64, err error) {
	now, debounce := t.s.now(), how.Debounce
	var first, created int64
	err = t.row(ctx, `SELECT turn.id, turn.message, turn.created FROM turn JOIN message ON message.id = turn.message
		WHERE session = ? AND stage <> 'settled' AND stage = 'waiting' AND due > ? AND author = ? ORDER BY turn.id DESC LIMIT 1`,
		m.Room.String(), stamp(now), m.Author.ID).Scan(&turn, &first, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	last := unstamp(created).Add(longestBurst * debounce)
	if err != nil || !now.Before(last) {
		return 0, err
	}
	due := now.Add(debounce)
	if last.Before(due) {
		due = last
	}
	// Whoever calls the agent in one message of a burst means the whole of it.
	if _, err := t.exec(ctx, `UPDATE message SET joins = joins + 1, mentioned = mentioned OR ?, silent = silent AND ? WHERE id = ?`, m.Mentioned, how.Silent, first); err != nil {
		return 0, err
	}
	_, err = t.exec(ctx, `UPDATE turn SET due = ? WHERE id = ?`, stamp(due), turn)
	return turn, err
}

// endBurst ends the burst of a turn that is due: nothing joins it any more.
func (s *Store) endBurst(ctx context.Context, t *Turn) error {
	return s.In(ctx, func(tx Tx) error {
		if err := tx.lockSession(ctx, t.Session); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `UPDATE turn SET due = 0 WHERE id = ? AND due <= ? AND`+owns, t.ID, stamp(s.now()), s.Process)
		return err
	})
}

// firstDue is when the first of a session's open turns may begin, 0 if at once.
func (t Tx) firstDue(ctx context.Context, session string) (due int64, err error) {
	err = t.row(ctx, `SELECT COALESCE(MIN(due), 0) FROM turn WHERE session = ? AND stage <> 'settled'`, session).Scan(&due)
	return due, err
}

// wait gives a session a lease that nobody claims before one of its turns may begin. It
// tells when that is, whether a process is at work on the session, and whether everything
// before was settled.
func (t Tx) wait(ctx context.Context, session string) (due time.Time, busy, idle bool, err error) {
	first, err := t.firstDue(ctx, session)
	if err != nil {
		return time.Time{}, false, false, err
	}
	now := stamp(t.s.now())
	var since int64
	err = t.row(ctx, `INSERT INTO lease (session, owner, since, due) VALUES (?, '', ?, ?)
		ON CONFLICT (session) DO UPDATE SET due = excluded.due WHERE lease.owner = '' RETURNING since`, session, now, first).Scan(&since)
	if errors.Is(err, sql.ErrNoRows) {
		return unstamp(first), true, false, nil
	}
	return unstamp(first), false, since == now, err
}

// park gives a session that this process owns free until one of its turns may begin. It
// does not if one may by now.
func (t Tx) park(ctx context.Context, session string) (parked bool, err error) {
	due, err := t.firstDue(ctx, session)
	if err != nil || due <= stamp(t.s.now()) {
		return false, err
	}
	_, err = t.exec(ctx, `UPDATE lease SET owner = '', due = ? WHERE session = ? AND owner = ?`, due, session, t.s.Process)
	return true, err
}

// NextDue returns when the next session can be claimed that cannot be now, or zero.
func (s *Store) NextDue(ctx context.Context) (time.Time, error) {
	var due int64
	if err := s.queryRow(ctx, `SELECT COALESCE(MIN(due), 0) FROM lease WHERE owner = '' AND due > ?`, stamp(s.now())).Scan(&due); err != nil {
		return time.Time{}, fmt.Errorf("look when there is more to do: %w", err)
	}
	if due == 0 {
		return time.Time{}, nil
	}
	return unstamp(due), nil
}

// StopWaiting settles the turns of a session that wait for their burst to be over: somebody
// wants the agent to stop.
func (s *Store) StopWaiting(ctx context.Context, session string) error {
	var wanted []mark.Wanted
	err := s.In(ctx, func(tx Tx) error {
		wanted = nil
		if err := tx.lockSession(ctx, session); err != nil {
			return err
		}
		now := stamp(s.now())
		rows, err := tx.rows(ctx, `UPDATE turn SET stage = ?, due = 0, unanswered = ?, updated = ? WHERE session = ? AND stage <> 'settled' AND stage = 'waiting' AND due > 0 RETURNING message`,
			Settled, "A person stopped it before it began.", now, session)
		if err != nil {
			return err
		}
		stopped, err := readAll(rows, func(rows *sql.Rows, message *int64) error { return rows.Scan(message) })
		for _, message := range stopped {
			if err != nil {
				return err
			}
			var w []mark.Wanted
			w, err = tx.markAgain(ctx, message, now)
			wanted = append(wanted, w...)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("stop what waits in %s: %w", session, err)
	}
	s.marks.tell(wanted)
	return nil
}

// Burst returns the turns of the messages that are answered with a turn's own from the
// beginning, in order.
func (s *Store) Burst(ctx context.Context, t *Turn) ([]*Turn, error) {
	if t.Joins == 0 {
		return nil, nil
	}
	return s.joined(ctx, t, "follows = 0")
}

// Now is the store's clock.
func (s *Store) Now() time.Time { return s.now() }
