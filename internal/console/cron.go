package console

import (
	"context"
	"errors"
	"net/http"

	"github.com/asidehq/aside/internal/operator"
)

// cronRoutes are those about jobs.
func (c *Console) cronRoutes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /api/v1/crons":              c.crons,
		"GET /api/v1/crons/{id}":         c.cron(operator.Local.Cron),
		"POST /api/v1/crons/{id}/run":    c.cron(operator.Local.RunCron),
		"POST /api/v1/crons/{id}/pause":  c.cron(pausing(true)),
		"POST /api/v1/crons/{id}/resume": c.cron(pausing(false)),
		"DELETE /api/v1/crons/{id}":      c.cron(operator.Local.DeleteCron),
	}
}

func pausing(paused bool) func(operator.Local, context.Context, string) (operator.Cron, error) {
	return func(l operator.Local, ctx context.Context, id string) (operator.Cron, error) {
		return l.PauseCron(ctx, id, paused)
	}
}

func (c *Console) crons(w http.ResponseWriter, r *http.Request) {
	if c.CronsOff != "" {
		answer(w, http.StatusForbidden, problem{c.CronsOff})
		return
	}
	all, err := c.operator().Crons(r.Context())
	if err != nil {
		answer(w, http.StatusServiceUnavailable, problem{"the jobs could not be read; try again"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"crons": all})
}

// cron does something with a job.
func (c *Console) cron(do func(operator.Local, context.Context, string) (operator.Cron, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c.CronsOff != "" {
			answer(w, http.StatusForbidden, problem{c.CronsOff})
			return
		}
		job, err := do(c.operator(), r.Context(), r.PathValue("id"))
		switch {
		case err == nil:
			answer(w, http.StatusOK, job)
		case errors.Is(err, operator.ErrNoSuchCron):
			answer(w, http.StatusNotFound, problem{err.Error()})
		case errors.Is(err, operator.ErrCronBusy):
			answer(w, http.StatusConflict, problem{err.Error()})
		default:
			answer(w, http.StatusServiceUnavailable, problem{"nothing was changed; try again"})
		}
	}
}
