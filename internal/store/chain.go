package store

import (
	"cmp"
	"context"
	"fmt"
)

// The model may be asked more than once about a message. Each time is a turn of its own;
// together they are a chain.

// A Next is the turn that comes after another one of the same message. The zero Next is
// none.
type Next struct {
	Flow  string // FollowUp or Continuation
	Input string // what the model is told
}

const (
	FollowUp     = "follow-up"    // the model is told what became of its actions
	Continuation = "continuation" // the model is told to go on
)

// follow opens the next turn. It has everything of the one before: who asked, where, in
// which flow, and how often the model was asked.
func (t Tx) follow(ctx context.Context, turn *Turn, next Next, now int64) error {
	continues := 0
	if next.Flow == Continuation {
		continues = 1
	}
	_, err := t.exec(ctx, `INSERT INTO turn (session, flow, message, stage, origin, follows, continued, depth, input, created, updated)
		SELECT session, ?, message, ?, ?, follows + 1, continued + ?, depth, ?, ?, ? FROM turn WHERE id = ?`,
		next.Flow, Waiting, cmp.Or(turn.Origin, turn.Flow), continues, next.Input, now, now, turn.ID)
	return err
}

// Chain returns the turns of the same message that came before a turn, oldest first.
func (s *Store) Chain(ctx context.Context, t *Turn) ([]*Turn, error) {
	rows, err := s.query(ctx, `SELECT `+turnColumns+` WHERE turn.message = (SELECT message FROM turn WHERE id = ?) AND turn.id < ? ORDER BY turn.id`, t.ID, t.ID)
	if err == nil {
		var all []*Turn
		if all, err = readAll(rows, readTurn); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the turns before turn %d: %w", t.ID, err)
}
