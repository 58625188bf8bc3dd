package store

import (
	"context"
	"fmt"
	"time"
)

// FreeJobs gives every job free that another process was running or had put off. Only
// a process that knows that no other one lives may call it.
func (s *Store) FreeJobs(ctx context.Context) error {
	if _, err := s.DB.ExecContext(ctx, `UPDATE river_job SET state = 'available', scheduled_at = created_at
		WHERE state IN ('running', 'retryable', 'scheduled') AND kind = 'drain'`); err != nil {
		return fmt.Errorf("take up the jobs of the last process: %w", err)
	}
	return nil
}

// Beat notes that a process lives, and gives the jobs of those free that have not
// beaten for a while. Only PostgreSQL is shared by several processes; its clock
// counts, so that theirs need not agree.
func (s *Store) Beat(ctx context.Context, id string, dead time.Duration) error {
	const now = `(extract(epoch from clock_timestamp()) * 1000000)::bigint`
	err := s.In(ctx, func(tx Tx) error {
		if _, err := tx.exec(ctx, `INSERT INTO process (id, beat) VALUES (?, `+now+`) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat`, id); err != nil {
			return err
		}
		if _, err := tx.exec(ctx, `DELETE FROM process WHERE beat < `+now+` - ?`, dead.Microseconds()); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `UPDATE river_job SET state = 'available' WHERE state = 'running'
			AND NOT EXISTS (SELECT 1 FROM process WHERE process.id = attempted_by[array_upper(attempted_by, 1)])`)
		return err
	})
	if err != nil {
		return fmt.Errorf("leave a sign of life: %w", err)
	}
	return nil
}

// Leave notes that a process has ended.
func (s *Store) Leave(ctx context.Context, id string) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `DELETE FROM process WHERE id = ?`, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("sign off: %w", err)
	}
	return nil
}
