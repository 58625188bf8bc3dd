package store

import (
	"context"
	"database/sql"
	"fmt"
)

// What a person writes while a turn is under way may be answered by it. Then the turn of
// that message is settled with the reply that answers it: until then it waits, and is a
// turn of its own if the process ends.

// mostWaiting is how many waiting turns are looked at.
const mostWaiting = 50

// WaitingAfter returns the turns of the same session that nothing was done for yet and
// whose messages came after a turn's, oldest first.
func (s *Store) WaitingAfter(ctx context.Context, t *Turn) ([]*Turn, error) {
	rows, err := s.query(ctx, `SELECT `+turnColumns+` WHERE session = ? AND stage = 'waiting' AND turn.message > ? AND errand = '' ORDER BY turn.message, turn.id`+limit, t.Session, t.Number, mostWaiting)
	if err == nil {
		var all []*Turn
		if all, err = readAll(rows, readTurn); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read what waits in %s: %w", t.Session, err)
}

// into is the condition that a turn was joined into one of a message's turns, of which
// something is true.
func into(which string) string {
	return ` turn.joined <> 0 AND turn.joined IN (SELECT id FROM turn AS answering WHERE answering.message = ? AND answering.` + which + `)`
}

// Joins returns the turns that were joined into the later turns of a turn's message, oldest
// first: what the person has added while they were under way.
func (s *Store) Joins(ctx context.Context, t *Turn) ([]*Turn, error) {
	return s.joined(ctx, t, "follows > 0")
}

func (s *Store) joined(ctx context.Context, t *Turn, which string) ([]*Turn, error) {
	rows, err := s.query(ctx, `SELECT `+turnColumns+` WHERE`+into(which)+` ORDER BY turn.message, turn.id`, t.Number)
	if err == nil {
		var all []*Turn
		if all, err = readAll(rows, readTurn); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read what was joined into turn %d: %w", t.ID, err)
}

func readTurn(rows *sql.Rows, t **Turn) (err error) {
	*t, err = scanTurn(rows)
	return err
}

// join settles turns that wait as joined into another one.
func (t Tx) join(ctx context.Context, into *Turn, turns []*Turn, now int64) error {
	for _, turn := range turns {
		if err := owned(t.exec(ctx, `UPDATE turn SET stage = 'settled', joined = ?, updated = ? WHERE id = ? AND stage = 'waiting' AND`+owns,
			into.ID, now, turn.ID, t.s.Process)); err != nil {
			return err
		}
	}
	return nil
}

// answered are the messages that were joined into the turns of a message, which is
// answered with them.
func (t Tx) answered(ctx context.Context, turn *Turn) ([]*Turn, error) {
	if turn.Follows == 0 && turn.Joins == 0 {
		return nil, nil
	}
	rows, err := t.rows(ctx, `SELECT `+turnColumns+` WHERE`+into("follows >= 0")+` ORDER BY turn.message, turn.id`, turn.Number)
	if err != nil {
		return nil, err
	}
	return readAll(rows, readTurn)
}
