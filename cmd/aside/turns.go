package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
)

// turnPages gives the web API what it tells about a turn.
type turnPages struct {
	store   *store.Store
	reading extract.Config // how replies are read
}

// A turnPage is a turn as the API shows it.
type turnPage struct {
	ID       int64           `json:"id"`
	Session  string          `json:"session"`
	Flow     string          `json:"flow"`
	State    store.Stage     `json:"state"`
	Message  string          `json:"message"`
	Reply    string          `json:"reply"`
	Segments []segment       `json:"segments"`
	Shown    string          `json:"shown"`
	Failure  string          `json:"failure,omitempty"`
	Actions  []actionPage    `json:"actions"`
	Receipts []receiptPage   `json:"receipts"`
	Problems json.RawMessage `json:"problems"`
	Timings  json.RawMessage `json:"timings"`
	Created  time.Time       `json:"created"`
	Updated  time.Time       `json:"updated"`
}

type actionPage struct {
	Dialect string            `json:"dialect"`
	Type    string            `json:"type"`
	Args    json.RawMessage   `json:"args"`
	Outcome store.ActionState `json:"outcome"`
	Summary string            `json:"summary"`
	Data    json.RawMessage   `json:"data,omitempty"`
}

type receiptPage struct {
	Key    string          `json:"key"`
	Room   string          `json:"room"`
	Post   string          `json:"post"`
	State  store.PostState `json:"state"`
	Reason string          `json:"reason,omitempty"`
	Tries  int             `json:"tries"`
}

// Turn implements web.Turns.
func (p turnPages) Turn(ctx context.Context, id int64) (any, error) {
	t, err := p.store.Turn(ctx, id)
	if err != nil || t == nil {
		return nil, err
	}
	return p.page(ctx, t)
}

// TurnsOf implements web.Turns.
func (p turnPages) TurnsOf(ctx context.Context, message string) ([]any, error) {
	turns, err := p.store.TurnsOf(ctx, "web", message)
	if err != nil {
		return nil, err
	}
	var pages []any
	for _, t := range turns {
		page, err := p.page(ctx, t)
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
	}
	return pages, nil
}

func (p turnPages) page(ctx context.Context, t *store.Turn) (*turnPage, error) {
	page := &turnPage{
		ID: t.ID, Session: t.Session, Flow: t.Flow, State: t.Stage, Message: t.Message.ID,
		Reply: t.Reply, Segments: segments(p.reading, t.Reply), Shown: t.Shown, Failure: t.Failure, Actions: []actionPage{}, Receipts: []receiptPage{},
		Problems: t.Problems, Timings: t.Timings, Created: t.Created, Updated: t.Updated,
	}
	actions, err := p.store.Actions(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	for _, a := range actions {
		page.Actions = append(page.Actions, actionPage{a.Dialect, a.Type, a.Args, a.State, a.Summary, a.Data})
	}
	posts, err := p.store.Posts(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	for _, post := range posts {
		page.Receipts = append(page.Receipts, receiptPage{post.Key, post.Room.String(), post.PostID, post.State, post.Reason, post.Tries})
	}
	return page, nil
}
