package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/asidehq/aside/platform"
)

// An Exchange is a message and what was answered to it.
type Exchange struct {
	Message              int64  // as turns count them
	Turn                 int64  // the last one
	Author, Text, Answer string // the text is in words: see Words

	Also  []int64 // the turns of later messages that were answered with it
	joins int64   // the message with which it was answered, 0 if it was by itself
}

// merged puts messages that were answered together with an earlier one behind its text,
// where that is among the exchanges. Newest first.
func merged(exchanges []Exchange) []Exchange {
	at := map[int64]int{}
	for i, x := range exchanges {
		at[x.Message] = i
	}
	for _, x := range slices.Backward(exchanges) {
		if i, ok := at[x.joins]; ok {
			exchanges[i].Text += "\n" + x.Text
			exchanges[i].Also = append(exchanges[i].Also, x.Turn)
		}
	}
	return slices.DeleteFunc(exchanges, func(x Exchange) bool {
		_, ok := at[x.joins]
		return ok
	})
}

// Exchanges returns the settled exchanges of a session between two messages, both of
// them not included, newest first, at most so many. The last turn of a message has all
// that was answered to it.
func (s *Store) Exchanges(ctx context.Context, session string, after, before int64, most int) ([]Exchange, error) {
	rows, err := s.query(ctx, `SELECT turn.message, turn.id, author_name, text, edits, reaction, shown, COALESCE((SELECT answering.message FROM turn AS answering WHERE answering.id = turn.joined), 0) FROM turn JOIN message ON message.id = turn.message
		WHERE session = ? AND turn.message > ? AND turn.message < ? AND stage = 'settled'
		AND NOT EXISTS (SELECT 1 FROM turn AS later WHERE later.message = turn.message AND later.id > turn.id) ORDER BY turn.message DESC`+limit,
		session, after, before, most)
	if err == nil {
		var all []Exchange
		all, err = readAll(rows, func(rows *sql.Rows, e *Exchange) error {
			var m platform.Message
			var reaction string
			if err := rows.Scan(&e.Message, &e.Turn, &e.Author, &m.Text, &m.Edits, &reaction, &e.Answer, &e.joins); err != nil {
				return err
			}
			if err := decodeReaction(reaction, &m); err != nil {
				return err
			}
			e.Text = Words(m)
			return nil
		})
		if err == nil {
			return merged(all), nil
		}
	}
	return nil, fmt.Errorf("read the history of %s: %w", session, err)
}

// A Summary is what is kept in mind of a session's older exchanges. They themselves
// stay where they are.
type Summary struct {
	Until int64 // the last message that it covers; 0 is none
	Text  string

	// Cleared is the last message of what somebody wanted out of mind; 0 is none.
	Cleared int64
}

// Summary returns a session's summary, an empty one if it has none yet.
func (s *Store) Summary(ctx context.Context, session string) (Summary, error) {
	var sum Summary
	err := s.queryRow(ctx, `SELECT until, text, cleared FROM summary WHERE session = ?`, session).Scan(&sum.Until, &sum.Text, &sum.Cleared)
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
