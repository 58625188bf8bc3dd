package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

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

// settlesMarks tells whether messages of a platform may have marks. Another process may be
// the one that is connected there: what stands in the table then is settled here all the
// same.
func (s *Store) settlesMarks(name string) bool {
	return s.marks.on != nil && (name != webPlatform || s.marks.of(name))
}

// markReceived notes that a message is queued, if it is answered in a way that people see.
// If it changes an older one, the mark of that one is its own from now on.
func (t Tx) markReceived(ctx context.Context, number int64, m platform.Message, answered bool, now int64) ([]mark.Wanted, error) {
	if !answered || !t.s.marked(m) || m.Room.Platform == webPlatform {
		return nil, nil
	}
	if m.Edits != "" {
		// Changes have come since the message did, and not all that ever came is to be read.
		if _, err := t.exec(ctx, `UPDATE mark SET wanted = ?, shown = ?, updated = ?
			WHERE message >= COALESCE((SELECT id FROM message WHERE platform = ? AND room = ? AND platform_id = ?), ?) AND message < ?
			AND EXISTS (SELECT 1 FROM message WHERE message.id = mark.message AND platform = ? AND room = ? AND (platform_id = ? OR edits = ?))`,
			mark.Replaced, mark.Replaced, now, m.Room.Platform, m.Room.ID, m.Edits, number-manyMessages, number,
			m.Room.Platform, m.Room.ID, m.Edits, m.Edits); err != nil {
			return nil, err
		}
	}
	if _, err := t.exec(ctx, `INSERT INTO mark (message, wanted, updated) VALUES (?, ?, ?)`, number, mark.Received, now); err != nil {
		return nil, err
	}
	return []mark.Wanted{{Message: number, Room: m.Room, Stands: m.Stands(), Mark: mark.Received, Fresh: m.Edits == ""}}, nil
}

// manyMessages is how far changes of a message are looked for that was never stored itself.
const manyMessages = 1000

// markSettled gives the messages that a turn has answered their final marks: its own, and
// those that have joined it.
func (t Tx) markSettled(ctx context.Context, turn *Turn, joined []*Turn, now int64) ([]mark.Wanted, error) {
	if !t.s.settlesMarks(turn.Message.Room.Platform) {
		return nil, nil
	}
	facts, err := t.facts(ctx, turn.Number)
	if err != nil {
		return nil, err
	}
	var all []mark.Wanted
	for _, one := range append([]*Turn{turn}, joined...) {
		w, err := t.markFinal(ctx, one.Number, mark.Final(facts), now)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

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
		w, err := t.markAgain(ctx, number, now)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

// markAgain computes the final mark of a settled message, and of those that were answered
// with it.
func (t Tx) markAgain(ctx context.Context, number, now int64) ([]mark.Wanted, error) {
	facts, err := t.facts(ctx, number)
	if err != nil {
		return nil, err
	}
	joined, err := t.joinedInto(ctx, number)
	if err != nil {
		return nil, err
	}
	var all []mark.Wanted
	for _, one := range append([]int64{number}, joined...) {
		w, err := t.markFinal(ctx, one, mark.Final(facts), now)
		if err != nil {
			return nil, err
		}
		all = append(all, w...)
	}
	return all, nil
}

// joinedInto are the messages that were answered with another one.
func (t Tx) joinedInto(ctx context.Context, number int64) ([]int64, error) {
	rows, err := t.rows(ctx, `SELECT turn.message FROM turn WHERE`+into("follows >= 0")+` ORDER BY turn.message`, number)
	if err != nil {
		return nil, err
	}
	return readAll(rows, func(rows *sql.Rows, message *int64) error { return rows.Scan(message) })
}

// markFinal writes the final mark of a message down, if it has one.
func (t Tx) markFinal(ctx context.Context, number int64, final mark.Mark, now int64) ([]mark.Wanted, error) {
	w, ok, err := scanMark(t.row(ctx, `SELECT `+markColumns+` WHERE message.id = ?`, number))
	if err != nil || !ok || !t.s.settlesMarks(w.Room.Platform) {
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

// AsksToConfirm is why the reply of a turn is a question while one of its actions waits. It
// is none any more when the person has answered, which the ledger knows.
const AsksToConfirm = "an action waits to be confirmed"

// facts are what is known about a message whose turns are settled. What actions have posted
// is no reply: they say themselves what came of it.
func (t Tx) facts(ctx context.Context, number int64) (f mark.Facts, err error) {
	var failure string
	err = t.row(ctx, `SELECT failure, CASE WHEN output_why = ? THEN '' ELSE output END,
		EXISTS (SELECT 1 FROM action JOIN turn ON turn.id = action.turn WHERE turn.message = last.message AND action.state = 'asked'),
		(SELECT COUNT(*) FROM post JOIN turn ON turn.id = post.turn WHERE turn.message = last.message AND key LIKE 'turn-%-post-%' AND state = 'delivered' AND post.text <> ''),
		(SELECT COUNT(*) FROM post JOIN turn ON turn.id = post.turn WHERE turn.message = last.message AND key LIKE 'turn-%-post-%' AND state NOT IN ('delivered', 'withdrawn'))
		FROM turn AS last WHERE last.message = ? ORDER BY last.id DESC LIMIT 1`, AsksToConfirm, number).
		Scan(&failure, &f.Output, &f.Asked, &f.Delivered, &f.Lost)
	f.Stopped = failure == StoppedByPerson
	f.Failed = failure != "" && !f.Stopped
	return f, err
}
