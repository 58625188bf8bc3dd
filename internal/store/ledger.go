package store

import (
	"context"
	"encoding/json"
	"fmt"
)

// An Action is a row of the ledger: an instruction and what came of it.
type Action struct {
	Turn    int64
	Ordinal int
	Dialect string
	Type    string
	Args    json.RawMessage
	State   ActionState
	Summary string          // of the outcome, for a person and the model
	Say     string          // what it adds to the reply
	Data    json.RawMessage // what a query found
}

// An ActionState is how far an action has come.
type ActionState string

const (
	Planned ActionState = "planned" // not begun
	Started ActionState = "started" // begun; after a crash it is done again only if it may be
	Done    ActionState = "done"
	Failed  ActionState = "failed"
	Refused ActionState = "refused"
	Unknown ActionState = "unknown" // interrupted, and must not be done again
)

// Ended tells whether there is an outcome.
func (a ActionState) Ended() bool { return a != Planned && a != Started }

// Actions returns the ledger of a turn, in order.
func (s *Store) Actions(ctx context.Context, turn int64) ([]Action, error) {
	rows, err := s.query(ctx, `SELECT ordinal, dialect, type, args, state, summary, say, data FROM action WHERE turn = ? ORDER BY ordinal`, turn)
	if err != nil {
		return nil, fmt.Errorf("read the ledger of turn %d: %w", turn, err)
	}
	defer rows.Close()
	var all []Action
	for rows.Next() {
		a := Action{Turn: turn}
		var args, data string
		if err := rows.Scan(&a.Ordinal, &a.Dialect, &a.Type, &args, &a.State, &a.Summary, &a.Say, &data); err != nil {
			return nil, fmt.Errorf("read the ledger of turn %d: %w", turn, err)
		}
		a.Args, a.Data = json.RawMessage(args), json.RawMessage(data)
		all = append(all, a)
	}
	return all, rows.Err()
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
		return owned(tx.exec(ctx, `UPDATE action SET state = ?, summary = ?, say = ?, data = ?, updated = ? WHERE turn = ? AND ordinal = ?
			AND EXISTS (SELECT 1 FROM turn WHERE turn.id = action.turn AND`+owns+`)`,
			a.State, a.Summary, a.Say, string(a.Data), stamp(s.now()), a.Turn, a.Ordinal, s.Process))
	})
	if err != nil {
		return fmt.Errorf("store action %d of turn %d: %w", a.Ordinal, a.Turn, err)
	}
	return nil
}
