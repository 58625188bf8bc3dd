package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/internal/mark"
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

	// Held is what of the reply nobody has been told yet: a status update, which is told if
	// nothing better comes of the turns that go on from it.
	Held string

	// Joined is the turn that answers the message instead of this one, 0 if there is none.
	Joined int64

	// Added are turns that wait, of what the person has written meanwhile and the model was
	// told in this turn. They are joined into it with its reply.
	Added []*Turn

	// Used are the facts that were of use in the prompt. That is noted with the reply.
	Used []int64

	// Raised is set where the model was asked again because it wanted to be told more of the
	// conversation. It is known once the prompt is made.
	Raised bool

	// Silent is set where nobody is to read what is said about the message: only what is
	// done counts.
	Silent bool

	// Joins is how many later messages of the same person are answered with this one from the
	// beginning. Their own turns are settled; see Store.Burst.
	Joins int

	Due        time.Time // before which it does not begin; zero if it may at once
	Notice     string    // what the runtime itself answers, without asking a model
	Unanswered string    // why nobody answers, for a person to read

	// Brief is how it is done where no message of a platform has started it; nil if one has.
	Brief *Brief

	// Complete is set with Settled where no other turn of the message is open.
	Complete bool

	// Last is set with Settled where no other turn of the session is open: its lease
	// has ended.
	Last bool

	// Answered are set with Complete: the turns that were joined into those of the message.
	Answered []*Turn
}

const turnColumns = `turn.id, turn.message, session, flow, stage, reply, shown, problems, failure, timings, turn.created, turn.updated,
	origin, follows, depth, input, output, output_why, continued, held, joined, silent, joins, due, notice, unanswered,
	platform, room, platform_id, author, author_name, text, reply_to, direct, written, mentioned, reaction, edits, parent, errand, handle
	FROM turn JOIN message ON message.id = turn.message`

func scanTurn(row interface{ Scan(...any) error }) (*Turn, error) {
	var t Turn
	var problems, timings, reaction, brief string
	var created, updated, written, due int64
	m := &t.Message
	err := row.Scan(&t.ID, &t.Number, &t.Session, &t.Flow, &t.Stage, &t.Reply, &t.Shown, &problems, &t.Failure, &timings, &created, &updated,
		&t.Origin, &t.Follows, &t.Depth, &t.Input, &t.Output, &t.OutputWhy, &t.Continued, &t.Held, &t.Joined, &t.Silent, &t.Joins, &due, &t.Notice, &t.Unanswered,
		&m.Room.Platform, &m.Room.ID, &m.ID, &m.Author.ID, &m.Author.Name, &m.Text, &m.ReplyTo, &m.Direct, &written, &m.Mentioned, &reaction, &m.Edits, &m.Parent, &brief, &m.Author.Handle)
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
	return &t, errors.Join(decodeReaction(reaction, m), readBrief(brief, &t))
}

// Turn returns a turn, or nil if there is none.
func (s *Store) Turn(ctx context.Context, id int64) (*Turn, error) {
	t, err := scanTurn(s.queryRow(ctx, `SELECT `+turnColumns+` WHERE turn.id = ?`, id))
	if err != nil {
		return nil, fmt.Errorf("read turn %d: %w", id, err)
	}
	return t, nil
}

// TurnsOf returns the turns that a message has started, by the platform's id of it, and
// those of another message that answer it, oldest first.
func (s *Store) TurnsOf(ctx context.Context, platform, message string) ([]*Turn, error) {
	const own = ` FROM turn AS own JOIN message AS said ON said.id = own.message`
	rows, err := s.query(ctx, `SELECT `+turnColumns+` WHERE turn.id IN (
		SELECT own.id`+own+` WHERE said.platform = ? AND said.platform_id = ? UNION
		SELECT later.id`+own+` JOIN turn AS answering ON answering.id = own.joined JOIN turn AS later ON later.message = answering.message AND later.id >= answering.id
		WHERE said.platform = ? AND said.platform_id = ? AND own.joined <> 0) ORDER BY turn.id`, platform, message, platform, message)
	if err == nil {
		var all []*Turn
		if all, err = readAll(rows, readTurn); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the turns of message %s: %w", message, err)
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

// advance brings a turn to its next stage, if it still is in the one before, this process
// owns its session, and nobody has changed what it answers. The turn's values that change
// with it are set.
func (t Tx) advance(ctx context.Context, turn *Turn, next Stage, now int64) error {
	return owned(t.exec(ctx, `UPDATE turn SET stage = ?, reply = ?, shown = ?, problems = ?, failure = ?, timings = ?, output = ?, output_why = ?, held = ?, updated = ?
		WHERE id = ? AND stage = ? AND (stage <> 'waiting' OR updated = ?) AND`+owns,
		next, turn.Reply, turn.Shown, string(turn.Problems), turn.Failure, string(turn.Timings), turn.Output, turn.OutputWhy, turn.Held, now, turn.ID, turn.Stage, stamp(turn.Updated), t.s.Process))
}

// A Reply is what is stored with the finished reply of a turn.
type Reply struct {
	Actions []Action // to be run
	Acts    bool     // the turn has still to act, even without actions; if not, it saves a commit
	Posts   []Post   // to be delivered, where it has not
	Next    Next     // the same
	Over    []Action // of other turns, which have asked, and have an outcome now

	Unanswered string // why there is none; "" if there is one
}

// SaveReply stores the finished reply of a turn and what of it is shown, before anything
// acts on it, and joins into the turn what was added to it.
func (s *Store) SaveReply(ctx context.Context, t *Turn, r Reply) error {
	next := Acted
	if r.Acts || len(r.Actions) > 0 {
		next = Generated
	}
	var wanted []mark.Wanted
	err := s.In(ctx, func(tx Tx) (err error) {
		now := stamp(s.now())
		for _, a := range r.Over {
			if _, err := tx.exec(ctx, `UPDATE action SET state = ?, summary = ?, updated = ? WHERE turn = ? AND ordinal = ? AND state = 'asked'`,
				a.State, a.Summary, now, a.Turn, a.Ordinal); err != nil {
				return err
			}
		}
		if wanted, err = tx.markAnswered(ctx, r.Over, now); err != nil {
			return err
		}
		if r.Unanswered != "" {
			if _, err := tx.exec(ctx, `UPDATE turn SET unanswered = ? WHERE id = ?`, r.Unanswered, t.ID); err != nil {
				return err
			}
		}
		for _, a := range r.Actions {
			if _, err := tx.exec(ctx, `INSERT INTO action (turn, ordinal, dialect, type, args, state, summary, confirmed, asked_in, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				t.ID, a.Ordinal, a.Dialect, a.Type, string(a.Args), a.State, a.Summary, a.Confirmed, a.AskedIn, now); err != nil {
				return err
			}
		}
		if err := tx.join(ctx, t, t.Added, now); err != nil {
			return err
		}
		if err := tx.UseFacts(ctx, t.Used); err != nil {
			return err
		}
		if err := tx.say(ctx, t, r.Posts, r.Next, now); err != nil {
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
	s.marks.tell(wanted)
	return nil
}

// SavePosts puts what a turn says into the outbox, and opens the next one, if there is one.
func (s *Store) SavePosts(ctx context.Context, t *Turn, posts []Post, next Next) error {
	err := s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		if err := tx.say(ctx, t, posts, next, now); err != nil {
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

// say puts posts into the outbox, and opens the next turn of the message, if there is one.
func (t Tx) say(ctx context.Context, turn *Turn, posts []Post, next Next, now int64) error {
	for _, p := range posts {
		if err := t.addPost(ctx, p, now); err != nil {
			return err
		}
		if err := t.addPostFiles(ctx, p.Key, keeping(p.Attach)); err != nil {
			return err
		}
	}
	if next == (Next{}) {
		return nil
	}
	return t.follow(ctx, turn, next, now)
}

// Settle ends a turn, and the lease of its session if it was the last one. The
// receipts that came last are written with it.
func (s *Store) Settle(ctx context.Context, t *Turn, receipts []Post) error {
	return s.SettleAnd(ctx, t, receipts, nil)
}

// SettleAnd is Settle, and with the last turn of a message also what ended does; nil is
// nothing.
func (s *Store) SettleAnd(ctx context.Context, t *Turn, receipts []Post, ended func(context.Context, Tx) error) error {
	var last, complete bool
	var answered []*Turn
	var wanted []mark.Wanted
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
		if wanted = nil; err == nil && complete {
			answered, err = tx.answered(ctx, t)
		}
		if err == nil && complete {
			wanted, err = tx.markSettled(ctx, t, answered, now)
		}
		if err == nil && complete && ended != nil {
			err = ended(ctx, tx)
		}
		if err == nil && complete && t.Message.Room.Platform == webPlatform && t.Brief == nil {
			for _, message := range append([]*Turn{t}, answered...) {
				if err == nil {
					err = tx.webEvent(ctx, t.Message.Room.ID, "settled", map[string]any{"message": message.Message.ID, "turn": t.ID})
				}
			}
		}
		if err == nil {
			last, err = tx.end(ctx, t.Session)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("settle turn %d: %w", t.ID, err)
	}
	t.Stage, t.Last, t.Complete, t.Answered = Settled, last, complete, answered
	s.marks.tell(wanted)
	return nil
}
