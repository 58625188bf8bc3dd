package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// An Action is a row of the ledger: an instruction and what came of it.
type Action struct {
	Turn      int64
	Ordinal   int
	Dialect   string
	Type      string
	Args      json.RawMessage
	State     ActionState
	Summary   string          // of the outcome, for a person and the model
	Say       string          // what it adds to the reply
	Confirmed bool            // by the person who asked
	AskedIn   int64           // the turn in which it was asked for, where that is another one
	Data      json.RawMessage // what a query found
	Trace     json.RawMessage // what the runtime has to remember of it
	Updated   time.Time
}

// An ActionState is how far an action has come.
type ActionState string

const (
	Planned   ActionState = "planned" // not begun
	Started   ActionState = "started" // begun; after a crash it is done again only if it may be
	Done      ActionState = "done"
	Failed    ActionState = "failed"
	Refused   ActionState = "refused"
	Unknown   ActionState = "unknown"   // interrupted, and must not be done again
	Confirmed ActionState = "confirmed" // it was asked, and another turn does it
	Asked     ActionState = "asked"     // waits for the person who asked to confirm it; then another turn does it
)

// Ended tells whether there is an outcome.
func (a ActionState) Ended() bool { return a != Planned && a != Started }

const actionColumns = `action.turn, ordinal, dialect, type, args, state, summary, say, data, trace, confirmed, asked_in, action.updated FROM action`

func scanAction(rows *sql.Rows, a *Action) error {
	var args, data, trace string
	var updated int64
	err := rows.Scan(&a.Turn, &a.Ordinal, &a.Dialect, &a.Type, &args, &a.State, &a.Summary, &a.Say, &data, &trace, &a.Confirmed, &a.AskedIn, &updated)
	a.Args, a.Data, a.Trace, a.Updated = json.RawMessage(args), json.RawMessage(data), json.RawMessage(trace), unstamp(updated)
	return err
}

// Actions returns the ledger of a turn, in order.
func (s *Store) Actions(ctx context.Context, turn int64) ([]Action, error) {
	rows, err := s.query(ctx, `SELECT `+actionColumns+` WHERE action.turn = ? ORDER BY ordinal`, turn)
	if err == nil {
		var all []Action
		if all, err = readAll(rows, scanAction); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the ledger of turn %d: %w", turn, err)
}

// Asked returns the actions of a session that wait to be confirmed by a person, oldest
// first: all of them, or those that a post of the agent has asked about. What actions have
// posted asks about nothing: the model chose the words, which may be about something else.
func (s *Store) Asked(ctx context.Context, session, person, post string) ([]Action, error) {
	rows, err := s.query(ctx, `SELECT `+actionColumns+` JOIN turn ON turn.id = action.turn JOIN message ON message.id = turn.message
		WHERE action.state = 'asked' AND session = ? AND author = ?
		AND (? = '' OR EXISTS (SELECT 1 FROM post JOIN turn AS said ON said.id = post.turn WHERE said.message = turn.message AND post.post_id = ? AND post.key LIKE 'turn-%-post-%')) ORDER BY action.turn, ordinal`, session, person, post, post)
	if err == nil {
		var all []Action
		if all, err = readAll(rows, scanAction); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read what waits to be confirmed in %s: %w", session, err)
}

// SaveAction writes the state of an action, and what do does, in one transaction: an
// action whose effect is in the store is done exactly once.
func (s *Store) SaveAction(ctx context.Context, a Action, do func(Tx) error) error {
	err := s.In(ctx, func(tx Tx) error {
		if do != nil {
			if err := do(tx); err != nil {
				return err
			}
		}
		return s.saveAction(ctx, tx, a)
	})
	if err != nil {
		return fmt.Errorf("store action %d of turn %d: %w", a.Ordinal, a.Turn, err)
	}
	return nil
}

// SaveActions writes the states of actions that are run together, all or none of them.
func (s *Store) SaveActions(ctx context.Context, all []Action) error {
	err := s.In(ctx, func(tx Tx) error {
		for _, a := range all {
			if err := s.saveAction(ctx, tx, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store %d actions: %w", len(all), err)
	}
	return nil
}

func (s *Store) saveAction(ctx context.Context, tx Tx, a Action) error {
	return owned(tx.exec(ctx, `UPDATE action SET state = ?, summary = ?, say = ?, data = ?, trace = ?, updated = ? WHERE turn = ? AND ordinal = ?
		AND EXISTS (SELECT 1 FROM turn WHERE turn.id = action.turn AND`+owns+`)`,
		a.State, a.Summary, a.Say, string(a.Data), string(a.Trace), stamp(s.now()), a.Turn, a.Ordinal, s.Process))
}
