package turn

import (
	"context"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// An errand is a turn that no message has started (see store.Errand). It is done as any
// other, but nobody looks on: nothing of it is shown before it is finished, and what it
// says answers no message that stands in the room.

// modelOf is the model that answers in a turn.
func (e *Engine) modelOf(t *store.Turn) (model.Model, error) {
	if t.Brief == nil || e.ModelOf == nil {
		return e.Model, nil
	}
	return e.ModelOf(*t.Brief)
}

// roleOf is the role of the model that answers in a turn, "" for chat.
func roleOf(t *store.Turn) string {
	if t.Brief == nil {
		return ""
	}
	return t.Brief.Role
}

// readingOf is how the replies of a turn are read.
func (e *Engine) readingOf(t *store.Turn) extract.Config {
	reading := e.Reading
	if e.DialectsOf != nil {
		reading.Dialects = e.DialectsOf(roleOf(t))
	}
	return reading
}

// barred ends an errand that is not to be run any more.
func (e *Engine) barred(ctx context.Context, t *store.Turn) (ended bool, err error) {
	if t.Brief == nil || e.Barred == nil || t.Follows > 0 {
		return false, nil
	}
	why, err := e.Barred(ctx, t)
	if why == "" || err != nil {
		return false, err
	}
	e.Logger.WarnContext(ctx, "an errand is not run", "turn", t.ID, "flow", t.Flow, "job", t.Brief.Job, "reason", why)
	t.Output = mark.PassedOver
	return true, e.passOver(ctx, t, why)
}

// ended is what is to be done when the last turn of an errand is settled.
func (e *Engine) ended(t *store.Turn) func(context.Context, store.Tx) error {
	if t.Brief == nil || e.Ended == nil {
		return nil
	}
	return func(ctx context.Context, tx store.Tx) error { return e.Ended(ctx, tx, t) }
}

// alone tells whether a turn knows nothing but what it is told itself.
func alone(t *store.Turn) bool { return t.Brief != nil && t.Brief.Alone }
