package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

// signs are how the states of phases look in a room.
var signs = map[store.PhaseState]string{
	store.PhasePending: "·", store.PhaseRunning: "⏳", store.PhaseDone: "✅", store.PhaseFailed: "❌", store.PhaseSkipped: "⏭",
}

// show shows the state of a run, in the transaction that changes it.
func (p *Plans) show(ctx context.Context, tx store.Tx, title string, run *store.PlanRun) error {
	if p.Display == nil {
		return nil
	}
	phases, err := tx.PlanPhases(ctx, run.Plan)
	if err != nil {
		return err
	}
	return p.Display(ctx, tx, Shown{
		Key: fmt.Sprintf("%s/run-%d", IDOf(run.Plan), run.Number), Room: run.By.Room, ReplyTo: run.ReplyTo, Text: statusText(title, run, phases),
		Over: run.State != store.RunRunning,
	})
}

// statusText is the state of a run in words.
func statusText(title string, run *store.PlanRun, phases []store.PlanPhase) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Plan %s: %s\n", named(run.Plan, title), headline(run))
	for _, phase := range phases {
		fmt.Fprintf(&b, "%d %s %s", phase.Ordinal, signs[phase.State], phase.Title)
		var e evidence
		if phase.State == store.PhaseFailed && json.Unmarshal([]byte(phase.Evidence), &e) == nil {
			fmt.Fprintf(&b, " (%s)", e.why())
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// headline is how a run stands.
func headline(run *store.PlanRun) string {
	switch run.State {
	case store.RunRunning:
		return "running"
	case store.RunDone:
		return "done"
	case store.RunFailed:
		return "not finished, " + clipTo(oneLine(run.Note), 300)
	}
	return "stopped, " + clipTo(oneLine(run.Note), 300)
}

func named(number int, title string) string {
	id := IDOf(number)
	if title == "" || title == id {
		return id
	}
	return id + " (" + title + ")"
}

// complete says in the room that a plan is done.
func (p *Plans) complete(ctx context.Context, tx store.Tx, stored *store.Plan, title string, run *store.PlanRun) error {
	if p.Display == nil {
		return nil
	}
	phases, err := tx.PlanPhases(ctx, stored.Number)
	if err != nil {
		return err
	}
	skipped := 0
	for _, phase := range phases {
		if phase.State == store.PhaseSkipped {
			skipped++
		}
	}
	text := fmt.Sprintf("%s is done: %d of %d phases", named(stored.Number, title), len(phases)-skipped, len(phases))
	if skipped > 0 {
		text += fmt.Sprintf(", %d skipped", skipped)
	}
	if stored.Task != "" && p.Tasks != nil {
		text += fmt.Sprintf("; task %s is closed", stored.Task)
	}
	return p.Display(ctx, tx, Shown{Key: fmt.Sprintf("%s/run-%d/done", IDOf(stored.Number), run.Number), Room: run.By.Room, Text: text + ".", Over: true})
}
