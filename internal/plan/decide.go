package plan

import (
	"context"
	"fmt"
	"time"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/store"
)

// Approve says yes to a plan as its file stands. What is done already and still stands in
// the plan as it did stays done; everything else is to be done.
func (p *Plans) Approve(ctx context.Context, by plans.By, id string) (plans.Plan, error) {
	return p.decide(ctx, by, id, Approved, func(tx store.Tx, stored *store.Plan, d *Document) error {
		phases, err := tx.PlanPhases(ctx, stored.Number)
		if err != nil || len(phases) == 0 {
			return err
		}
		remade, _ := remake(phases, Phases(d))
		stored.Sections = d.Hash()
		return tx.SetPlanPhases(ctx, stored.Number, remade)
	})
}

// Close puts a plan away, and closes its task. One that is closed stays closed.
func (p *Plans) Close(ctx context.Context, by plans.By, id string) (plans.Plan, error) {
	if shown, err := p.Show(ctx, id); err != nil || shown.Status == string(Closed) {
		return shown, err
	}
	return p.decide(ctx, by, id, Closed, func(tx store.Tx, stored *store.Plan, _ *Document) error {
		return p.closeTask(ctx, tx, stored, askerOf(by), by.Key, "the plan was closed")
	})
}

func (p *Plans) closeTask(ctx context.Context, tx store.Tx, stored *store.Plan, by store.Asker, key, reason string) error {
	if p.Tasks == nil || stored.Task == "" {
		return nil
	}
	return p.Tasks.Close(ctx, tx, key+"/task", by, stored.Task, reason)
}

// decide gives a plan another status, if it may have it: first in the store, where a run
// that begins meanwhile is seen, and then in its file. also does what else is to be done.
func (p *Plans) decide(ctx context.Context, by plans.By, id string, next Status, also func(tx store.Tx, stored *store.Plan, d *Document) error) (plans.Plan, error) {
	file, err := p.find(id)
	if err != nil {
		return plans.Plan{}, readable(err)
	}
	known, err := p.known(ctx, file)
	if err != nil {
		return plans.Plan{}, err
	}
	err = p.Store.In(ctx, func(tx store.Tx) error {
		stored, err := tx.Plan(ctx, known.Number)
		if err != nil {
			return err
		}
		now, err := p.statusIn(ctx, tx, file, stored)
		if err != nil {
			return err
		}
		if why := refuse(file.ID(), next, now); why != "" {
			return mistake("%s", why)
		}
		stored.Wanted = string(next)
		if err := also(tx, stored, file.Document); err != nil {
			return err
		}
		if now != next {
			if err := tx.LogPlan(ctx, p.entry(stored.Number, by.Key+"/"+string(next), fmt.Sprintf("%s by %s.", next, who(by)))); err != nil {
				return err
			}
		}
		return tx.SavePlan(ctx, stored)
	})
	if err != nil {
		return plans.Plan{}, err
	}
	if err := p.Write(ctx, known.Number); err != nil {
		return plans.Plan{}, readable(err)
	}
	return p.Show(ctx, file.ID())
}

func who(by plans.By) string {
	if by.Person.Name != "" {
		return oneLine(by.Person.Name)
	}
	return "the operator"
}

// statusIn is the status that a plan has: the one that its file is to have, or else the one
// that it has.
func (p *Plans) statusIn(ctx context.Context, tx store.Tx, file *File, stored *store.Plan) (Status, error) {
	run, err := tx.PlanRunning(ctx, stored.Number)
	switch {
	case err != nil:
		return "", err
	case run != nil:
		return Implementing, nil
	case stored.Wanted != "":
		return wantedStatus(file.Status(), Status(stored.Wanted)), nil
	case file.Status() == Implementing: // a run would be known: somebody has written it there
		return Approved, nil
	}
	return file.Status(), nil
}

// wantedStatus is the status that a file gets that has one and is to have another one. What
// a person has written counts more than how a run has ended.
func wantedStatus(now, wanted Status) Status {
	if (wanted == Done || wanted == Implementing) && now != Approved && now != Implementing {
		return now
	}
	if wanted == Approved && now.Over() {
		return now
	}
	return wanted
}

// entry is something that is to stand in the audit log.
func (p *Plans) entry(number int, key, text string) store.PlanEntry {
	marker := fmt.Sprintf("%s/%s", IDOf(number), oneLine(key))
	return store.PlanEntry{Plan: number, Marker: marker, Text: p.Now().UTC().Format(time.DateTime) + " UTC: " + text}
}
