// Package console is what stands beside the web platform at the same address: the chat page,
// which people see, and for the operator dead letters, tasks, prompts and metrics, which are JSON and
// text for the commands and for programs, not pages. Whoever serves it guards it; the page's
// own files are the one thing that everyone may have.
package console

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"

	"github.com/asidehq/aside/internal/operator"
)

// A Console answers requests.
type Console struct {
	operator.Local // who does the work

	Metrics http.Handler
}

// Routes are the patterns it serves.
func (c *Console) Routes() map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{
		"GET /api/v1/dead":                    c.dead,
		"POST /api/v1/dead/{key}/resend":      c.resend,
		"DELETE /api/v1/dead/{key}":           c.drop,
		"GET /api/v1/prompt":                  c.prompt,
		"GET /api/v1/pairing":                 c.pairings,
		"POST /api/v1/pairing/{code}/approve": c.approve,
		"POST /api/v1/pairing/{code}/deny":    c.deny,
		"DELETE /api/v1/pairing":              c.revoke,
		"GET /api/v1/memory":                  c.memory,
		"GET /api/v1/episodes":                c.episodes,
		"GET /api/v1/tasks":                   c.tasks,
		"POST /api/v1/tasks":                  c.addTask,
		"POST /api/v1/tasks/import":           c.importTasks,
		"GET /api/v1/tasks/{id}":              c.task,
		"POST /api/v1/tasks/{id}":             c.updateTask,
		"POST /api/v1/tasks/{id}/close":       c.closeTask,
		"GET /api/v1/deferrals":               c.appointments("deferrals", operator.Deferral),
		"GET /api/v1/deferrals/{id}":          c.appointment(operator.Deferral),
		"DELETE /api/v1/deferrals/{id}":       c.cancelAppointment(operator.Deferral),
		"GET /api/v1/loops":                   c.appointments("loops", operator.Loop),
		"GET /api/v1/loops/{id}":              c.appointment(operator.Loop),
		"DELETE /api/v1/loops/{id}":           c.cancelAppointment(operator.Loop),
		"GET /api/v1/forge":                   c.forge,
		"POST /api/v1/forge":                  c.startForge,
		"POST /api/v1/forge/resume":           c.resumeForge,
		"POST /api/v1/forge/cancel":           c.cancelForge,
		"GET /api/v1/plans":                   c.plans,
		"GET /api/v1/plans/{id}":              c.plan,
		"POST /api/v1/plans/{id}/approve":     c.approvePlan,
		"POST /api/v1/plans/{id}/close":       c.closePlan,
		"POST /api/v1/plans/{id}/run":         c.runPlan,
		"POST /api/v1/plans/{id}/stop":        c.stopPlan,
		"GET /metrics":                        c.metrics,
	}
	maps.Copy(routes, c.cronRoutes())
	return routes
}

func (c *Console) dead(w http.ResponseWriter, r *http.Request) {
	letters, err := c.Local.Dead(r.Context())
	if err != nil {
		answer(w, http.StatusServiceUnavailable, problem{"the dead letters could not be read; try again"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"dead": letters})
}

func (c *Console) resend(w http.ResponseWriter, r *http.Request) {
	key := r.PathValue("key")
	c.settle(w, key, c.Local.Resend(r.Context(), key), http.StatusAccepted, "it could not be queued; try again")
}

func (c *Console) drop(w http.ResponseWriter, r *http.Request) {
	key := r.PathValue("key")
	c.settle(w, key, c.Local.Drop(r.Context(), key), http.StatusOK, "it could not be dropped; try again")
}

// settle answers what became of a request about a letter.
func (c *Console) settle(w http.ResponseWriter, key string, err error, status int, otherwise string) {
	switch {
	case err == nil:
		answer(w, status, map[string]string{"key": key})
	case errors.Is(err, operator.ErrNoSuchLetter):
		answer(w, http.StatusNotFound, problem{"there is no dead letter " + key})
	default:
		answer(w, http.StatusServiceUnavailable, problem{otherwise})
	}
}

func (c *Console) metrics(w http.ResponseWriter, r *http.Request) { c.Metrics.ServeHTTP(w, r) }

type problem struct {
	Error string `json:"error"`
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // whoever asked is gone
}
