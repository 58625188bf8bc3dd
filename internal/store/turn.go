package store

import (
	"cmp"
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
	Number   int64  // of the message, in the order in which they came
	Reply    string // as the model wrote it
	Shown    string // what of it is for people
	Problems json.RawMessage
	Failure  string // why there is no reply, for a person to read
	Timings  json.RawMessage
	Created  time.Time
	Updated  time.Time

	// A turn that follows another one of the same message.
	Origin  string // what the flow began with; "" where it is Flow
	Follows int    // how often the model was asked about this message before
	Depth   int    // how many agents stand between the person and this one
	Input   string // what the model is told besides the message

	// What the reply is: completion, status update, question, blocker or error; "" is not
	// known. Why it was taken for that; and how often in a row status updates were
	// continued before this turn.
	Output    string
	OutputWhy string
	Continued int

	// Silent is set where nobody is to read what is said about the message: only what is
	// done counts.
	Silent bool

	// Joins is how many later messages of the same person are answered with this one. Their
	// own turns are settled; see Joined.
	Joins int

	Due        time.Time // before which it does not begin; zero if it may at once
	Notice     string    // what the runtime itself answers, without asking a model
	Unanswered string    // why nobody answers, for a person to read

	// Complete is set with Settled where no other turn of the message is open.
	Complete bool

	// Last is set with Settled where no other turn of the session is open: its lease
	// has ended.
	Last bool
}

const turnColumns = `turn.id, turn.message, session, flow, stage, reply, shown, problems, failure, timings, turn.created, turn.updated,
	origin, follows, depth, input, output, output_why, continued, silent, joins, due, notice, unanswered,
	platform, room, platform_id, author, author_name, text, reply_to, direct, written, mentioned, reaction, edits, parent
	FROM turn JOIN message ON message.id = turn.message`

func scanTurn(row interface{ Scan(...any) error }) (*Turn, error) {
	var t Turn
	var problems, timings, reaction string
	var created, updated, written, due int64
	m := &t.Message
	err := row.Scan(&t.ID, &t.Number, &t.Session, &t.Flow, &t.Stage, &t.Reply, &t.Shown, &problems, &t.Failure, &timings, &created, &updated,
		&t.Origin, &t.Follows, &t.Depth, &t.Input, &t.Output, &t.OutputWhy, &t.Continued, &t.Silent, &t.Joins, &due, &t.Notice, &t.Unanswered,
		&m.Room.Platform, &m.Room.ID, &m.ID, &m.Author.ID, &m.Author.Name, &m.Text, &m.ReplyTo, &m.Direct, &written, &m.Mentioned, &reaction, &m.Edits, &m.Parent)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t.Problems, t.Timings = json.RawMessage(problems), json.RawMessage(timings)
	t.Created, t.Updated, m.At = unstamp(created), unstamp(updated), unstamp(written)
	if due != 0 {
		t.Due = unstamp(due)
	}
	if reaction != "" {
		return &t, json.Unmarshal([]byte(reaction), &m.Reaction)
	}
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

// NextTurn returns the turn of a session that is to be worked on next, or nil if there
// is none or another process owns the session. What follows from a message comes before
// the next message.
func (s *Store) NextTurn(ctx context.Context, session string) (*Turn, error) {
	for {
		t, err := scanTurn(s.queryRow(ctx, `SELECT `+turnColumns+` WHERE session = ? AND stage <> 'settled' AND due <= ? AND`+owns+` ORDER BY turn.message, turn.id LIMIT 1`,
			session, stamp(s.now()), s.Process))
		if err == nil && t != nil && !t.Due.IsZero() {
			if err = s.endBurst(ctx, t); err == nil {
				continue // by now there may be more in it
			}
		}
		if err != nil {
			return nil, fmt.Errorf("look for the next turn of %s: %w", session, err)
		}
		return t, nil
	}
}

// advance brings a turn to its next stage, if it still is in the one before and this
// process owns its session. The turn's values that change with it are set.
func (t Tx) advance(ctx context.Context, turn *Turn, next Stage, now int64) error {
	return owned(t.exec(ctx, `UPDATE turn SET stage = ?, reply = ?, shown = ?, problems = ?, failure = ?, timings = ?, output = ?, output_why = ?, updated = ?
		WHERE id = ? AND stage = ? AND`+owns,
		next, turn.Reply, turn.Shown, string(turn.Problems), turn.Failure, string(turn.Timings), turn.Output, turn.OutputWhy, now, turn.ID, turn.Stage, t.s.Process))
}

// A Reply is what is stored with the finished reply of a turn.
type Reply struct {
	Actions []Action // to be run; none means that the turn has acted already
	Posts   []Post   // to be delivered, where there are no actions; it saves a commit
	Tell    string   // what the model is to be told in a turn of its own, where there are no actions
	Over    []Action // of other turns, which have asked, and have an outcome now

	Unanswered string // why there is none; "" if there is one
}

// SaveReply stores the finished reply of a turn and what of it is shown, before anything
// acts on it.
func (s *Store) SaveReply(ctx context.Context, t *Turn, r Reply) error {
	next := Generated
	if len(r.Actions) == 0 {
		next = Acted
	}
	err := s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		for _, a := range r.Over {
			if _, err := tx.exec(ctx, `UPDATE action SET state = ?, summary = ?, updated = ? WHERE turn = ? AND ordinal = ? AND state = 'asked'`,
				a.State, a.Summary, now, a.Turn, a.Ordinal); err != nil {
				return err
			}
		}
		if r.Unanswered != "" {
			if _, err := tx.exec(ctx, `UPDATE turn SET unanswered = ? WHERE id = ?`, r.Unanswered, t.ID); err != nil {
				return err
			}
		}
		for _, a := range r.Actions {
			if _, err := tx.exec(ctx, `INSERT INTO action (turn, ordinal, dialect, type, args, state, summary, confirmed, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				t.ID, a.Ordinal, a.Dialect, a.Type, string(a.Args), a.State, a.Summary, a.Confirmed, now); err != nil {
				return err
			}
		}
		if err := tx.say(ctx, t, r.Posts, r.Tell, now); err != nil {
			return err
		}
		return tx.advance(ctx, t, next, now)
	})
	if err != nil {
		return fmt.Errorf("store the reply of turn %d: %w", t.ID, err)
	}
	t.Stage = next
	if r.Unanswered != "" {
		t.Unanswered = r.Unanswered
	}
	return nil
}

// SavePosts puts what a turn says into the outbox. If there is something to tell the
// model, the turn in which it is asked again comes next.
func (s *Store) SavePosts(ctx context.Context, t *Turn, posts []Post, tell string) error {
	err := s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		if err := tx.say(ctx, t, posts, tell, now); err != nil {
			return err
		}
		return tx.advance(ctx, t, Acted, now)
	})
	if err != nil {
		return fmt.Errorf("store the posts of turn %d: %w", t.ID, err)
	}
	t.Stage = Acted
	return nil
}

// say puts posts into the outbox, and opens the turn in which the model is told
// something.
func (t Tx) say(ctx context.Context, turn *Turn, posts []Post, tell string, now int64) error {
	for _, p := range posts {
		if err := t.addPost(ctx, p, now); err != nil {
			return err
		}
		if err := t.addPostFiles(ctx, p.Key, keeping(p.Attach)); err != nil {
			return err
		}
	}
	if tell == "" {
		return nil
	}
	return t.follow(ctx, turn, tell, now)
}

// follow opens the turn in which the model is told something. It has everything of the
// one before: who asked, where, in which flow.
func (t Tx) follow(ctx context.Context, turn *Turn, tell string, now int64) error {
	_, err := t.exec(ctx, `INSERT INTO turn (session, flow, message, stage, origin, follows, depth, input, created, updated)
		SELECT session, ?, message, ?, ?, follows + 1, depth, ?, ?, ? FROM turn WHERE id = ?`,
		FollowUp, Waiting, cmp.Or(turn.Origin, turn.Flow), tell, now, now, turn.ID)
	return err
}

// FollowUp is the flow of a turn in which the model is told what became of its actions.
const FollowUp = "follow-up"

// Chain returns the turns of the same message that came before a turn, oldest first.
func (s *Store) Chain(ctx context.Context, t *Turn) ([]*Turn, error) {
	rows, err := s.query(ctx, `SELECT `+turnColumns+` WHERE turn.message = (SELECT message FROM turn WHERE id = ?) AND turn.id < ? ORDER BY turn.id`, t.ID, t.ID)
	if err == nil {
		var all []*Turn
		all, err = readAll(rows, func(rows *sql.Rows, t **Turn) (err error) { *t, err = scanTurn(rows); return err })
		if err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the turns before turn %d: %w", t.ID, err)
}

// Settle ends a turn, and the lease of its session if it was the last one. The
// receipts that came last are written with it.
func (s *Store) Settle(ctx context.Context, t *Turn, receipts []Post) error {
	var last, complete bool
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
		if err == nil {
			err = tx.row(ctx, `SELECT NOT EXISTS (SELECT 1 FROM turn WHERE message = (SELECT message FROM turn WHERE id = ?) AND stage <> 'settled')`, t.ID).Scan(&complete)
		}
		if err == nil && complete && t.Message.Room.Platform == webPlatform {
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
	t.Stage, t.Last, t.Complete = Settled, last, complete
	return nil
}
