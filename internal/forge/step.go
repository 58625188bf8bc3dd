package forge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
)

// Each step of a forge ends here, in the transaction that settles its turn. What it came to
// is written into the plan's file before that transaction ends: should it not, the same is
// done again, and changes nothing.

// tries is how often a step is asked for.
const tries = 3

// mine tells whether a turn is a step of a forge.
func mine(t *store.Turn) bool { return t.Brief != nil && strings.HasPrefix(t.Session, sessions) }

// Revoked tells whether a step is no longer wanted. Of other errands it knows nothing.
func (f *Forge) Revoked(ctx context.Context, t *store.Turn) (bool, error) {
	if !mine(t) {
		return false, nil
	}
	s, err := stepOf(t)
	if err != nil {
		return false, err
	}
	row, err := f.Store.ForgeByID(ctx, s.Forge)
	return err == nil && !current(row, s), err
}

func stepOf(t *store.Turn) (s step, err error) {
	if err := json.Unmarshal(t.Brief.More, &s); err != nil {
		return s, fmt.Errorf("read the step of turn %d: %w", t.ID, err)
	}
	return s, nil
}

// current tells whether a step is the one that a forge is at.
func current(row *store.Forge, s step) bool {
	return row != nil && row.State.Running() && row.Step == s.Step
}

// Ended does what follows from a step. Other errands are left alone.
func (f *Forge) Ended(ctx context.Context, tx store.Tx, t *store.Turn) error {
	if !mine(t) {
		return nil
	}
	s, err := stepOf(t)
	if err != nil {
		return err
	}
	row, err := tx.TakeForge(ctx, s.Forge)
	if err != nil || !current(row, s) {
		return err // it was called off
	}
	if err := f.after(ctx, tx, row, t); err != nil {
		return err
	}
	f.woken() // a moment early; whoever looks too soon looks again
	return nil
}

func (f *Forge) after(ctx context.Context, tx store.Tx, row *store.Forge, t *store.Turn) error {
	switch {
	case t.Unanswered != "":
		return f.end(ctx, tx, row, store.Broken, t.Unanswered)
	case t.Failure == store.StoppedByPerson:
		return f.end(ctx, tx, row, store.CalledOff, "")
	case t.Failure != "":
		return f.again(ctx, tx, row, t, t.Failure)
	}
	err := f.reply(ctx, tx, row, t)
	var problem *plan.Problem
	switch {
	case errors.As(err, &problem), errors.Is(err, plan.ErrNoPlan): // which a person has to see to
		return f.end(ctx, tx, row, store.Broken, "its file cannot be read: "+err.Error())
	}
	return err
}

// again asks for the same once more, unless that was tried often enough.
func (f *Forge) again(ctx context.Context, tx store.Tx, row *store.Forge, t *store.Turn, why string) error {
	if row.Failures++; row.Failures >= tries {
		return f.end(ctx, tx, row, store.Broken, why)
	}
	return f.open(ctx, tx, row, t.Message.Text)
}

// reply takes what a model has written. A plan that is no draft any more is a person's
// decision, and ends its forge.
func (f *Forge) reply(ctx context.Context, tx store.Tx, row *store.Forge, t *store.Turn) error {
	number := plan.Number(row.Plan)
	stored, err := tx.Plan(ctx, number)
	if err != nil {
		return err
	}
	file, err := f.Folder.Read(number)
	if err != nil {
		return err
	}
	status := file.Status()
	if stored != nil && stored.Wanted != "" {
		status = plan.Status(stored.Wanted)
	}
	if status != plan.Draft && status != plan.Review {
		return f.end(ctx, tx, row, store.CalledOff, fmt.Sprintf("somebody has made it %s meanwhile", status))
	}
	if row.State == store.Auditing {
		return f.audited(ctx, tx, row, t, number)
	}
	return f.drafted(ctx, tx, row, t, number)
}

// drafted puts a draft into the plan, and has it audited.
func (f *Forge) drafted(ctx context.Context, tx store.Tx, row *store.Forge, t *store.Turn, number int) error {
	draft := ReadDraft(t.Shown)
	if len(draft) == 0 {
		return f.again(ctx, tx, row, t, "the drafter's reply has none of the sections of a plan")
	}
	var was map[string]string
	if err := json.Unmarshal(row.Base, &was); err != nil {
		return fmt.Errorf("read what %s was: %w", row.Plan, err)
	}
	file, err := f.Folder.Change(number, func(d *plan.Document) error {
		kept, err := merge(d, was, draft)
		if err != nil || len(kept) == 0 {
			return err
		}
		return addEntry(d, marker(row, "kept"), fmt.Sprintf("What a person wrote in %s while this was %s was left as it is.", strings.Join(kept, " and "), row.State))
	})
	if err != nil {
		return err
	}
	before, err := Verdicts(row)
	if err != nil {
		return err
	}
	row.State, row.Failures = store.Auditing, 0
	row.Round++
	return f.open(ctx, tx, row, auditText(row, file.Document, before))
}

// audited writes down what an audit came to, and has the plan revised if something blocks
// it and there is a round left. If not, it is for a person to read.
func (f *Forge) audited(ctx context.Context, tx store.Tx, row *store.Forge, t *store.Turn, number int) error {
	if strings.TrimSpace(t.Shown) == "" {
		return f.again(ctx, tx, row, t, "the auditor has said nothing")
	}
	verdict := ReadVerdict(t.Shown)
	all, err := Verdicts(row)
	if err != nil {
		return err
	}
	all = append(all, verdict)
	if row.Verdicts, err = json.Marshal(all); err != nil {
		return err
	}
	goesOn := verdict.Blocks() && row.Round < f.Rounds
	file, err := f.Folder.Change(number, func(d *plan.Document) error {
		if err := addEntry(d, marker(row, "audit"), auditEntry(row, verdict, f.now())); err != nil {
			return err
		}
		if goesOn {
			return nil
		}
		return d.SetHeader(plan.State, string(plan.Review))
	})
	if err != nil {
		return err
	}
	row.Failures = 0
	switch {
	case goesOn:
		row.State = store.Revising
		if row.Base, err = json.Marshal(base(file.Document)); err != nil {
			return err
		}
		return f.open(ctx, tx, row, reviseText(row, file.Document, verdict))
	case verdict.Blocks():
		return f.end(ctx, tx, row, store.Capped, stillBlocks(verdict))
	}
	return f.end(ctx, tx, row, store.Forged, verdict.Unsure)
}

// Verdicts are those of the audits of a forge, in order.
func Verdicts(row *store.Forge) (all []Verdict, err error) {
	if len(row.Verdicts) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(row.Verdicts, &all); err != nil {
		return nil, fmt.Errorf("read the verdicts on %s: %w", row.Plan, err)
	}
	return all, nil
}
