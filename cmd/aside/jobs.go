package main

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/cron"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// cronDesk is where people make and change jobs.
func cronDesk(c *config.Config, jobs *cron.Book, models *roleModels, out *outbox.Outbox) *cron.Desk {
	desk := &cron.Desk{
		Book: jobs, Platforms: out, Timezone: c.Crons.Timezone, Allowed: open(c),
		Other: func(name string) error {
			_, err := models.other(config.CronExec, name)
			return err
		},
	}
	if c.Model(config.Cron).Provider != config.Rehearsal { // which knows no schedules
		desk.Words = models.of(config.Cron)
	}
	return desk
}

// cronsOff is why jobs do not run, "" if they do.
func cronsOff(c *config.Config) string {
	switch {
	case !c.Actions.Enabled:
		return "actions are switched off"
	case !c.Actions.Categories.Crons:
		return "the category crons is switched off"
	}
	return ""
}

// cronHook is where programs start jobs; nil where they cannot.
func cronHook(c *config.Config, jobs *cron.Book) http.HandlerFunc {
	if !c.Crons.HookSecret.Set() || cronsOff(c) != "" {
		return nil
	}
	return (&cron.Hook{Book: jobs, Secret: c.Crons.HookSecret.Reveal()}).ServeHTTP
}

// runJobs rings for the jobs, and tells whoever works on what is opened.
func runJobs(c *config.Config, work *errands, jobs *cron.Book, sessions *queue.Queue, log *slog.Logger) (changed func()) {
	jobs.Opened = func() { sessions.Await(jobs.Now()) }
	work.ended[action.OnCron] = jobs.Ended
	if cronsOff(c) != "" {
		return func() {}
	}
	ringing := work.ring("crons", jobs, log)
	jobs.Changed = ringing.Wake
	return func() {
		ringing.Wake()
		jobs.Opened()
	}
}

// open tells in which rooms the agent is to be talked to.
func open(c *config.Config) func(platform.Message) bool {
	return func(m platform.Message) bool {
		return allowed(c, m) && (m.Direct || modeOf(c, m) != config.ModeOff)
	}
}

// stepping is a step of the engine, after which the queue looks for what it has opened: what
// follows an errand is opened in the transaction that ends it, in a session of its own.
func stepping(step func(context.Context, *store.Turn) error, look func()) func(context.Context, *store.Turn) error {
	return func(ctx context.Context, t *store.Turn) error {
		err := step(ctx, t)
		if err == nil && t.Brief != nil && t.Complete {
			look()
		}
		return err
	}
}
