package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/task"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform"
)

// newPlans has the plans of the data directory.
func newPlans(c *config.Config, s *store.Store, board *task.Board, log *slog.Logger) *plan.Plans {
	return &plan.Plans{
		Store: s, Folder: plan.NewFolder(filepath.Join(c.Data, "plans")), Project: c.Plans.Project, Now: time.Now, Logger: log,
		Tasks: planTasks{board}, Display: showPlan,
		// Another process may be the one that asks a model.
		Halt: func(session string) {
			if err := s.Tell(context.Background(), store.StopTurns, store.StopText(session, plan.EveryTurn)); err != nil {
				log.Error("other processes were not told to stop", "session", session, "error", err)
			}
		},
	}
}

// connectPlans connects plans with what runs: the queue that their phases are errands of, and
// the clock that writes their files.
func (e *errands) connectPlans(jobs *queue.Queue, engine *turn.Engine, stop func(session string, before int64), log *slog.Logger) {
	e.plans.Await = func(at time.Time) {
		jobs.Await(at)
		e.displays.Wake() // which the turn of a person does not
	}
	e.plans.Halt = func(session string) { stop(session, plan.EveryTurn) }
	e.plans.Changed = e.ring("plans", &plan.Writer{Plans: e.plans}, log).Wake
	e.ended[action.OnPlan] = e.plans.Ended
	engine.Revoked = func(ctx context.Context, t *store.Turn) (bool, error) { return e.plans.Stopping(ctx, *t.Brief) }
}

// stopPlansToo is a stop that also ends the plans that are being run in the room.
func stopPlansToo(ctx context.Context, plans *plan.Plans, stop func(string, int64), log *slog.Logger) func(string, int64) {
	return func(session string, before int64) {
		stop(session, before)
		name, id, ok := strings.Cut(session, "/")
		if !ok {
			return
		}
		if err := plans.StopIn(ctx, platform.Room{Platform: name, ID: id}); err != nil {
			log.Error("the plans of a room were not stopped", "session", session, "error", err)
		}
	}
}
