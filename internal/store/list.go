package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// Stages are all stages, in order.
func Stages() []Stage { return []Stage{Waiting, Generated, Acted, Settled} }

// A TurnQuery says which turns are wanted; what is not set does not matter.
type TurnQuery struct {
	Room  platform.Room
	Stage Stage
	Since time.Time
	Limit int // how many at most; needed
}

// Turns returns turns, newest first.
func (s *Store) Turns(ctx context.Context, q TurnQuery) ([]*Turn, error) {
	where := []string{"1 = 1"}
	var args []any
	only := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if q.Room != (platform.Room{}) {
		only("platform = ? AND room = ?", q.Room.Platform, q.Room.ID)
	}
	if q.Stage != "" {
		only("stage = ?", q.Stage)
	}
	if !q.Since.IsZero() {
		only("turn.created >= ?", stamp(q.Since))
	}
	args = append(args, q.Limit)
	rows, err := s.read.QueryContext(ctx, s.sql(`SELECT `+turnColumns+` WHERE `+strings.Join(where, " AND ")+` ORDER BY turn.id DESC LIMIT ?`), args...)
	if err != nil {
		return nil, fmt.Errorf("read the turns: %w", err)
	}
	defer rows.Close()
	var all []*Turn
	for rows.Next() {
		t, err := scanTurn(rows)
		if err != nil {
			return nil, fmt.Errorf("read the turns: %w", err)
		}
		all = append(all, t)
	}
	return all, rows.Err()
}
