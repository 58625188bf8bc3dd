package store

import (
	"context"
	"errors"
	"fmt"
)

// Dropped is the state of a dead letter that a person has given up. The row stays:
// a turn must not look delivered because someone has tidied up.
const Dropped PostState = "dropped"

// Drop gives a dead letter up: it is listed no longer and never sent.
func (s *Store) Drop(ctx context.Context, key string) error {
	err := s.In(ctx, func(tx Tx) error {
		done, err := tx.exec(ctx, `UPDATE post SET state = ?, updated = ? WHERE key = ? AND state IN ('dead', 'late')`, Dropped, stamp(s.now()), key)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNoSuchPost, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("drop post %s: %w", key, err)
	}
	return nil
}
