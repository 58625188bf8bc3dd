package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Turns looks up turns, as values that encoding/json can write. nil is none. What
// stands in a turn's field "actions" is shown as the outcomes of its message too, and
// a message is settled when the "state" of all its turns is.
type Turns interface {
	Turn(ctx context.Context, id int64) (any, error)

	// TurnsOf returns the turns that a message of a platform has started, oldest first.
	// Where ids are a room's own there may be several such messages.
	TurnsOf(ctx context.Context, platform, message string) ([]any, error)

	// Turns returns turns, newest first.
	Turns(ctx context.Context, q TurnQuery) ([]any, error)
}

// A TurnQuery says which turns are wanted; what is not set does not matter.
type TurnQuery struct {
	Room  string // platform/id
	State string // one of TurnStates
	Since time.Time
	Limit int
}

// TurnStates are the states of a turn, in order.
func TurnStates() []string { return []string{"waiting", "generated", "acted", "settled"} }

const (
	turnsListed     = 20
	mostTurnsListed = 1000
)

// turnQuery reads a query from a request.
func turnQuery(r *http.Request) (q TurnQuery, err error) {
	values := r.URL.Query()
	q.Room, q.State = values.Get("room"), values.Get("state")
	if name, id, ok := strings.Cut(q.Room, "/"); q.Room != "" && (!ok || name == "" || id == "") {
		return q, invalid("room is platform/id, such as web/lobby")
	}
	if q.State != "" && !slices.Contains(TurnStates(), q.State) {
		return q, invalid("state is one of %s", strings.Join(TurnStates(), ", "))
	}
	if since := values.Get("since"); since != "" {
		if q.Since, err = time.Parse(time.RFC3339, since); err != nil {
			return q, invalid("since is a time such as 2026-03-01T12:00:00Z")
		}
	}
	q.Limit, err = queryNumber(r, "limit", turnsListed, 1, mostTurnsListed)
	return q, err
}

// outcomes are what the actions that followed from a person's message came to, and
// whether that is all; nil where nobody knows.
func (w *Web) outcomes(ctx context.Context, e Entry) (all []json.RawMessage, settled *bool, err error) {
	all = []json.RawMessage{}
	if w.turns == nil || e.Kind != "person" {
		return all, nil, nil
	}
	turns, err := w.turns.TurnsOf(ctx, w.Name(), e.ID)
	if err != nil {
		return nil, nil, err
	}
	over := true
	for _, turn := range turns {
		body, err := json.Marshal(turn)
		if err != nil {
			return nil, nil, err
		}
		var with struct {
			State   string            `json:"state"`
			Actions []json.RawMessage `json:"actions"`
		}
		if err := json.Unmarshal(body, &with); err != nil {
			return nil, nil, err
		}
		all = append(all, with.Actions...)
		over = over && with.State == "settled"
	}
	return all, &over, nil
}

func (w *Web) getTurns(rw http.ResponseWriter, r *http.Request) {
	message := r.URL.Query().Get("message")
	switch {
	case w.turns == nil:
		refuse(rw, http.StatusServiceUnavailable, "turns cannot be looked up here")
		return
	case message == "":
		w.listTurns(rw, r)
		return
	}
	on := cmp.Or(r.URL.Query().Get("platform"), w.Name())
	turns, err := w.turns.TurnsOf(r.Context(), on, message)
	switch {
	case err != nil:
		w.broken(rw, "the turns could not be read", err)
	case turns == nil:
		refuse(rw, http.StatusNotFound, "there is no turn of this message")
	default:
		w.answer(rw, http.StatusOK, map[string]any{"turns": turns})
	}
}

func (w *Web) listTurns(rw http.ResponseWriter, r *http.Request) {
	q, err := turnQuery(r)
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	turns, err := w.turns.Turns(r.Context(), q)
	if err != nil {
		w.broken(rw, "the turns could not be read", err)
		return
	}
	if turns == nil {
		turns = []any{}
	}
	w.answer(rw, http.StatusOK, map[string]any{"turns": turns})
}

func (w *Web) getTurn(rw http.ResponseWriter, r *http.Request) {
	if w.turns == nil {
		refuse(rw, http.StatusServiceUnavailable, "turns cannot be looked up here")
		return
	}
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		refuse(rw, http.StatusBadRequest, "the id of a turn is a whole number from 1")
		return
	}
	turn, err := w.turns.Turn(r.Context(), id)
	if err != nil {
		w.broken(rw, "the turn could not be read", err)
		return
	}
	body, err := json.Marshal(turn)
	switch {
	case err != nil:
		w.broken(rw, "the turn could not be written", err)
	case bytes.Equal(body, []byte("null")): // also a nil pointer, which is no nil any
		refuse(rw, http.StatusNotFound, "there is no such turn")
	default:
		write(rw, http.StatusOK, body)
	}
}
