package forge

import (
	"errors"

	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
)

// told is a forge, or what is wrong, as whoever asked is told.
func told(row *store.Forge, err error) (forges.Forge, error) {
	var running *store.ForgeRunning
	var problem *plan.Problem
	var mistake plans.Mistake
	switch {
	case errors.As(err, &running):
		return forges.Forge{}, forges.Mistake(running.Error())
	case errors.As(err, &mistake):
		return forges.Forge{}, forges.Mistake(mistake)
	case errors.As(err, &problem), errors.Is(err, plan.ErrNoPlan), errors.Is(err, plan.ErrBusy):
		return forges.Forge{}, forges.Mistake(err.Error())
	case err != nil:
		return forges.Forge{}, err
	}
	verdicts, err := Verdicts(row)
	if err != nil {
		return forges.Forge{}, err
	}
	f := forges.Forge{
		ID: row.ID, Plan: row.Plan, State: string(row.State), Running: row.State.Running(), Round: row.Round, Text: Text(row),
		Audits: []forges.Audit{}, Note: row.Note, By: row.Person.Name, Room: row.Room.String(), Created: row.Created, Updated: row.Updated,
	}
	for i, v := range verdicts {
		a := forges.Audit{Number: row.Earlier + i + 1, Severity: string(v.Severity), Summary: v.Summary}
		for _, c := range v.Concerns {
			a.Concerns = append(a.Concerns, forges.Concern{Severity: string(c.Severity), Text: c.Text})
		}
		f.Audits = append(f.Audits, a)
	}
	return f, nil
}
