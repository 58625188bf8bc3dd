// Package console is what an operator sees: dead letters and metrics, for now as an
// API. Whoever serves it guards it.
package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// A Console answers requests.
type Console struct {
	Store   *store.Store
	Queue   Queue
	Metrics http.Handler
}

// A Queue works through sessions.
type Queue interface {
	Enqueue(open func(claim bool) (session string, mine bool, err error)) error
}

// Routes are the patterns it serves.
func (c *Console) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /api/v1/dead":               c.dead,
		"POST /api/v1/dead/{key}/resend": c.resend,
		"GET /metrics":                   c.metrics,
	}
}

// A letter is a post that was not delivered.
type letter struct {
	Key    string          `json:"key"`
	Room   string          `json:"room"`
	Text   string          `json:"text"`
	State  store.PostState `json:"state"`
	Reason string          `json:"reason"`
	At     time.Time       `json:"at"`
}

func (c *Console) dead(w http.ResponseWriter, r *http.Request) {
	posts, err := c.Store.DeadPosts(r.Context())
	if err != nil {
		answer(w, http.StatusServiceUnavailable, problem{"the dead letters could not be read; try again"})
		return
	}
	letters := []letter{}
	for _, p := range posts {
		letters = append(letters, letter{p.Key, p.Room.String(), p.Text, p.State, p.Reason, p.Created})
	}
	answer(w, http.StatusOK, map[string]any{"dead": letters})
}

func (c *Console) resend(w http.ResponseWriter, r *http.Request) {
	key := r.PathValue("key")
	err := c.Queue.Enqueue(func(claim bool) (string, bool, error) { return c.Store.Requeue(r.Context(), key, claim) })
	if errors.Is(err, store.ErrNoSuchPost) {
		answer(w, http.StatusNotFound, problem{"there is no dead letter " + key})
		return
	}
	if err != nil {
		answer(w, http.StatusServiceUnavailable, problem{"it could not be queued; try again"})
		return
	}
	answer(w, http.StatusAccepted, map[string]string{"key": key})
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
