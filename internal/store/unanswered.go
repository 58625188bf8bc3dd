package store

import (
	"context"
	"fmt"
)

// PassOver notes that a turn that has not begun is not to be answered, and why.
func (s *Store) PassOver(ctx context.Context, turn int64, why string) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `UPDATE turn SET unanswered = ? WHERE id = ? AND stage = 'waiting'`, why, turn)
		return err
	})
	if err != nil {
		return fmt.Errorf("pass turn %d over: %w", turn, err)
	}
	return nil
}
