package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Stage is how far a turn has come. Each arrow to the next one is a transaction.
type Stage string

const (
	Waiting   Stage = "waiting"   // nothing was done yet, or the model was being asked
	Generated Stage = "generated" // the reply is stored, its actions stand in the ledger
	Acted     Stage = "acted"     // every action has an outcome, the posts stand in the outbox
	Settled   Stage = "settled"   // every post has a receipt
)

// A Turn is one model reply and everything that follows from it.
type Turn struct {
	ID       int64
	Session  string
	Flow     string
	Stage    Stage
	Message  platform.Message
	Reply    string // as the model wrote it
	Shown    string // what of it is for people
	Problems json.RawMessage
	Failure  string // why there is no reply, for a person to read
	Timings  json.RawMessage
	Created  time.Time
	Updated  time.Time

	// Last is set with Settled where no other turn of the session is open: its lease
	// has ended.
	Last bool
}

const turnColumns = `turn.id, session, flow, stage, reply, shown, problems, failure, timings, turn.created, turn.updated,
	platform, room, platform_id, author, author_name, text, reply_to, direct, written
	FROM turn JOIN message ON message.id = turn.message`

func scanTurn(row interface{ Scan(...any) error }) (*Turn, error) {
	var t Turn
	var problems, timings string
	var created, updated, written int64
	m := &t.Message
	err := row.Scan(&t.ID, &t.Session, &t.Flow, &t.Stage, &t.Reply, &t.Shown, &problems, &t.Failure, &timings, &created, &updated,
		&m.Room.Platform, &m.Room.ID, &m.ID, &m.Author.ID, &m.Author.Name, &m.Text, &m.ReplyTo, &m.Direct, &written)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t.Problems, t.Timings = json.RawMessage(problems), json.RawMessage(timings)
	t.Created, t.Updated, m.At = unstamp(created), unstamp(updated), unstamp(written)
	return &t, nil
}

// Turn returns a turn, or nil if there is none.
func (s *Store) Turn(ctx context.Context, id int64) (*Turn, error) {
	t, err := scanTurn(s.queryRow(ctx, `SELECT `+turnColumns+` WHERE turn.id = ?`, id))
	if err != nil {
		return nil, fmt.Errorf("read turn %d: %w", id, err)
	}
	return t, nil
}

// TurnsOf returns the turns that a message has started, by the platform's id of it.
func (s *Store) TurnsOf(ctx context.Context, platform, message string) ([]*Turn, error) {
	rows, err := s.query(ctx, `SELECT `+turnColumns+` WHERE platform = ? AND platform_id = ? ORDER BY turn.id`, platform, message)
	if err != nil {
		return nil, fmt.Errorf("read the turns of message %s: %w", message, err)
	}
	defer rows.Close()
	var all []*Turn
	for rows.Next() {
		t, err := scanTurn(rows)
		if err != nil {
			return nil, fmt.Errorf("read the turns of message %s: %w", message, err)
		}
		all = append(all, t)
	}
	return all, rows.Err()
}

// NextTurn returns the oldest turn of a session that is not settled, or nil if there
// is none or another process owns the session.
func (s *Store) NextTurn(ctx context.Context, session string) (*Turn, error) {
	t, err := scanTurn(s.queryRow(ctx, `SELECT `+turnColumns+` WHERE session = ? AND stage <> 'settled' AND`+owns+` ORDER BY turn.id LIMIT 1`, session, s.Process))
	if err != nil {
		return nil, fmt.Errorf("look for the next turn of %s: %w", session, err)
	}
	return t, nil
}

// advance brings a turn to its next stage, if it still is in the one before and this
// process owns its session. The turn's values that change with it are set.
func (t Tx) advance(ctx context.Context, turn *Turn, next Stage, now int64) error {
	return owned(t.exec(ctx, `UPDATE turn SET stage = ?, reply = ?, shown = ?, problems = ?, failure = ?, timings = ?, updated = ?
		WHERE id = ? AND stage = ? AND`+owns,
		next, turn.Reply, turn.Shown, string(turn.Problems), turn.Failure, string(turn.Timings), now, turn.ID, turn.Stage, t.s.Process))
}

// SaveReply stores the finished reply of a turn, what of it is shown, and its
// actions, before anything acts on it. A reply without actions has acted already: its
// posts go into the outbox with it, which saves a commit.
func (s *Store) SaveReply(ctx context.Context, t *Turn, actions []Action, posts []Post) error {
	next := Generated
	if len(actions) == 0 {
		next = Acted
	}
	err := s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		for _, a := range actions {
			if _, err := tx.exec(ctx, `INSERT INTO action (turn, ordinal, dialect, type, args, state, summary, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				t.ID, a.Ordinal, a.Dialect, a.Type, string(a.Args), a.State, a.Summary, now); err != nil {
				return err
			}
		}
		for _, p := range posts {
			if err := tx.addPost(ctx, p, now); err != nil {
				return err
			}
		}
		return tx.advance(ctx, t, next, now)
	})
	if err != nil {
		return fmt.Errorf("store the reply of turn %d: %w", t.ID, err)
	}
	t.Stage = next
	return nil
}

// SavePosts puts what a turn says into the outbox.
func (s *Store) SavePosts(ctx context.Context, t *Turn, posts []Post) error {
	err := s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		for _, p := range posts {
			if err := tx.addPost(ctx, p, now); err != nil {
				return err
			}
		}
		return tx.advance(ctx, t, Acted, now)
	})
	if err != nil {
		return fmt.Errorf("store the posts of turn %d: %w", t.ID, err)
	}
	t.Stage = Acted
	return nil
}

// Settle ends a turn, and the lease of its session if it was the last one. The
// receipts that came last are written with it.
func (s *Store) Settle(ctx context.Context, t *Turn, receipts []Post) error {
	last := false
	err := s.In(ctx, func(tx Tx) error {
		if err := tx.lockSession(ctx, t.Session); err != nil {
			return err
		}
		now := stamp(s.now())
		for _, p := range receipts {
			if err := tx.savePost(ctx, p, now); err != nil {
				return err
			}
		}
		err := tx.advance(ctx, t, Settled, now)
		if err == nil && t.Message.Room.Platform == webPlatform {
			err = tx.webEvent(ctx, t.Message.Room.ID, "settled", map[string]any{"message": t.Message.ID, "turn": t.ID})
		}
		if err == nil {
			last, err = tx.end(ctx, t.Session)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("settle turn %d: %w", t.ID, err)
	}
	t.Stage, t.Last = Settled, last
	return nil
}
