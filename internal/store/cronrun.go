package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A CronRun is a run of a job, or a due time at which there was none.
type CronRun struct {
	ID      int64
	Cron    int64 // the number of the job
	Key     string
	Due     time.Time
	Times   int // how many due times it stands for
	Started time.Time
	Ended   time.Time
	Outcome CronOutcome
	Why     string // for a person to read
	Turn    int64
	Began   string // by what: clock, trigger, chain or hook
	Depth   int    // in a chain
	Source  string // whose data it gets, "" if none
	Data    string
}

// A CronOutcome is what became of a run.
type CronOutcome string

const (
	CronWaiting CronOutcome = "waiting" // for another run of the job to end
	CronRunning CronOutcome = "running"
	CronDone    CronOutcome = "done"
	CronFailed  CronOutcome = "failed"
	CronBarred  CronOutcome = "barred"  // the room or the person is not allowed any more
	CronSkipped CronOutcome = "skipped" // the job was still running
	CronMissed  CronOutcome = "missed"  // nobody was there
)

const runColumns = `SELECT id, cron, key, due, times, started, ended, outcome, why, turn, began, depth, source, data FROM cron_run `

func scanRun(row interface{ Scan(...any) error }) (r CronRun, err error) {
	var due, started, ended int64
	err = row.Scan(&r.ID, &r.Cron, &r.Key, &due, &r.Times, &started, &ended, &r.Outcome, &r.Why, &r.Turn, &r.Began, &r.Depth, &r.Source, &r.Data)
	r.Due, r.Started, r.Ended = unstamp(due), unstampSet(started), unstampSet(ended)
	return r, err
}

// AddRun notes a run, once for each key; if there is one already it returns false.
func (t Tx) AddRun(ctx context.Context, r *CronRun) (fresh bool, err error) {
	err = t.row(ctx, `INSERT INTO cron_run (cron, key, due, times, started, ended, outcome, why, turn, began, depth, source, data)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING RETURNING id`,
		r.Cron, r.Key, stamp(r.Due), max(r.Times, 1), stampSet(r.Started), stampSet(r.Ended), r.Outcome, r.Why, r.Turn, r.Began, r.Depth, r.Source, r.Data).Scan(&r.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// SaveRun writes what became of a run, if it still is what it was.
func (t Tx) SaveRun(ctx context.Context, r CronRun, was CronOutcome) (saved bool, err error) {
	done, err := t.exec(ctx, `UPDATE cron_run SET started = ?, ended = ?, outcome = ?, why = ?, turn = ? WHERE key = ? AND outcome = ?`,
		stampSet(r.Started), stampSet(r.Ended), r.Outcome, r.Why, r.Turn, r.Key, was)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// OpenRuns returns the runs of a job that have not ended, oldest first.
func (t Tx) OpenRuns(ctx context.Context, number int64) ([]CronRun, error) {
	rows, err := t.rows(ctx, runColumns+`WHERE cron = ? AND outcome IN ('waiting', 'running') ORDER BY id`, number)
	return readRuns(rows, err)
}

// RunByKey returns a run.
func (t Tx) RunByKey(ctx context.Context, key string) (r CronRun, found bool, err error) {
	r, err = scanRun(t.row(ctx, runColumns+`WHERE key = ?`, key))
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	return r, err == nil, err
}

// CronRuns returns the latest runs of a job, newest first.
func (s *Store) CronRuns(ctx context.Context, number int64, most int) ([]CronRun, error) {
	rows, err := s.query(ctx, runColumns+`WHERE cron = ? ORDER BY id DESC`+limit, number, most)
	return readRuns(rows, err)
}

func readRuns(rows *sql.Rows, err error) ([]CronRun, error) {
	if err == nil {
		var all []CronRun
		if all, err = readAll(rows, func(rows *sql.Rows, r *CronRun) (err error) { *r, err = scanRun(rows); return err }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the runs of a job: %w", err)
}

// A Fate is what became of everything that followed from a message.
type Fate struct {
	Actions     []Action // oldest first
	Undelivered []string // why posts were not delivered
	Unread      []int64  // the turns whose replies had instructions that could not be read
}

// Fate is that of the message of a turn.
func (t Tx) Fate(ctx context.Context, turn int64) (f Fate, err error) {
	const message = `(SELECT message FROM turn WHERE id = ?)`
	rows, err := t.rows(ctx, `SELECT `+actionColumns+` JOIN turn ON turn.id = action.turn WHERE turn.message = `+message+` ORDER BY action.turn, ordinal`, turn)
	if err == nil {
		f.Actions, err = readAll(rows, scanAction)
	}
	if err == nil {
		rows, err = t.rows(ctx, `SELECT reason FROM post WHERE state IN ('dead', 'late') AND turn IN (SELECT id FROM turn WHERE message = `+message+`) ORDER BY id`, turn)
	}
	if err == nil {
		f.Undelivered, err = readAll(rows, func(rows *sql.Rows, reason *string) error { return rows.Scan(reason) })
	}
	if err == nil {
		rows, err = t.rows(ctx, `SELECT id FROM turn WHERE message = `+message+` AND problems NOT IN ('', '[]', 'null') ORDER BY id`, turn)
	}
	if err == nil {
		f.Unread, err = readAll(rows, func(rows *sql.Rows, id *int64) error { return rows.Scan(id) })
	}
	if err != nil {
		return Fate{}, fmt.Errorf("read what became of turn %d: %w", turn, err)
	}
	return f, nil
}
