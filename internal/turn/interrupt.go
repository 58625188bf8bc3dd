package turn

import (
	"context"
	"slices"

	"github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
)

// An interrupting action ends the reply that asks for it: the model is stopped there and
// then, asked again with what was found, and its answer takes the place of what was shown.
// What was shown is held back meanwhile, and told if nothing comes of it.

// interrupts tells whether an event ends the reply. One that would be refused does not, nor
// does any where the model cannot be asked again.
func (r *reading) interrupts(ctx context.Context, event extract.Event) bool {
	if event.Kind != extract.KindAction || r.turn.Follows-r.turn.Continued >= r.e.FollowupDepth {
		return false
	}
	spec := r.e.Registry.Find(event.Name)
	if spec == nil || !spec.Interrupting || spec.Name == memory.RequestTierName && r.turn.Raised {
		return false
	}
	rows := r.e.Decider().ledger(r.turn.ID, r.result.Actions, "")
	return r.e.Decider().decide(ctx, r.turn, rows[len(rows)-1]).state == store.Planned
}

// cut forgets what of the reply came behind an event. What people see of the event itself,
// as with visible signals, is still to come.
func (r *reading) cut(event extract.Event) {
	whole := r.raw.String()
	r.raw.Reset()
	r.raw.WriteString(whole[:event.End])
	r.interrupted = true
}

// replaces tells whether what a turn's actions came to takes the place of its reply.
func (e *Engine) replaces(ledger []store.Action) bool {
	return slices.ContainsFunc(ledger, func(a store.Action) bool {
		spec := e.Registry.Find(a.Type)
		return a.State == store.Done && spec != nil && spec.Interrupting
	})
}

// raisedAlready tells whether an action has asked for more of the conversation a second time.
// The reply is as good as it gets, and that concerns nobody.
func raisedAlready(a store.Action) bool {
	return a.State == store.Refused && a.Summary == memory.ErrRaised.Error()
}
