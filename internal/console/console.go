// Package console is what people see in a browser: the chat page, and for the operator
// dead letters and metrics, for now as an API. Whoever serves it guards it; the page's
// own files are the one thing that everyone may have.
package console

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// A Console answers requests.
type Console struct {
	Store   *store.Store
	Wake    func(ctx context.Context, session string) error
	Metrics io.WriterTo
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
	session, err := c.Store.Requeue(r.Context(), key)
	if errors.Is(err, store.ErrNoSuchPost) {
		answer(w, http.StatusNotFound, problem{"there is no dead letter " + key})
		return
	}
	if err == nil {
		err = c.Wake(r.Context(), session)
	}
	if err != nil {
		answer(w, http.StatusServiceUnavailable, problem{"it could not be queued; try again"})
		return
	}
	answer(w, http.StatusAccepted, map[string]string{"key": key})
}

func (c *Console) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = c.Metrics.WriteTo(w) // whoever asked is gone
}

type problem struct {
	Error string `json:"error"`
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // whoever asked is gone
}
