package store

import (
	"context"
	"fmt"
)

// A Backlog is what there is to do at the moment, over all processes.
type Backlog struct {
	Turns   int // not settled
	Waiting int // sessions that no process works through
	Posts   int // to be sent
	Dead    int // refused by their platform
	Late    int // too old to be sent without asking
}

// Each part has an index of few rows: somebody may look every few seconds, and the
// tables only ever grow. CROSS JOIN makes SQLite begin with the open turns.
const countBacklog = `SELECT
	(SELECT COUNT(*) FROM turn WHERE stage <> 'settled'),
	(SELECT COUNT(*) FROM lease WHERE owner = ''),
	(SELECT COUNT(*) FROM turn CROSS JOIN post WHERE post.turn = turn.id AND stage <> 'settled' AND state IN ('queued', 'sending')),
	(SELECT COUNT(*) FROM post WHERE state IN ('dead', 'late') AND state = 'dead'),
	(SELECT COUNT(*) FROM post WHERE state IN ('dead', 'late') AND state = 'late')`

// Backlog counts what there is to do.
func (s *Store) Backlog(ctx context.Context) (b Backlog, err error) {
	if err := s.queryRow(ctx, countBacklog).Scan(&b.Turns, &b.Waiting, &b.Posts, &b.Dead, &b.Late); err != nil {
		return Backlog{}, fmt.Errorf("count what there is to do: %w", err)
	}
	return b, nil
}
