package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/asidehq/aside/platform"
)

// A person changes what they wrote. While the turn of the message still waits, it is as if
// they had written it that way; later, the change is a message of its own.
//
// Before changing it, know what keeps a change from being lost between the two: the text is
// replaced under the locks of the session and of the turn, and the turn's time changes with
// it. Should somebody have read the old text all the same, their reply is not stored
// (advance), and the turn is begun anew.

// Edited is what is known about a message that was changed.
type Edited struct {
	Known    bool  // it is stored
	Done     bool  // nothing else is to be done: the change is known, out of date, or was made
	Turn     int64 // that reads the new text, where it was made
	Answered bool  // the message was answered, or is going to be
}

// Edit makes a change of a message in place if the turn of its latest version waits and is
// not being worked on, and tells what to do about it otherwise.
func (s *Store) Edit(ctx context.Context, m platform.Message) (e Edited, err error) {
	err = s.In(ctx, func(tx Tx) error {
		e = Edited{}
		if err := tx.lockSession(ctx, m.Room.String()); err != nil {
			return err
		}
		all, err := tx.versions(ctx, m)
		if err != nil || len(all) == 0 {
			return err
		}
		e.Known = true
		last := all[len(all)-1]
		if last.text == m.Text {
			e.Done = true
			return nil
		}
		for _, v := range all {
			if v.id == m.ID || v.written > stamp(m.At) {
				e.Done = true // it came before, or another one after it
				return nil
			}
		}
		open, err := tx.answering(ctx, all, &e)
		if err != nil || open == nil || open.author != m.Author.ID {
			return err
		}
		turn, err := tx.waiting(ctx, m.Room.String(), open.message)
		if err != nil || turn == 0 {
			return err
		}
		e.Done, e.Turn = true, turn
		return tx.rewrite(ctx, m, open)
	})
	if err != nil {
		return Edited{}, fmt.Errorf("store the change %s of %s: %w", m.ID, m.Room, err)
	}
	return e, nil
}

// Amend makes a change of a message that nobody has answered, so that it is known what was
// said.
func (s *Store) Amend(ctx context.Context, m platform.Message) error {
	err := s.In(ctx, func(tx Tx) error {
		if err := tx.lockSession(ctx, m.Room.String()); err != nil {
			return err
		}
		all, err := tx.versions(ctx, m)
		if err != nil || len(all) == 0 || all[0].author != m.Author.ID {
			return err
		}
		for _, v := range all {
			if v.id == m.ID {
				return nil
			}
		}
		return tx.rewrite(ctx, m, &all[0])
	})
	if err != nil {
		return fmt.Errorf("store the change %s of %s: %w", m.ID, m.Room, err)
	}
	return nil
}

// A version of a message is what was written first, or a change of it.
type version struct {
	message      int64 // its row
	id           string
	author, text string
	written      int64
	mentioned    bool
}

// versions are all versions of a message that was changed, in the order in which they came,
// or none if what was written first is not stored.
func (t Tx) versions(ctx context.Context, m platform.Message) ([]version, error) {
	rows, err := t.rows(ctx, `SELECT id, platform_id, author, text, written, mentioned FROM message WHERE platform = ? AND room = ? AND platform_id = ?
		UNION ALL SELECT id, platform_id, author, text, written, mentioned FROM message WHERE platform = ? AND room = ? AND edits = ? AND edits <> '' ORDER BY id`,
		m.Room.Platform, m.Room.ID, m.Edits, m.Room.Platform, m.Room.ID, m.Edits)
	if err != nil {
		return nil, err
	}
	all, err := readAll(rows, func(rows *sql.Rows, v *version) error {
		return rows.Scan(&v.message, &v.id, &v.author, &v.text, &v.written, &v.mentioned)
	})
	if err != nil || len(all) == 0 || all[0].id != m.Edits {
		return nil, err
	}
	return all, nil
}

// answering is the latest version that has a turn. It notes whether any was answered.
func (t Tx) answering(ctx context.Context, all []version, e *Edited) (latest *version, err error) {
	for i := range all {
		var turns, answered int
		err := t.row(ctx, `SELECT COUNT(*), COUNT(CASE WHEN stage <> 'settled' OR reply <> '' OR shown <> '' THEN 1 END) FROM turn WHERE message = ?`,
			all[i].message).Scan(&turns, &answered)
		if err != nil {
			return nil, err
		}
		if turns > 0 {
			latest = &all[i]
		}
		e.Answered = e.Answered || answered > 0
	}
	return latest, nil
}

// waiting is the turn of a message that nobody has begun with, locked, or 0. The owner of a
// session works on its first open turn; the others wait. So do all while there is no owner.
func (t Tx) waiting(ctx context.Context, session string, message int64) (turn int64, err error) {
	lock := ""
	if t.s.Engine == Postgres {
		lock = " FOR UPDATE"
	}
	var owner string
	err = t.row(ctx, `SELECT owner FROM lease WHERE session = ?`+lock, session).Scan(&owner)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	err = t.row(ctx, `SELECT id FROM turn WHERE message = ? AND stage = 'waiting' AND follows = 0 AND flow = 'message' AND (? = '' OR
		EXISTS (SELECT 1 FROM turn AS first WHERE first.session = turn.session AND first.stage <> 'settled' AND first.message < turn.message))`+lock, message, owner).Scan(&turn)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return turn, err
}

// rewrite gives a version another text, and keeps in mind which change has done it.
func (t Tx) rewrite(ctx context.Context, m platform.Message, v *version) error {
	now := stamp(t.s.now())
	if _, err := t.exec(ctx, `UPDATE message SET text = ?, written = ?, mentioned = ? WHERE id = ?`, m.Text, stamp(m.At), v.mentioned || m.Mentioned, v.message); err != nil {
		return err
	}
	// Whoever has read the turn before must not store a reply to the old text.
	if _, err := t.exec(ctx, `UPDATE turn SET updated = CASE WHEN updated < ? THEN ? ELSE updated + 1 END WHERE message = ? AND stage = 'waiting'`, now, now, v.message); err != nil {
		return err
	}
	_, err := t.exec(ctx, `INSERT INTO message (platform, room, platform_id, author, author_name, text, reply_to, direct, written, received, mentioned, edits, parent)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		m.Room.Platform, m.Room.ID, m.ID, m.Author.ID, m.Author.Name, m.Text, m.ReplyTo, m.Direct, stamp(m.At), now, m.Mentioned, m.Edits, m.Parent)
	return err
}
