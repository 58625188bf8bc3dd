package main

import (
	"context"
	"log/slog"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/forge"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
)

// newForging forges plans as it is configured. It tells other processes to stop, and nobody
// that there is something to do: whoever runs the queue sets that.
func newForging(c *config.Config, s *store.Store, plans *plan.Plans, log *slog.Logger) *forge.Forge {
	return &forge.Forge{
		Store: s, Plans: plans, Folder: plans.Folder, Logger: log, Rounds: c.Forge.MaxRounds,
		Files: func() []string { return forge.ProjectFiles(c.Plans.Project) },
		Stop: func(session string, before int64) {
			if err := s.Tell(context.Background(), store.StopTurns, store.StopText(session, before)); err != nil {
				log.Error("other processes were not told to stop", "session", session, "error", err)
			}
		},
	}
}

// connectForge goes on with a forge when one of its steps has ended. The phases of plans have
// the same flow; each leaves the others' errands alone.
func (e *errands) connectForge(engine *turn.Engine, out *outbox.Outbox, stop func(session string, before int64)) {
	f := e.forging
	f.May, f.Stop = forges.MayDecide(out), stop
	f.Opened, f.Shown = e.opened, e.displays.Wake
	others := e.ended[action.OnPlan]
	e.ended[action.OnPlan] = func(ctx context.Context, tx store.Tx, t *store.Turn) error {
		if err := f.Ended(ctx, tx, t); err != nil || others == nil {
			return err
		}
		return others(ctx, tx, t)
	}
	revoked := engine.Revoked
	engine.Revoked = func(ctx context.Context, t *store.Turn) (bool, error) {
		if yes, err := f.Revoked(ctx, t); yes || err != nil || revoked == nil {
			return yes, err
		}
		return revoked(ctx, t)
	}
}
