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

// A PhaseState is what became of a phase.
type PhaseState string

const (
	PhasePending PhaseState = "pending"
	PhaseRunning PhaseState = "running" // its errand is open
	PhaseDone    PhaseState = "done"
	PhaseFailed  PhaseState = "failed"
	PhaseSkipped PhaseState = "skipped"
)

// A PlanPhase is a phase of a plan, and what it has come to.
type PlanPhase struct {
	Plan     int
	Ordinal  int // from 1
	Kind     string
	Title    string
	Text     string
	Files    []string
	Hash     string // stands for what it was made from
	State    PhaseState
	Run      int    // in which it was last begun, 0 for none
	Evidence string // what was done and checked, as JSON; "" for nothing yet
}

const phaseColumns = `plan, ordinal, kind, title, text, files, hash, state, run, evidence FROM plan_phase WHERE plan = ? ORDER BY ordinal`

func scanPhases(rows *sql.Rows, err error) ([]PlanPhase, error) {
	if err != nil {
		return nil, fmt.Errorf("read the phases of a plan: %w", err)
	}
	return readAll(rows, func(rows *sql.Rows, p *PlanPhase) error {
		var files string
		if err := rows.Scan(&p.Plan, &p.Ordinal, &p.Kind, &p.Title, &p.Text, &files, &p.Hash, &p.State, &p.Run, &p.Evidence); err != nil {
			return err
		}
		return json.Unmarshal([]byte(files), &p.Files)
	})
}

// PlanPhases returns the phases of a plan, in order.
func (s *Store) PlanPhases(ctx context.Context, plan int) ([]PlanPhase, error) {
	return scanPhases(s.query(ctx, `SELECT `+phaseColumns, plan))
}

// PlanPhases are the phases of a plan, in order.
func (t Tx) PlanPhases(ctx context.Context, plan int) ([]PlanPhase, error) {
	return scanPhases(t.rows(ctx, `SELECT `+phaseColumns, plan))
}

// SetPlanPhases puts phases in place of all that a plan had.
func (t Tx) SetPlanPhases(ctx context.Context, plan int, phases []PlanPhase) error {
	_, err := t.exec(ctx, `DELETE FROM plan_phase WHERE plan = ?`, plan)
	for i, p := range phases {
		var files []byte
		if err == nil {
			files, err = json.Marshal(append([]string{}, p.Files...))
		}
		if err == nil {
			_, err = t.exec(ctx, `INSERT INTO plan_phase (plan, ordinal, kind, title, text, files, hash, state, run, evidence, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				plan, i+1, p.Kind, p.Title, p.Text, string(files), p.Hash, p.State, p.Run, p.Evidence, stamp(t.s.now()))
		}
	}
	if err != nil {
		return fmt.Errorf("store the phases of plan %d: %w", plan, err)
	}
	return nil
}

// SavePhase stores what became of a phase.
func (t Tx) SavePhase(ctx context.Context, p PlanPhase) error {
	_, err := t.exec(ctx, `UPDATE plan_phase SET state = ?, run = ?, evidence = ?, updated = ? WHERE plan = ? AND ordinal = ?`,
		p.State, p.Run, p.Evidence, stamp(t.s.now()), p.Plan, p.Ordinal)
	if err != nil {
		return fmt.Errorf("store phase %d of plan %d: %w", p.Ordinal, p.Plan, err)
	}
	return nil
}

// A RunState is what became of a run.
type RunState string

const (
	RunRunning RunState = "running"
	RunDone    RunState = "done"    // every phase is done or skipped
	RunFailed  RunState = "failed"  // a phase has failed
	RunStopped RunState = "stopped" // somebody has stopped it, or it could not go on
)

// A PlanRun is a run of a plan.
type PlanRun struct {
	Plan    int
	Number  int    // from 1
	Key     string // the same whenever the same call begins it again
	State   RunState
	Note    string // why it ended as it did, for a person
	RollOn  bool   // a phase that fails does not end it
	Quiet   bool   // nothing is said at the end but what the status says
	By      Asker
	ReplyTo string // the message that asked for it, "" for none
	Depth   int    // how many agents stand between the person and its phases
	Steps   int    // how many phases it has begun
	Stop    bool   // somebody wants it to end
	Began   time.Time
}

const planRunColumns = `plan, number, key, state, note, roll_on, quiet, platform, room, parent, direct, person, name, handle, reply_to, depth, steps, stop, began FROM plan_run `

func scanPlanRun(row *sql.Row) (*PlanRun, error) {
	var r PlanRun
	var began int64
	err := row.Scan(&r.Plan, &r.Number, &r.Key, &r.State, &r.Note, &r.RollOn, &r.Quiet, &r.By.Room.Platform, &r.By.Room.ID, &r.By.Parent, &r.By.Direct,
		&r.By.Person.ID, &r.By.Person.Name, &r.By.Person.Handle, &r.ReplyTo, &r.Depth, &r.Steps, &r.Stop, &began)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the run of a plan: %w", err)
	}
	r.Began = unstamp(began)
	return &r, nil
}

// LastPlanRun returns the last run of a plan, or nil if there was none.
func (s *Store) LastPlanRun(ctx context.Context, plan int) (*PlanRun, error) {
	return scanPlanRun(s.queryRow(ctx, `SELECT `+planRunColumns+`WHERE plan = ? ORDER BY number DESC LIMIT 1`, plan))
}

// PlanRunning is the run that a plan is in, or nil.
func (t Tx) PlanRunning(ctx context.Context, plan int) (*PlanRun, error) {
	return scanPlanRun(t.row(ctx, `SELECT `+planRunColumns+`WHERE plan = ? AND state = 'running'`, plan))
}

// PlanRunByKey is the run that a call has begun, or nil.
func (t Tx) PlanRunByKey(ctx context.Context, key string) (*PlanRun, error) {
	return scanPlanRun(t.row(ctx, `SELECT `+planRunColumns+`WHERE key = ?`, key))
}

// BeginPlanRun stores a run that begins, and gives it its number. There must be no other one
// under way: look with PlanRunning in the same transaction, after Plan.
func (t Tx) BeginPlanRun(ctx context.Context, r *PlanRun) error {
	now := t.s.now()
	err := t.row(ctx, `SELECT COALESCE(MAX(number), 0) + 1 FROM plan_run WHERE plan = ?`, r.Plan).Scan(&r.Number)
	if err == nil {
		r.State, r.Began = RunRunning, unstamp(stamp(now))
		_, err = t.exec(ctx, `INSERT INTO plan_run (plan, number, key, state, roll_on, quiet, platform, room, parent, direct, person, name, handle, reply_to, depth, began) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			r.Plan, r.Number, r.Key, r.State, r.RollOn, r.Quiet, r.By.Room.Platform, r.By.Room.ID, r.By.Parent, r.By.Direct,
			r.By.Person.ID, r.By.Person.Name, r.By.Person.Handle, r.ReplyTo, r.Depth, stamp(now))
	}
	if err != nil {
		return fmt.Errorf("begin a run of plan %d: %w", r.Plan, err)
	}
	return nil
}

// EndPlanRun stores how a run has ended.
func (t Tx) EndPlanRun(ctx context.Context, r *PlanRun) error {
	_, err := t.exec(ctx, `UPDATE plan_run SET state = ?, note = ?, ended = ? WHERE plan = ? AND number = ? AND state = 'running'`, r.State, r.Note, stamp(t.s.now()), r.Plan, r.Number)
	if err != nil {
		return fmt.Errorf("end run %d of plan %d: %w", r.Number, r.Plan, err)
	}
	return nil
}

// StepPlanRun counts a phase that a run begins.
func (t Tx) StepPlanRun(ctx context.Context, r *PlanRun) error {
	r.Steps++
	if _, err := t.exec(ctx, `UPDATE plan_run SET steps = ? WHERE plan = ? AND number = ?`, r.Steps, r.Plan, r.Number); err != nil {
		return fmt.Errorf("count a phase of run %d of plan %d: %w", r.Number, r.Plan, err)
	}
	return nil
}

// StopPlanRun notes that the run of a plan is to end, and tells whether there is one.
func (s *Store) StopPlanRun(ctx context.Context, plan int) (running bool, err error) {
	err = s.In(ctx, func(tx Tx) error {
		done, err := tx.exec(ctx, `UPDATE plan_run SET stop = ? WHERE plan = ? AND state = 'running'`, true, plan)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		running = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("stop the run of plan %d: %w", plan, err)
	}
	return running, nil
}

// RunningPlans are the plans that are being run in a room, all of them for the zero Room.
func (s *Store) RunningPlans(ctx context.Context, in platform.Room) ([]int, error) {
	rows, err := s.query(ctx, `SELECT plan FROM plan_run WHERE state = 'running' AND (? = '' OR platform = ? AND room = ?) ORDER BY plan`, in.Platform, in.Platform, in.ID)
	if err != nil {
		return nil, fmt.Errorf("look for running plans: %w", err)
	}
	return readAll(rows, func(rows *sql.Rows, n *int) error { return rows.Scan(n) })
}
