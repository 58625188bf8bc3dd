package operator

import (
	"context"
	"errors"

	"github.com/asidehq/aside/platform/web"
)

// Pages gives the web API what it tells about turns.
type Pages struct{ Local }

var _ web.Turns = Pages{}

// Turn implements web.Turns.
func (p Pages) Turn(ctx context.Context, id int64) (any, error) {
	t, err := p.Local.Turn(ctx, id)
	if errors.Is(err, ErrNoSuchTurn) {
		return nil, nil
	}
	return t, err
}

// TurnsOf implements web.Turns.
func (p Pages) TurnsOf(ctx context.Context, message string) ([]any, error) {
	return pages(p.Local.TurnsOf(ctx, "web", message))
}

// Turns implements web.Turns.
func (p Pages) Turns(ctx context.Context, q web.TurnQuery) ([]any, error) {
	return pages(p.Local.Turns(ctx, Query{Room: q.Room, State: q.State, Since: q.Since, Limit: q.Limit}))
}

func pages(turns []*Turn, err error) ([]any, error) {
	var all []any
	for _, t := range turns {
		all = append(all, t)
	}
	return all, err
}
