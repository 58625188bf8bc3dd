package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Mirror is what is known of the thread of a forum that shows an item of a board.
type Mirror struct {
	Board  string // tasks, crons
	Item   string
	Forum  platform.Room
	Thread platform.Room // without an ID there is none yet

	// Closed tells whether the item was closed and the thread archived when they last agreed.
	// Whichever is different from it has changed since.
	Closed bool

	// Busy is set while the thread is being changed: how it stands then is nobody's decision.
	Busy bool

	// Name is what the thread was last called here, and Shown what the platform made of it.
	Name, Shown string

	Text    string       // a digest of the starter as it was last written or read
	Drifted time.Time    // when the thread was opened without anybody's decision
	Tried   time.Time    // when a thread was last asked for, and no answer is known
	Renamed [2]time.Time // when it last got another name, the latest first
}

// Mirrors returns all mirrors of a board's items.
func (s *Store) Mirrors(ctx context.Context, board string) ([]Mirror, error) {
	rows, err := s.query(ctx, `SELECT board, item, forum, thread, closed, busy, name, shown, text, drifted, tried, renamed, before FROM mirror WHERE board = ? ORDER BY item`, board)
	if err == nil {
		var all []Mirror
		if all, err = readAll(rows, scanMirror); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the threads of %s: %w", board, err)
}

func scanMirror(rows *sql.Rows, m *Mirror) error {
	var forum, thread string
	var drifted, tried, renamed, before int64
	if err := rows.Scan(&m.Board, &m.Item, &forum, &thread, &m.Closed, &m.Busy, &m.Name, &m.Shown, &m.Text, &drifted, &tried, &renamed, &before); err != nil {
		return err
	}
	m.Forum, m.Thread = roomFrom(forum), roomFrom(thread)
	m.Drifted, m.Tried = zeroUnstamp(drifted), zeroUnstamp(tried)
	m.Renamed = [2]time.Time{zeroUnstamp(renamed), zeroUnstamp(before)}
	return nil
}

// SaveMirror stores a mirror in place of the one there was of its item.
func (s *Store) SaveMirror(ctx context.Context, m Mirror) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO mirror (board, item, forum, thread, closed, busy, name, shown, text, drifted, tried, renamed, before)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (board, item) DO UPDATE SET
			forum = excluded.forum, thread = excluded.thread, closed = excluded.closed, busy = excluded.busy, name = excluded.name, shown = excluded.shown, text = excluded.text,
			drifted = excluded.drifted, tried = excluded.tried, renamed = excluded.renamed, before = excluded.before`,
			m.Board, m.Item, threadText(m.Forum), threadText(m.Thread), m.Closed, m.Busy, m.Name, m.Shown, m.Text,
			zeroStamp(m.Drifted), zeroStamp(m.Tried), zeroStamp(m.Renamed[0]), zeroStamp(m.Renamed[1]))
		return err
	})
	if err != nil {
		return fmt.Errorf("store the thread of %s: %w", m.Item, err)
	}
	return nil
}

// DropMirror forgets the thread of an item.
func (s *Store) DropMirror(ctx context.Context, board, item string) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `DELETE FROM mirror WHERE board = ? AND item = ?`, board, item)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget the thread of %s: %w", item, err)
	}
	return nil
}

// roomFrom is the reverse of threadText.
func roomFrom(text string) platform.Room {
	name, id, _ := strings.Cut(text, "/")
	return platform.Room{Platform: name, ID: id}
}

// zeroUnstamp is unstamp, and no time for 0.
func zeroUnstamp(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return unstamp(n)
}
