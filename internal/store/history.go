package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// An Exchange is a message and what was answered to it.
type Exchange struct {
	Turn                 int64
	Author, Text, Answer string
}

// Exchanges returns the settled exchanges of a session between two turns, both of
// them not included, newest first, at most so many.
func (s *Store) Exchanges(ctx context.Context, session string, after, before int64, most int) ([]Exchange, error) {
	rows, err := s.query(ctx, `SELECT turn.id, author_name, text, shown FROM turn JOIN message ON message.id = turn.message
		WHERE session = ? AND turn.id > ? AND turn.id < ? AND stage = 'settled' ORDER BY turn.id DESC`+limit,
		session, after, before, most)
	if err == nil {
		var all []Exchange
		all, err = readAll(rows, func(rows *sql.Rows, e *Exchange) error { return rows.Scan(&e.Turn, &e.Author, &e.Text, &e.Answer) })
		if err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the history of %s: %w", session, err)
}

// A Summary is what is kept in mind of a session's older exchanges. They themselves
// stay where they are.
type Summary struct {
	Until int64 // the last turn that it covers; 0 is none
	Text  string
}

// Summary returns a session's summary, an empty one if it has none yet.
func (s *Store) Summary(ctx context.Context, session string) (Summary, error) {
	var sum Summary
	err := s.queryRow(ctx, `SELECT until, text FROM summary WHERE session = ?`, session).Scan(&sum.Until, &sum.Text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Summary{}, fmt.Errorf("read the summary of %s: %w", session, err)
	}
	return sum, nil
}

// SaveSummary replaces a session's summary, unless somebody else has done so since it
// was read.
func (s *Store) SaveSummary(ctx context.Context, session string, old, sum Summary) error {
	err := s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		_, err := tx.exec(ctx, `INSERT INTO summary (session, until, text, updated) VALUES (?, ?, ?, ?)
			ON CONFLICT (session) DO UPDATE SET until = excluded.until, text = excluded.text, updated = excluded.updated WHERE summary.until = ?`,
			session, sum.Until, sum.Text, now, old.Until)
		return err
	})
	if err != nil {
		return fmt.Errorf("store the summary of %s: %w", session, err)
	}
	return nil
}
