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

// A ForgeState is how far a forge has come.
type ForgeState string

const (
	Drafting  ForgeState = "drafting"
	Auditing  ForgeState = "auditing"
	Revising  ForgeState = "revising"
	Forged    ForgeState = "done"   // nothing blocks the plan
	Capped    ForgeState = "capped" // something still does, and there were rounds enough
	Broken    ForgeState = "failed" // a step has failed too often
	CalledOff ForgeState = "cancelled"
)

// Running tells whether a forge goes on by itself.
func (s ForgeState) Running() bool { return s == Drafting || s == Auditing || s == Revising }

// A Forge is how a plan is drafted, audited and revised. What it is for does not change.
type Forge struct {
	ID          int64
	Key         string // of whatever has started it: it is started once
	Plan        string // such as plan-001
	Description string
	Context     string
	Room        platform.Room
	Parent      string // of the room
	Direct      bool
	Person      platform.Person // for whom it is done
	Resumed     bool            // it begins with an audit of what is there, not with a draft
	Earlier     int             // audits of the plan before this forge
	Created     time.Time

	State    ForgeState
	Round    int             // audits that were begun
	Step     int             // errands that were opened
	Failures int             // of the step that is being done
	Turn     int64           // of that step
	Verdicts json.RawMessage // an array, one for each audit that has ended
	Base     json.RawMessage // what the plan's sections were when the step was opened
	Note     string          // what a person has to know in the end
	Cancel   string          // the key of the call that has cancelled it
	Updated  time.Time
}

// A ForgeRunning says that there is a forge already.
type ForgeRunning struct{ Plan string }

func (e *ForgeRunning) Error() string {
	return "forge of " + e.Plan + " is running; forgeStatus shows it, forgeCancel ends it"
}

const forgeColumns = `id, key, plan, description, context, platform, room, parent, direct, person, person_name, handle, resumed, earlier, created,
	state, round, step, failures, turn, verdicts, base, note, cancel, updated FROM forge`

func readForge(row interface{ Scan(...any) error }) (*Forge, error) {
	var f Forge
	var verdicts, base string
	var created, updated int64
	err := row.Scan(&f.ID, &f.Key, &f.Plan, &f.Description, &f.Context, &f.Room.Platform, &f.Room.ID, &f.Parent, &f.Direct, &f.Person.ID, &f.Person.Name, &f.Person.Handle, &f.Resumed, &f.Earlier, &created,
		&f.State, &f.Round, &f.Step, &f.Failures, &f.Turn, &verdicts, &base, &f.Note, &f.Cancel, &updated)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a forge: %w", err)
	}
	f.Verdicts, f.Base = json.RawMessage(verdicts), json.RawMessage(base)
	f.Created, f.Updated = unstamp(created), unstamp(updated)
	return &f, nil
}

const isRunning = `state IN ('drafting', 'auditing', 'revising')`

// ForgeByKey returns the forge that was started with a key, or nil.
func (s *Store) ForgeByKey(ctx context.Context, key string) (*Forge, error) {
	return readForge(s.queryRow(ctx, `SELECT `+forgeColumns+` WHERE key = ?`, key))
}

// ForgeCancelledBy returns the forge that a call with a key has cancelled, or nil.
func (s *Store) ForgeCancelledBy(ctx context.Context, key string) (*Forge, error) {
	return readForge(s.queryRow(ctx, `SELECT `+forgeColumns+` WHERE cancel = ? AND cancel <> '' ORDER BY id DESC LIMIT 1`, key))
}

// ForgeByID returns a forge, or nil.
func (s *Store) ForgeByID(ctx context.Context, id int64) (*Forge, error) {
	return readForge(s.queryRow(ctx, `SELECT `+forgeColumns+` WHERE id = ?`, id))
}

// RunningForge returns the forge that is running, or nil.
func (s *Store) RunningForge(ctx context.Context) (*Forge, error) {
	return readForge(s.queryRow(ctx, `SELECT `+forgeColumns+` WHERE `+isRunning))
}

// LastForge returns the last forge of a plan, or of any if plan is "", or nil.
func (s *Store) LastForge(ctx context.Context, plan string) (*Forge, error) {
	return readForge(s.queryRow(ctx, `SELECT `+forgeColumns+` WHERE plan = ? OR ? = '' ORDER BY id DESC LIMIT 1`, plan, plan))
}

// AddForge begins a forge, once for each key. Where another one is running, the error is a
// *ForgeRunning. It sets what the store knows; fresh tells whether it was not there before.
func (t Tx) AddForge(ctx context.Context, f *Forge) (fresh bool, err error) {
	now := stamp(t.s.now())
	err = t.row(ctx, `SELECT COALESCE(MAX(earlier + round), 0) FROM forge WHERE plan = ?`, f.Plan).Scan(&f.Earlier)
	if err != nil {
		return false, fmt.Errorf("begin a forge of %s: %w", f.Plan, err)
	}
	err = t.row(ctx, `INSERT INTO forge (key, plan, description, context, platform, room, parent, direct, person, person_name, handle, resumed, state, earlier, created, updated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
		f.Key, f.Plan, f.Description, f.Context, f.Room.Platform, f.Room.ID, f.Parent, f.Direct, f.Person.ID, f.Person.Name, f.Person.Handle, f.Resumed, f.State, f.Earlier, now, now).Scan(&f.ID)
	if err == nil {
		f.Created, f.Updated = unstamp(now), unstamp(now)
		return true, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("begin a forge of %s: %w", f.Plan, err)
	}
	before, err := readForge(t.row(ctx, `SELECT `+forgeColumns+` WHERE key = ?`, f.Key))
	if err != nil {
		return false, err
	}
	if before != nil {
		*f = *before
		return false, nil
	}
	running, err := readForge(t.row(ctx, `SELECT `+forgeColumns+` WHERE `+isRunning))
	switch {
	case err != nil:
		return false, err
	case running == nil: // it has ended this moment
		return false, errors.New("another forge was running; try again")
	}
	return false, &ForgeRunning{Plan: running.Plan}
}

// TakeForge returns a forge, or nil; nobody else changes it until the transaction ends.
func (t Tx) TakeForge(ctx context.Context, id int64) (*Forge, error) {
	lock := "" // SQLite has one writer
	if t.s.Engine == Postgres {
		lock = " FOR UPDATE"
	}
	return readForge(t.row(ctx, `SELECT `+forgeColumns+` WHERE id = ?`+lock, id))
}

// SaveForge writes how far a forge has come, which TakeForge or AddForge has returned.
func (t Tx) SaveForge(ctx context.Context, f *Forge) error {
	now := stamp(t.s.now())
	_, err := t.exec(ctx, `UPDATE forge SET state = ?, round = ?, step = ?, failures = ?, turn = ?, verdicts = ?, base = ?, note = ?, cancel = ?, updated = ? WHERE id = ?`,
		f.State, f.Round, f.Step, f.Failures, f.Turn, orEmpty(f.Verdicts, "[]"), orEmpty(f.Base, "{}"), f.Note, f.Cancel, now, f.ID)
	if err != nil {
		return fmt.Errorf("store the forge of %s: %w", f.Plan, err)
	}
	f.Updated = unstamp(now)
	return nil
}

func orEmpty(value json.RawMessage, empty string) string {
	if len(value) == 0 {
		return empty
	}
	return string(value)
}
