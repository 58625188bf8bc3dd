package operator

import (
	"context"
	"errors"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform/web"
)

// Pages gives the web API what it tells about turns.
type Pages struct {
	Local
	Reading func(role string) extract.Config // how the replies of a role are read; nil reads every dialect
}

// A page is a turn with its reply cut where its reading changes.
type page struct {
	*Turn
	Segments []turn.Part `json:"segments"`
}

func (p Pages) page(t *Turn) page {
	var reading extract.Config
	if p.Reading != nil {
		reading = p.Reading(t.Role)
	}
	return page{t, turn.Parts(reading, t.Reply)}
}

var _ web.Turns = Pages{}

// Turn implements web.Turns.
func (p Pages) Turn(ctx context.Context, id int64) (any, error) {
	t, err := p.Local.Turn(ctx, id)
	if errors.Is(err, ErrNoSuchTurn) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.page(t), nil
}

// TurnsOf implements web.Turns.
func (p Pages) TurnsOf(ctx context.Context, platform, message string) ([]any, error) {
	return p.pages(p.Local.TurnsOf(ctx, platform, message))
}

// Turns implements web.Turns.
func (p Pages) Turns(ctx context.Context, q web.TurnQuery) ([]any, error) {
	return p.pages(p.Local.Turns(ctx, Query{Room: q.Room, State: q.State, Since: q.Since, Limit: q.Limit}))
}

func (p Pages) pages(turns []*Turn, err error) ([]any, error) {
	var all []any
	for _, t := range turns {
		all = append(all, p.page(t))
	}
	return all, err
}
