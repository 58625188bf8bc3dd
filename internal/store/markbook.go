package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/platform"
)

// markColumns are a message and its mark, "" where it has none.
const markColumns = `message.id, platform, room, platform_id, edits, COALESCE(wanted, ''), COALESCE(wanted = shown, FALSE)
	FROM message LEFT JOIN mark ON mark.message = message.id`

func scanMark(row interface{ Scan(...any) error }) (w mark.Wanted, ok bool, err error) {
	var m platform.Message
	err = row.Scan(&w.Message, &m.Room.Platform, &m.Room.ID, &m.ID, &m.Edits, &w.Mark, &w.Shown)
	if errors.Is(err, sql.ErrNoRows) {
		return mark.Wanted{}, false, nil
	}
	w.Room, w.Stands = m.Room, m.Stands()
	return w, err == nil, err
}

// Marks is the store as the book of marks.
type Marks struct{ *Store }

var _ mark.Book = Marks{}

// Mark implements mark.Book.
func (s Marks) Mark(ctx context.Context, message int64) (mark.Wanted, bool, error) {
	w, ok, err := scanMark(s.queryRow(ctx, `SELECT `+markColumns+` WHERE message.id = ?`, message))
	if err == nil && ok && w.Mark.Final() {
		w.Own, err = ownReactions(s.query(ctx, reactionsOf, message))
	}
	if err != nil {
		return mark.Wanted{}, false, fmt.Errorf("read the mark of message %d: %w", message, err)
	}
	return w, ok && w.Mark != "", nil
}

// Each has an index of few rows: they are looked at every few seconds.
const (
	unshown = `WHERE wanted <> shown AND wanted <> ? AND mark.updated <= ? ORDER BY mark.message`
	waiting = `WHERE (wanted = ? OR platform = ?) AND received <= ? AND message.id IN
		(SELECT turn.message FROM lease JOIN turn ON turn.session = lease.session WHERE owner = '' AND since <= ? AND stage <> 'settled') ORDER BY message.id`
)

// Unshown implements mark.Book.
func (s Marks) Unshown(ctx context.Context, before time.Time) ([]mark.Wanted, error) {
	all, err := s.wanted(ctx, unshown, mark.Received, stamp(before))
	for i := range all {
		if err == nil {
			all[i].Own, err = ownReactions(s.query(ctx, reactionsOf, all[i].Message))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("look for marks to be shown: %w", err)
	}
	return all, nil
}

// Waiting implements mark.Book. A session that is busy with an earlier message has an
// owner.
func (s Marks) Waiting(ctx context.Context, since time.Time) ([]mark.Wanted, error) {
	all, err := s.wanted(ctx, waiting, mark.Received, webPlatform, stamp(since), stamp(since))
	if err != nil {
		return nil, fmt.Errorf("look for messages that nobody takes up: %w", err)
	}
	return all, nil
}

func (s Marks) wanted(ctx context.Context, where string, args ...any) ([]mark.Wanted, error) {
	rows, err := s.query(ctx, `SELECT `+markColumns+` `+where, args...)
	if err != nil {
		return nil, err
	}
	return readAll(rows, func(rows *sql.Rows, w *mark.Wanted) (err error) { *w, _, err = scanMark(rows); return err })
}

// Shown implements mark.Book.
func (s Marks) Shown(ctx context.Context, w mark.Wanted, became mark.Mark) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `UPDATE mark SET wanted = ?, shown = ? WHERE message = ? AND wanted = ?`, became, became, w.Message, w.Mark)
		return err
	})
	if err != nil {
		return fmt.Errorf("note the mark of message %d: %w", w.Message, err)
	}
	return nil
}

// Turn implements mark.Book.
func (s Marks) Turn(ctx context.Context, w mark.Wanted, from, to mark.Mark) (changed bool, err error) {
	err = s.In(ctx, func(tx Tx) (err error) {
		changed, err = tx.webMark(ctx, w.Room.ID, w.Stands, from, to)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("change the mark of message %d: %w", w.Message, err)
	}
	return changed, nil
}

// webMark changes the mark of an entry of the web page, with an event; from "" is whatever
// it is.
func (t Tx) webMark(ctx context.Context, room, id string, from, to mark.Mark) (changed bool, err error) {
	if to == mark.None {
		to = ""
	}
	done, err := t.exec(ctx, `UPDATE web_entry SET mark = ? WHERE id = ? AND room = ? AND mark <> ? AND (? = '' OR mark = ?)`, to, id, room, to, from, from)
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	e, err := scanEntry(t.row(ctx, `SELECT `+entryColumns+` FROM web_entry WHERE id = ?`, id))
	if err != nil {
		return false, err
	}
	return true, t.webEvent(ctx, room, "mark", e)
}

// reactionsOf finds what the agent has put on messages, and taken off, because of a message.
// It stands there though the same action could not do something else.
const reactionsOf = `SELECT trace, platform_id, edits, room FROM action JOIN turn ON turn.id = action.turn JOIN message ON message.id = turn.message
	WHERE turn.message = ? AND action.state IN ('done', 'failed', 'refused') AND trace <> '' ORDER BY action.turn, ordinal`

// ownReactions are the emoji that the agent itself has on the message that it was asked
// with, oldest first.
func ownReactions(rows *sql.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	var own []string
	_, err = readAll(rows, func(rows *sql.Rows, _ *struct{}) error {
		var trace, id, edits, room string
		if err := rows.Scan(&trace, &id, &edits, &room); err != nil {
			return err
		}
		var on struct{ Reacted, Unreacted, Room, Message string }
		if json.Unmarshal([]byte(trace), &on) != nil || on.Room != room || on.Message != (platform.Message{ID: id, Edits: edits}).Stands() {
			return nil
		}
		own = slices.DeleteFunc(own, func(emoji string) bool { return emoji == on.Reacted || emoji == on.Unreacted })
		if on.Reacted != "" {
			own = append(own, on.Reacted)
		}
		return nil
	})
	return own, err
}
