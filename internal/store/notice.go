package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Notice is what Aside itself says in a room that is the answer to nobody's message, such
// as that answers came too late. It is stored before it is sent, like a post, but belongs
// to no turn.
type Notice struct {
	Key     string
	Subject string // what it is about
	Room    platform.Room
	Text    string
	Count   int // how many of what it is about
	State   PostState
	PostID  string // the platform's id, once it is known
	Reason  string // why it is not delivered
	Tries   int
	Created time.Time
}

// AboutLate is the subject of notices about answers that came too late.
const AboutLate = "late"

const noticeColumns = `SELECT key, subject, platform, room, text, count, state, post_id, reason, tries, created FROM notice `

func scanNotice(row interface{ Scan(...any) error }, n *Notice) error {
	var created int64
	err := row.Scan(&n.Key, &n.Subject, &n.Room.Platform, &n.Room.ID, &n.Text, &n.Count, &n.State, &n.PostID, &n.Reason, &n.Tries, &created)
	n.Created = unstamp(created)
	return err
}

// AddNotice stores a notice that is to be sent, unless there is one of that key, and returns
// the one that is stored.
func (s *Store) AddNotice(ctx context.Context, n Notice) (stored Notice, err error) {
	err = s.In(ctx, func(tx Tx) error {
		if err := tx.addNotice(ctx, n); err != nil {
			return err
		}
		return scanNotice(tx.row(ctx, noticeColumns+`WHERE key = ?`, n.Key), &stored)
	})
	if err != nil {
		return Notice{}, fmt.Errorf("store notice %s: %w", n.Key, err)
	}
	return stored, nil
}

func (t Tx) addNotice(ctx context.Context, n Notice) error {
	now := stamp(t.s.now())
	_, err := t.exec(ctx, `INSERT INTO notice (key, subject, platform, room, text, count, state, created, updated)
		VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, ?) ON CONFLICT (key) DO NOTHING`,
		n.Key, n.Subject, n.Room.Platform, n.Room.ID, n.Text, n.Count, now, now)
	return err
}

// NoteLate makes a notice for each room with late posts that nobody there was told of. One
// that has not been delivered yet counts them as well: a room that is not reached for long
// gets one line, not many. words are what a notice about so many says.
func (s *Store) NoteLate(ctx context.Context, words func(count int) string) error {
	var some bool // which most of the time is false, and costs no commit then
	err := s.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM post WHERE state IN ('dead', 'late') AND state = 'late' AND NOT told)`).Scan(&some)
	if err == nil && some {
		err = s.In(ctx, func(tx Tx) error { return tx.noteLate(ctx, words) })
	}
	if err != nil {
		return fmt.Errorf("note late answers: %w", err)
	}
	return nil
}

func (t Tx) noteLate(ctx context.Context, words func(count int) string) error {
	if err := t.lockSession(ctx, "notices"); err != nil {
		return err
	}
	type untold struct {
		room   platform.Room
		count  int
		newest int64
	}
	rows, err := t.rows(ctx, `SELECT platform, room, COUNT(*), MAX(id) FROM post WHERE state IN ('dead', 'late') AND state = 'late' AND NOT told GROUP BY platform, room`)
	if err != nil {
		return err
	}
	all, err := readAll(rows, func(rows *sql.Rows, u *untold) error {
		return rows.Scan(&u.room.Platform, &u.room.ID, &u.count, &u.newest)
	})
	if err != nil {
		return err
	}
	for _, u := range all {
		n := Notice{Subject: AboutLate, Room: u.room, Count: u.count, Text: words(u.count)}
		var open Notice
		err := scanNotice(t.row(ctx, noticeColumns+`WHERE subject = ? AND platform = ? AND room = ? AND state = 'queued'`, n.Subject, u.room.Platform, u.room.ID), &open)
		switch {
		case err == nil:
			count := open.Count + u.count
			_, err = t.exec(ctx, `UPDATE notice SET count = ?, text = ?, updated = ? WHERE key = ?`, count, words(count), stamp(t.s.now()), open.Key)
		case errors.Is(err, sql.ErrNoRows):
			var last int64
			if err = t.row(ctx, `SELECT COALESCE(MAX(id), 0) FROM notice`).Scan(&last); err == nil {
				n.Key = fmt.Sprintf("notice-late-%d", last+1) // not the posts': they may be late a second time
				err = t.addNotice(ctx, n)
			}
		}
		if err == nil {
			_, err = t.exec(ctx, `UPDATE post SET told = TRUE WHERE state = 'late' AND platform = ? AND room = ? AND id <= ?`, u.room.Platform, u.room.ID, u.newest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// OpenNotices are the notices about something that are still to be sent, oldest first.
func (s *Store) OpenNotices(ctx context.Context, subject string) ([]Notice, error) {
	rows, err := s.query(ctx, noticeColumns+`WHERE subject = ? AND state = 'queued' ORDER BY id`, subject)
	if err == nil {
		var all []Notice
		all, err = readAll(rows, func(rows *sql.Rows, n *Notice) error { return scanNotice(rows, n) })
		if err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("look for notices: %w", err)
}

// OpenedNotice notes where a notice stands before its text is written there, unless another
// process was first, and returns where it stands.
func (s *Store) OpenedNotice(ctx context.Context, key, post string) (stands string, err error) {
	err = s.In(ctx, func(tx Tx) error {
		if _, err := tx.exec(ctx, `UPDATE notice SET post_id = ?, updated = ? WHERE key = ? AND post_id = ''`, post, stamp(s.now()), key); err != nil {
			return err
		}
		return tx.row(ctx, `SELECT post_id FROM notice WHERE key = ?`, key).Scan(&stands)
	})
	if err != nil {
		return "", fmt.Errorf("note where notice %s stands: %w", key, err)
	}
	return stands, nil
}

// SaveNotice writes what became of a notice. What was delivered stays so. One whose text
// has changed meanwhile is still to be sent.
func (s *Store) SaveNotice(ctx context.Context, n Notice) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `UPDATE notice SET state = CASE WHEN text = ? THEN ? ELSE state END, post_id = ?, reason = ?, tries = ?, updated = ? WHERE key = ? AND state = 'queued'`,
			n.Text, n.State, n.PostID, n.Reason, n.Tries, stamp(s.now()), n.Key)
		return err
	})
	if err != nil {
		return fmt.Errorf("store what became of notice %s: %w", n.Key, err)
	}
	return nil
}

// Cleared notes that a post which is not delivered stands nowhere any more: whoever sends it
// again begins anew.
func (s *Store) Cleared(ctx context.Context, p Post) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `UPDATE post SET post_id = '', updated = ? WHERE key = ? AND post_id = ? AND state IN ('dead', 'late')`, stamp(s.now()), p.Key, p.PostID)
		return err
	})
	if err != nil {
		return fmt.Errorf("note that post %s was taken away: %w", p.Key, err)
	}
	return nil
}
