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

// The mark that is wanted on a message is written in the transactions that make it true:
// with the message, and with the end of its last turn. That a turn is running is not
// written down; it is so while its session has an owner. Before changing it, know that a
// final mark is replaced only by the end of another run of the same message.

// marks is what is done about marks. Without it there are none.
type marks struct {
	on     func(platform string) bool
	wanted func(mark.Wanted)
}

// KeepMarks has marks written down for messages on some platforms, and calls wanted with
// each that is stored, except those of the web page: they stand in the store itself. It is
// to be set before the first message.
func (s *Store) KeepMarks(on func(platform string) bool, wanted func(mark.Wanted)) {
	s.marks = marks{on, wanted}
}

func (m marks) of(name string) bool { return m.on != nil && m.on(name) }

// tell tells the keeper what is wanted, once that is stored.
func (m marks) tell(all []mark.Wanted) {
	for _, w := range all {
		m.wanted(w)
	}
}

// marked tells whether a message gets a mark: one that a person has written, and that
// stands in the room.
func (s *Store) marked(m platform.Message) bool {
	return m.Reaction == nil && !m.Unseen && s.marks.of(m.Room.Platform)
}

// markReceived notes that a message is queued. If it changes an older one, the mark of that
// one is its own from now on.
func (t Tx) markReceived(ctx context.Context, number int64, m platform.Message, now int64) ([]mark.Wanted, error) {
	if !t.s.marked(m) || m.Room.Platform == webPlatform {
		return nil, nil
	}
	if m.Edits != "" {
		if _, err := t.exec(ctx, `UPDATE mark SET wanted = ?, shown = ?, updated = ? WHERE message IN
			(SELECT id FROM message WHERE platform = ? AND room = ? AND (platform_id = ? OR edits = ?) AND id < ?)`,
			mark.Replaced, mark.Replaced, now, m.Room.Platform, m.Room.ID, m.Edits, m.Edits, number); err != nil {
			return nil, err
		}
	}
	if _, err := t.exec(ctx, `INSERT INTO mark (message, wanted, updated) VALUES (?, ?, ?)`, number, mark.Received, now); err != nil {
		return nil, err
	}
	return []mark.Wanted{{Message: number, Room: m.Room, Stands: m.Stands(), Mark: mark.Received, Fresh: m.Edits == ""}}, nil
}

// markSettled gives the messages that a turn has answered their final marks.
func (t Tx) markSettled(ctx context.Context, turn *Turn, now int64) ([]mark.Wanted, error) {
	if !t.s.marks.of(turn.Message.Room.Platform) {
		return nil, nil
	}
	facts, err := t.facts(ctx, turn.Number)
	if err != nil {
		return nil, err
	}
	var all []mark.Wanted
	for _, number := range answeredBy(turn) {
		w, err := t.markFinal(ctx, number, mark.Final(facts), now)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

// answeredBy are the messages that a turn answers.
func answeredBy(turn *Turn) []int64 { return []int64{turn.Number} }

// markAnswered gives messages whose question a person has answered the marks that they have
// without it.
func (t Tx) markAnswered(ctx context.Context, over []Action, now int64) ([]mark.Wanted, error) {
	var numbers []int64
	for _, a := range over {
		var number int64
		if err := t.row(ctx, `SELECT message FROM turn WHERE id = ? AND NOT EXISTS
			(SELECT 1 FROM turn AS other WHERE other.message = turn.message AND other.stage <> 'settled')`, a.Turn).Scan(&number); err != nil {
			if errors.Is(err, sql.ErrNoRows) {
				continue // its end comes later
			}
			return nil, err
		}
		if !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	var all []mark.Wanted
	for _, number := range numbers {
		facts, err := t.facts(ctx, number)
		if err != nil {
			return nil, err
		}
		w, err := t.markFinal(ctx, number, mark.Final(facts), now)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

// markFinal writes the final mark of a message down, if it has one.
func (t Tx) markFinal(ctx context.Context, number int64, final mark.Mark, now int64) ([]mark.Wanted, error) {
	w, ok, err := scanMark(t.row(ctx, `SELECT `+markColumns+` WHERE message.id = ?`, number))
	if err != nil || !ok || !t.s.marks.of(w.Room.Platform) {
		return nil, err
	}
	if w.Room.Platform == webPlatform {
		_, err := t.webMark(ctx, w.Room.ID, w.Stands, "", final)
		return nil, err
	}
	if w.Mark == "" || w.Mark == mark.Replaced {
		return nil, nil
	}
	if _, err := t.exec(ctx, `UPDATE mark SET wanted = ?, updated = ? WHERE message = ?`, final, now, number); err != nil {
		return nil, err
	}
	w.Mark = final
	if w.Own, err = ownReactions(t.rows(ctx, reactionsOf, number)); err != nil {
		return nil, err
	}
	return []mark.Wanted{w}, nil
}

// StoppedByPerson is the failure of a turn that a person has stopped.
const StoppedByPerson = "Stopped."

// facts are what is known about a message whose turns are settled. What actions have posted
// is no reply: they say themselves what came of it.
func (t Tx) facts(ctx context.Context, number int64) (f mark.Facts, err error) {
	var failure string
	err = t.row(ctx, `SELECT failure, output,
		EXISTS (SELECT 1 FROM action JOIN turn ON turn.id = action.turn WHERE turn.message = last.message AND action.state = 'asked'),
		(SELECT COUNT(*) FROM post JOIN turn ON turn.id = post.turn WHERE turn.message = last.message AND key LIKE 'turn-%-post-%' AND state = 'delivered' AND post.text <> ''),
		(SELECT COUNT(*) FROM post JOIN turn ON turn.id = post.turn WHERE turn.message = last.message AND key LIKE 'turn-%-post-%' AND state NOT IN ('delivered', 'withdrawn'))
		FROM turn AS last WHERE last.message = ? ORDER BY last.id DESC LIMIT 1`, number).
		Scan(&failure, &f.Output, &f.Asked, &f.Delivered, &f.Lost)
	f.Stopped = failure == StoppedByPerson
	f.Failed = failure != "" && !f.Stopped
	return f, err
}

// reactionsOf finds what the agent has put on messages, and taken off, because of a message.
const reactionsOf = `SELECT data, platform_id, edits, room FROM action JOIN turn ON turn.id = action.turn JOIN message ON message.id = turn.message
	WHERE turn.message = ? AND action.state = 'done' AND (data LIKE '{"reacted":%' OR data LIKE '{"unreacted":%') ORDER BY action.turn, ordinal`

// ownReactions are the emoji that the agent itself has on the message that it was asked
// with, oldest first.
func ownReactions(rows *sql.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	var own []string
	_, err = readAll(rows, func(rows *sql.Rows, _ *struct{}) error {
		var data, id, edits, room string
		if err := rows.Scan(&data, &id, &edits, &room); err != nil {
			return err
		}
		var on struct{ Reacted, Unreacted, Room, Message string }
		if json.Unmarshal([]byte(data), &on) != nil || on.Room != room || on.Message != (platform.Message{ID: id, Edits: edits}).Stands() {
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

// Unshown implements mark.Book.
func (s Marks) Unshown(ctx context.Context, before time.Time) ([]mark.Wanted, error) {
	all, err := s.wanted(ctx, `WHERE wanted <> shown AND wanted <> ? AND updated <= ? ORDER BY mark.message`, mark.Received, stamp(before))
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
	all, err := s.wanted(ctx, `WHERE (wanted = ? OR platform = ?) AND received <= ? AND message.id IN
		(SELECT turn.message FROM lease JOIN turn ON turn.session = lease.session WHERE owner = '' AND since <= ? AND stage <> 'settled') ORDER BY message.id`,
		mark.Received, webPlatform, stamp(since), stamp(since))
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
