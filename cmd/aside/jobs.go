package main

import (
	"log/slog"
	"net/http"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/cron"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/platform"
)

// cronDesk is where people make and change jobs.
func cronDesk(c *config.Config, jobs *cron.Book, models *roleModels, out *outbox.Outbox) *cron.Desk {
	desk := &cron.Desk{
		Book: jobs, Platforms: out, Timezone: c.Crons.Timezone, Allowed: func(m platform.Message) bool { return talksIn(c, m) },
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
func cronsOff(c *config.Config) string { return policy(c).Off("crons") }

// cronHook is where programs start jobs; nil where they cannot.
func cronHook(c *config.Config, jobs *cron.Book) http.HandlerFunc {
	if !c.Crons.HookSecret.Set() || cronsOff(c) != "" {
		return nil
	}
	return (&cron.Hook{Book: jobs, Secret: c.Crons.HookSecret.Reveal()}).ServeHTTP
}

// connectCrons rings for the jobs, and tells whoever works on what is opened.
func (e *errands) connectCrons(c *config.Config, log *slog.Logger) {
	e.crons.Opened = e.opened
	e.ended[action.OnCron] = e.crons.Ended
	if cronsOff(c) == "" {
		e.crons.Changed = e.ring("crons", e.crons, log).Wake
	}
}

// cronsChanged is called when another process has changed the jobs.
func (e *errands) cronsChanged() {
	if e.crons.Changed != nil {
		e.crons.Changed()
	}
	e.opened()
}
