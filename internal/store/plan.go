package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Plan is what is known of a plan besides what its file says.
type Plan struct {
	Number   int
	Key      string // the same whenever the same call makes it again
	Task     string
	By       Asker
	Wanted   string // the status that the file is to have and has not yet, "" for none
	Sections string // stands for what the sections said when the phases were made
	Created  time.Time
}

// An Asker is who asked for something, and where.
type Asker struct {
	Room   platform.Room
	Parent string
	Direct bool
	Person platform.Person
}

const planColumns = `number, key, task, platform, room, parent, direct, person, name, handle, wanted, sections, created FROM plan `

func scanPlan(row interface{ Scan(...any) error }) (*Plan, error) {
	var p Plan
	var created int64
	err := row.Scan(&p.Number, &p.Key, &p.Task, &p.By.Room.Platform, &p.By.Room.ID, &p.By.Parent, &p.By.Direct,
		&p.By.Person.ID, &p.By.Person.Name, &p.By.Person.Handle, &p.Wanted, &p.Sections, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a plan: %w", err)
	}
	p.Created = unstamp(created)
	return &p, nil
}

// AddPlan stores a plan, once for each key, and returns it as it is stored. Without a
// number it gets the next one that no plan has or had, above a number that is known to be
// taken; with one, it is the plan that has it already, if there is such a plan.
func (s *Store) AddPlan(ctx context.Context, p Plan, above int) (added *Plan, err error) {
	err = s.In(ctx, func(tx Tx) (err error) {
		if err := tx.lockSession(ctx, "plans"); err != nil {
			return err
		}
		added, err = scanPlan(tx.row(ctx, `SELECT `+planColumns+`WHERE key = ? OR number = ? ORDER BY number LIMIT 1`, p.Key, p.Number))
		if added != nil || err != nil {
			return err
		}
		if p.Number == 0 {
			if err := tx.row(ctx, `SELECT COALESCE(MAX(number), 0) FROM plan`).Scan(&p.Number); err != nil {
				return err
			}
			p.Number = max(p.Number, above) + 1
		}
		now := stamp(s.now())
		if _, err := tx.exec(ctx, `INSERT INTO plan (number, key, task, platform, room, parent, direct, person, name, handle, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			p.Number, p.Key, p.Task, p.By.Room.Platform, p.By.Room.ID, p.By.Parent, p.By.Direct, p.By.Person.ID, p.By.Person.Name, p.By.Person.Handle, now, now); err != nil {
			return err
		}
		added, err = scanPlan(tx.row(ctx, `SELECT `+planColumns+`WHERE number = ?`, p.Number))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store a plan: %w", err)
	}
	return added, nil
}

// Plan returns the plan with a number, or nil if there is none.
func (s *Store) Plan(ctx context.Context, number int) (*Plan, error) {
	return scanPlan(s.queryRow(ctx, `SELECT `+planColumns+`WHERE number = ?`, number))
}

// Plan is the plan with a number, or nil. Until the transaction ends, no other one changes it.
func (t Tx) Plan(ctx context.Context, number int) (*Plan, error) {
	if err := t.lockSession(ctx, "plan "+strconv.Itoa(number)); err != nil {
		return nil, err
	}
	return scanPlan(t.row(ctx, `SELECT `+planColumns+`WHERE number = ?`, number))
}

// Plans returns the plans by their numbers.
func (s *Store) Plans(ctx context.Context) ([]*Plan, error) {
	rows, err := s.query(ctx, `SELECT `+planColumns+`ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("read the plans: %w", err)
	}
	return readAll(rows, func(rows *sql.Rows, p **Plan) (err error) {
		*p, err = scanPlan(rows)
		return err
	})
}

// SavePlan stores what may change of a plan: its task, the status that its file is to have,
// and what its phases were made from.
func (t Tx) SavePlan(ctx context.Context, p *Plan) error {
	_, err := t.exec(ctx, `UPDATE plan SET task = ?, wanted = ?, sections = ?, updated = ? WHERE number = ?`, p.Task, p.Wanted, p.Sections, stamp(t.s.now()), p.Number)
	if err != nil {
		return fmt.Errorf("store plan %d: %w", p.Number, err)
	}
	return nil
}

// A PlanEntry is something that is to stand in the audit log of a plan's file.
type PlanEntry struct {
	Plan   int
	Marker string // by which it is found there
	Text   string
}

// LogPlan stores an entry that is to be written into the file, once for each marker.
func (t Tx) LogPlan(ctx context.Context, e PlanEntry) error {
	_, err := t.exec(ctx, `INSERT INTO plan_log (plan, marker, text, written) VALUES (?, ?, ?, ?) ON CONFLICT (marker) DO NOTHING`, e.Plan, e.Marker, e.Text, false)
	if err != nil {
		return fmt.Errorf("store an entry of plan %d: %w", e.Plan, err)
	}
	return nil
}

// Unwritten are the numbers of plans whose files do not say yet what they are to say.
func (s *Store) Unwritten(ctx context.Context) ([]int, error) {
	rows, err := s.query(ctx, `SELECT number FROM plan WHERE wanted <> '' UNION SELECT plan FROM plan_log WHERE NOT written ORDER BY 1`)
	if err != nil {
		return nil, fmt.Errorf("look for plans to write: %w", err)
	}
	return readAll(rows, func(rows *sql.Rows, n *int) error { return rows.Scan(n) })
}

// UnwrittenEntries are the entries that the file of a plan does not have yet, oldest first.
func (s *Store) UnwrittenEntries(ctx context.Context, number int) ([]PlanEntry, error) {
	rows, err := s.query(ctx, `SELECT plan, marker, text FROM plan_log WHERE plan = ? AND NOT written ORDER BY id`, number)
	if err != nil {
		return nil, fmt.Errorf("read the entries of plan %d: %w", number, err)
	}
	return readAll(rows, func(rows *sql.Rows, e *PlanEntry) error { return rows.Scan(&e.Plan, &e.Marker, &e.Text) })
}

// PlanWritten notes what the file of a plan says by now. What was wanted since is left to
// be written.
func (s *Store) PlanWritten(ctx context.Context, number int, status string, entries []PlanEntry) error {
	err := s.In(ctx, func(tx Tx) error {
		if status != "" {
			if _, err := tx.exec(ctx, `UPDATE plan SET wanted = '' WHERE number = ? AND wanted = ?`, number, status); err != nil {
				return err
			}
		}
		for _, e := range entries {
			if _, err := tx.exec(ctx, `UPDATE plan_log SET written = ? WHERE marker = ?`, true, e.Marker); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note what the file of plan %d says: %w", number, err)
	}
	return nil
}
