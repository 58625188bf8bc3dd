package plan

import (
	"context"
	"encoding/json"
	"math"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Stop ends the run of a plan: at once where a model is being asked, and wherever that is.
func (p *Plans) Stop(ctx context.Context, id string) (plans.Plan, error) {
	file, err := p.find(id)
	if err != nil {
		return plans.Plan{}, readable(err)
	}
	running, err := p.stop(ctx, Number(file.ID()))
	if err == nil && !running {
		err = mistake("%s is not running", file.ID())
	}
	if err != nil {
		return plans.Plan{}, err
	}
	return p.Show(ctx, file.ID())
}

func (p *Plans) stop(ctx context.Context, number int) (running bool, err error) {
	// First it is stored, so that whoever asks a model next sees it; then whoever asks one
	// now is told.
	running, err = p.Store.StopPlanRun(ctx, number)
	if running && p.Halt != nil {
		p.Halt(sessionOf(number))
	}
	return running, err
}

// StopIn ends the runs of a room: somebody there has said stop.
func (p *Plans) StopIn(ctx context.Context, room platform.Room) error {
	numbers, err := p.Store.RunningPlans(ctx, room)
	for _, n := range numbers {
		if err == nil {
			_, err = p.stop(ctx, n)
		}
	}
	return err
}

// Stopping tells whether an errand is of a run that somebody wants to end.
func (p *Plans) Stopping(ctx context.Context, b store.Brief) (bool, error) {
	var w work
	if b.Role != Role || json.Unmarshal(b.More, &w) != nil || w.Plan == 0 {
		return false, nil
	}
	run, err := p.Store.LastPlanRun(ctx, w.Plan)
	return run != nil && run.Number == w.Run && run.Stop, err
}

// EveryTurn stops every turn of a session, as far as Engine.Stop is concerned.
const EveryTurn = math.MaxInt64
