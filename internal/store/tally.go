package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// A Limit is how many turns a day somebody, or a room, may start. A day begins at midnight
// UTC.
type Limit struct {
	Whose  string // its name in the table
	Most   int
	Why    string // nobody answers beyond it, for whoever looks into the turn
	Notice string // what is said about it, once a day
}

// A passing is what the limits say about a message.
type passing struct {
	over   bool
	why    string
	notice string // "" if it was said before, or is not to be said
}

// count counts a message that starts a turn, unless it is over a limit: then it counts
// nowhere.
func (t Tx) count(ctx context.Context, limits []Limit, quietly bool) (p passing, err error) {
	day := t.s.now().UTC().Format(time.DateOnly)
	for _, l := range limits {
		if err := t.lockSession(ctx, "tally "+l.Whose); err != nil {
			return p, err
		}
		var n int
		var told bool
		err := t.row(ctx, `SELECT count, told FROM tally WHERE day = ? AND whose = ?`, day, l.Whose).Scan(&n, &told)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return p, err
		}
		if n < l.Most {
			continue
		}
		p = passing{over: true, why: l.Why}
		if told || quietly {
			return p, nil
		}
		p.notice = l.Notice
		_, err = t.exec(ctx, `UPDATE tally SET told = TRUE WHERE day = ? AND whose = ?`, day, l.Whose)
		return p, err
	}
	for _, l := range limits {
		var n int
		if err := t.row(ctx, `INSERT INTO tally (day, whose, count) VALUES (?, ?, 1)
			ON CONFLICT (day, whose) DO UPDATE SET count = tally.count + 1 RETURNING count`, day, l.Whose).Scan(&n); err != nil {
			return p, err
		}
		if n > 1 {
			continue
		}
		if _, err := t.exec(ctx, `DELETE FROM tally WHERE day < ?`, day); err != nil { // a new day
			return p, err
		}
	}
	return p, nil
}
