package store

import (
	"context"
	"fmt"
	"time"
)

// A seat is something that only one process may do at a time, such as being connected to a
// platform. Like a session it is taken from a process for being dead, never for being slow.
// On SQLite there is no other process: every seat is this one's.

// TakeSeat takes a seat, unless a process that lives has it. Whoever has left no sign of
// life for so long is dead.
func (s *Store) TakeSeat(ctx context.Context, name string, dead time.Duration) (taken bool, err error) {
	if s.Engine == SQLite {
		return true, nil
	}
	err = s.In(ctx, func(tx Tx) error {
		done, err := tx.exec(ctx, `INSERT INTO seat (name, owner, since) VALUES (?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, since = excluded.since
			WHERE seat.owner = excluded.owner OR NOT EXISTS (SELECT 1 FROM process WHERE process.id = seat.owner AND process.beat >= `+clockNow+` - ?)`,
			name, s.Process, stamp(s.now()), dead.Microseconds())
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		taken = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("take the seat %s: %w", name, err)
	}
	return taken, nil
}

// HasSeat tells whether a seat is this process's.
func (s *Store) HasSeat(ctx context.Context, name string) (mine bool, err error) {
	if s.Engine == SQLite {
		return true, nil
	}
	if err := s.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM seat WHERE name = ? AND owner = ?)`, name, s.Process).Scan(&mine); err != nil {
		return false, fmt.Errorf("look at the seat %s: %w", name, err)
	}
	return mine, nil
}

// LeaveSeat gives a seat free.
func (s *Store) LeaveSeat(ctx context.Context, name string) error {
	if s.Engine == SQLite {
		return nil
	}
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `DELETE FROM seat WHERE name = ? AND owner = ?`, name, s.Process)
		return err
	})
	if err != nil {
		return fmt.Errorf("leave the seat %s: %w", name, err)
	}
	return nil
}
