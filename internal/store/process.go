package store

import (
	"context"
	"fmt"
	"time"
)

// Begin makes a process known that has just started. On SQLite it holds the lock of
// the data directory, so whoever else owns sessions is dead.
func (s *Store) Begin(ctx context.Context, dead time.Duration) error {
	if s.Engine == Postgres {
		return s.Beat(ctx, dead)
	}
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `UPDATE lease SET owner = '', since = ? WHERE owner <> ''`, stamp(s.now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("take up the work of the last process: %w", err)
	}
	return nil
}

// clockNow is PostgreSQL's time, as stamp would write it.
const clockNow = `(extract(epoch from clock_timestamp()) * 1000000)::bigint`

// Beat notes that this process lives, and gives the sessions of those free that have
// not beaten for a while. Only PostgreSQL is shared by several processes; its clock
// counts, so that theirs need not agree.
func (s *Store) Beat(ctx context.Context, dead time.Duration) error {
	err := s.In(ctx, func(tx Tx) error {
		if _, err := tx.exec(ctx, `INSERT INTO process (id, beat) VALUES (?, `+clockNow+`) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat`, s.Process); err != nil {
			return err
		}
		if _, err := tx.exec(ctx, `DELETE FROM process WHERE beat < `+clockNow+` - ?`, dead.Microseconds()); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `UPDATE lease SET owner = '', since = ? WHERE owner <> '' AND NOT EXISTS (SELECT 1 FROM process WHERE process.id = lease.owner)`, stamp(s.now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("leave a sign of life: %w", err)
	}
	return nil
}

// Leave notes that this process has ended, and gives its seats and sessions free.
func (s *Store) Leave(ctx context.Context) error {
	err := s.In(ctx, func(tx Tx) error {
		if _, err := tx.exec(ctx, `DELETE FROM process WHERE id = ?`, s.Process); err != nil {
			return err
		}
		if _, err := tx.exec(ctx, `DELETE FROM seat WHERE owner = ?`, s.Process); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `UPDATE lease SET owner = '', since = ? WHERE owner = ?`, stamp(s.now()), s.Process)
		return err
	})
	if err != nil {
		return fmt.Errorf("sign off: %w", err)
	}
	return nil
}
