package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/platform"
)

// A CronJob is a prompt that runs on a schedule.
type CronJob struct {
	Number int64  `json:"-"`
	Key    string `json:"-"` // of the call that made it

	Name     string
	Schedule string
	Zone     string
	Prompt   string
	Room     platform.Room
	RoomName string          `json:",omitempty"` // what the room was called
	Parent   string          `json:",omitempty"` // of the room
	Direct   bool            `json:",omitempty"`
	Person   platform.Person // with whose rights it runs
	Model    string          `json:",omitempty"`
	Tags     []string        `json:",omitempty"`
	Routing  string          `json:",omitempty"` // "json", or "" for the room alone
	Allowed  []string        `json:",omitempty"` // the only actions; none is no such list
	Chain    []int64         `json:",omitempty"` // the jobs that run after it
	Silent   bool            `json:",omitempty"`

	State   string    `json:"-"` // what its runs pass on: a JSON object
	Paused  bool      `json:"-"`
	Due     time.Time `json:"-"` // zero is never
	LastDue time.Time `json:"-"` // from which an interval counts
	Created time.Time `json:"-"`
	Updated time.Time `json:"-"`
}

// ID is how people and models call a job.
func (j CronJob) ID() string { return CronID(j.Number) }

// CronID is the id of the job with a number.
func CronID(number int64) string { return fmt.Sprintf("cron-%03d", number) }

// Session is the one that the runs of a job belong to.
func (j CronJob) Session() string { return "cron/" + j.ID() }

// ErrNoSuchCron says that there is no job of that number.
var ErrNoSuchCron = errors.New("there is no such job")

const cronColumns = `SELECT number, key, details, state, paused, due, last_due, created, updated FROM cron `

func scanCron(row interface{ Scan(...any) error }) (j CronJob, err error) {
	var details string
	var due, last, created, updated int64
	err = row.Scan(&j.Number, &j.Key, &details, &j.State, &j.Paused, &due, &last, &created, &updated)
	if errors.Is(err, sql.ErrNoRows) {
		return j, ErrNoSuchCron
	}
	if err == nil {
		err = json.Unmarshal([]byte(details), &j)
	}
	j.Due, j.LastDue, j.Created, j.Updated = unstampSet(due), unstampSet(last), unstamp(created), unstamp(updated)
	return j, err
}

// stampSet is stamp with 0 for no time, and unstampSet the reverse.
func stampSet(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return stamp(t)
}

func unstampSet(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return unstamp(n)
}

// lockCrons makes those wait for each other who change which jobs there are and which
// follows which.
func (t Tx) lockCrons(ctx context.Context) error { return t.lockSession(ctx, "crons") }

// AddCron adds a job, once for each key: a second time it returns the first one. check
// looks at it among the others.
func (s *Store) AddCron(ctx context.Context, j CronJob, check func(j CronJob, others []CronJob) error) (CronJob, error) {
	err := s.In(ctx, func(tx Tx) error {
		if err := tx.lockCrons(ctx); err != nil {
			return err
		}
		before, err := scanCron(tx.row(ctx, cronColumns+`WHERE key = ?`, j.Key))
		if err == nil {
			j = before
			return nil
		}
		if !errors.Is(err, ErrNoSuchCron) {
			return err
		}
		others, err := tx.crons(ctx)
		if err == nil {
			err = check(j, others)
		}
		if err != nil {
			return err
		}
		details, err := json.Marshal(j)
		if err != nil {
			return err
		}
		j.Created = s.now()
		j.Updated = j.Created
		if err := tx.row(ctx, `INSERT INTO cron (key, details, state, paused, due, last_due, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
			j.Key, string(details), j.State, j.Paused, stampSet(j.Due), stampSet(j.LastDue), stamp(j.Created), stamp(j.Updated)).Scan(&j.Number); err != nil {
			return err
		}
		return tx.TellCrons(ctx)
	})
	if err != nil {
		return CronJob{}, fmt.Errorf("add a job: %w", err)
	}
	return j, nil
}

// ChangeCron changes a job as change says, which also sees the others.
func (s *Store) ChangeCron(ctx context.Context, number int64, change func(j *CronJob, others []CronJob) error) (j CronJob, err error) {
	err = s.In(ctx, func(tx Tx) (err error) {
		if err := tx.lockCrons(ctx); err != nil {
			return err
		}
		if j, err = tx.LockCron(ctx, number); err != nil {
			return err
		}
		others, err := tx.crons(ctx)
		if err == nil {
			err = change(&j, others)
		}
		if err == nil {
			err = tx.saveCron(ctx, &j)
		}
		if err == nil {
			err = tx.TellCrons(ctx)
		}
		return err
	})
	if err != nil {
		return CronJob{}, fmt.Errorf("change %s: %w", CronID(number), err)
	}
	return j, nil
}

// LockCron returns a job as it is now, and as it stays until the transaction ends: nobody
// else begins or ends a run of it meanwhile.
func (t Tx) LockCron(ctx context.Context, number int64) (CronJob, error) {
	if err := t.lockSession(ctx, CronJob{Number: number}.Session()); err != nil {
		return CronJob{}, err
	}
	return scanCron(t.row(ctx, cronColumns+`WHERE number = ? AND gone = ''`, number))
}

func (t Tx) saveCron(ctx context.Context, j *CronJob) error {
	details, err := json.Marshal(j)
	if err != nil {
		return err
	}
	j.Updated = t.s.now()
	_, err = t.exec(ctx, `UPDATE cron SET details = ?, state = ?, paused = ?, due = ?, last_due = ?, updated = ? WHERE number = ?`,
		string(details), j.State, j.Paused, stampSet(j.Due), stampSet(j.LastDue), stamp(j.Updated), j.Number)
	return err
}

// TellCrons tells every process, when the transaction commits, to look at the jobs again.
func (t Tx) TellCrons(ctx context.Context) error { return t.tell(ctx, CronsChanged, "") }

// MoveCron sets when a job is due next, if it is still due when it was; if not, another
// process was quicker.
func (t Tx) MoveCron(ctx context.Context, j CronJob, last, next time.Time) (moved bool, err error) {
	done, err := t.exec(ctx, `UPDATE cron SET due = ?, last_due = ? WHERE number = ? AND due = ? AND NOT paused AND gone = ''`,
		stampSet(next), stampSet(last), j.Number, stampSet(j.Due))
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// SetCronState replaces what the runs of a job pass on.
func (s *Store) SetCronState(ctx context.Context, number int64, state string) error {
	err := s.In(ctx, func(tx Tx) error {
		if _, err := tx.LockCron(ctx, number); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `UPDATE cron SET state = ?, updated = ? WHERE number = ?`, state, stamp(s.now()), number)
		return err
	})
	if err != nil {
		return fmt.Errorf("store the state of %s: %w", CronID(number), err)
	}
	return nil
}

// DeleteCron takes a job away. Whoever does it again with the same key has done it.
func (s *Store) DeleteCron(ctx context.Context, number int64, key string) error {
	err := s.In(ctx, func(tx Tx) error {
		if err := tx.lockCrons(ctx); err != nil {
			return err
		}
		if err := tx.lockSession(ctx, CronJob{Number: number}.Session()); err != nil {
			return err
		}
		done, err := tx.exec(ctx, `UPDATE cron SET gone = ?, updated = ? WHERE number = ? AND (gone = '' OR gone = ?)`, key, stamp(s.now()), number, key)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNoSuchCron, err)
		}
		return tx.TellCrons(ctx)
	})
	if err != nil {
		return fmt.Errorf("delete %s: %w", CronID(number), err)
	}
	return nil
}

// CronDeleted tells whether it was the call of that key that has deleted a job.
func (s *Store) CronDeleted(ctx context.Context, number int64, key string) (yes bool, err error) {
	if err := s.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM cron WHERE number = ? AND gone = ? AND gone <> '')`, number, key).Scan(&yes); err != nil {
		return false, fmt.Errorf("look whether %s was deleted: %w", CronID(number), err)
	}
	return yes, nil
}

// Crons returns all jobs, oldest first.
func (s *Store) Crons(ctx context.Context) ([]CronJob, error) {
	rows, err := s.query(ctx, cronColumns+`WHERE gone = '' ORDER BY number`)
	return readCrons(rows, err)
}

// CronByKey returns the job that a call has made.
func (s *Store) CronByKey(ctx context.Context, key string) (CronJob, error) {
	return scanCron(s.queryRow(ctx, cronColumns+`WHERE key = ?`, key))
}

// DueCrons returns the jobs that are due by now, those that have waited longest first.
func (s *Store) DueCrons(ctx context.Context, now time.Time) ([]CronJob, error) {
	rows, err := s.query(ctx, cronColumns+`WHERE gone = '' AND NOT paused AND due > 0 AND due <= ? ORDER BY due, number`, stamp(now))
	return readCrons(rows, err)
}

// NextCron returns when the next job is due, or zero.
func (s *Store) NextCron(ctx context.Context) (time.Time, error) {
	var due int64
	if err := s.queryRow(ctx, `SELECT COALESCE(MIN(due), 0) FROM cron WHERE gone = '' AND NOT paused AND due > 0`).Scan(&due); err != nil {
		return time.Time{}, fmt.Errorf("look when the next job is due: %w", err)
	}
	return unstampSet(due), nil
}

func (t Tx) crons(ctx context.Context) ([]CronJob, error) {
	rows, err := t.rows(ctx, cronColumns+`WHERE gone = '' ORDER BY number`)
	return readCrons(rows, err)
}

func readCrons(rows *sql.Rows, err error) ([]CronJob, error) {
	if err == nil {
		var all []CronJob
		if all, err = readAll(rows, func(rows *sql.Rows, j *CronJob) (err error) { *j, err = scanCron(rows); return err }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the jobs: %w", err)
}
