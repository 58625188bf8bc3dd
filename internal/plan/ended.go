package plan

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/asidehq/aside/internal/store"
)

// Ended is what is done when the errand of a phase has ended, in the transaction that
// settles it: what it came to is stored, and the next one is opened. Other errands are left
// alone.
func (p *Plans) Ended(ctx context.Context, tx store.Tx, t *store.Turn) error {
	var w work
	if !mine(t) || json.Unmarshal(t.Brief.More, &w) != nil {
		return nil
	}
	stored, err := tx.Plan(ctx, w.Plan)
	if err != nil || stored == nil {
		return err
	}
	run, err := tx.PlanRunning(ctx, w.Plan)
	if err != nil || run == nil || run.Number != w.Run {
		return err // of a run that has ended
	}
	phases, err := tx.PlanPhases(ctx, w.Plan)
	if err != nil {
		return err
	}
	for _, phase := range phases {
		if phase.State == store.PhaseRunning && phase.Run == run.Number {
			return p.settle(ctx, tx, t, stored, run, phase)
		}
	}
	return p.end(ctx, tx, stored, run, store.RunStopped, "the phase that was running is gone from the plan")
}

// settle stores what a phase came to, and goes on.
func (p *Plans) settle(ctx context.Context, tx store.Tx, t *store.Turn, stored *store.Plan, run *store.PlanRun, phase store.PlanPhase) error {
	if why := undone(t); why != "" {
		phase.State = store.PhasePending
		if err := tx.SavePhase(ctx, phase); err != nil {
			return err
		}
		return p.end(ctx, tx, stored, run, store.RunStopped, why)
	}
	var before []*store.Turn
	if t.Follows > 0 { // they are settled, and so can be read beside the transaction
		var err error
		if before, err = p.Store.Chain(ctx, t); err != nil {
			return err
		}
	}
	e := evidenceOf(t, before)
	written, err := json.Marshal(e)
	if err != nil {
		return err
	}
	phase.State, phase.Evidence = store.PhaseState(e.Outcome), string(written)
	if err := tx.SavePhase(ctx, phase); err != nil {
		return err
	}
	if err := p.log(ctx, tx, stored.Number, fmt.Sprintf("run-%d/%d", run.Number, run.Steps), e.text(phase)); err != nil {
		return err
	}
	switch {
	case phase.State == store.PhaseFailed && !run.RollOn:
		return p.end(ctx, tx, stored, run, store.RunFailed, fmt.Sprintf("phase %d failed: %s", phase.Ordinal, e.why()))
	case run.Stop:
		return p.end(ctx, tx, stored, run, store.RunStopped, stoppedText)
	}
	return p.next(ctx, tx, stored, run)
}

const stoppedText = "somebody has stopped it"

// undone is why nothing came of an errand that is the phase's own: somebody has stopped it,
// or it may not be run any more.
func undone(t *store.Turn) string {
	switch {
	case t.Unanswered != "":
		return t.Unanswered
	case t.Failure == store.StoppedByPerson:
		return stoppedText
	}
	return ""
}
