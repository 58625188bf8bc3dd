package turn

import (
	"fmt"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
)

// What is decided about an action before it runs is decided here and nowhere else:
// the engine acts on it, and a replay explains it.

// brokeOff is why a reply that broke off acts on nothing: nobody knows what it would
// have said.
const brokeOff = "the reply broke off"

// ledger are the rows of the actions in a reply.
func ledger(turn int64, actions []extract.Event, failure string) []store.Action {
	var rows []store.Action
	for i, a := range actions {
		row := store.Action{Turn: turn, Ordinal: i, Dialect: a.Dialect.String(), Type: a.Name, Args: a.Args, State: store.Planned}
		if failure != "" {
			row.State, row.Summary = store.Refused, brokeOff
		}
		rows = append(rows, row)
	}
	return rows
}

// A decision is what is to be done with an action.
type decision struct {
	spec  *action.Spec
	args  action.Args
	state store.ActionState // Planned: run it. Anything else is its outcome
	why   string
}

// decide looks at a row of the ledger. It does nothing.
func decide(registry *action.Registry, a store.Action) decision {
	d := decision{spec: registry.Find(a.Type), state: store.Planned}
	switch {
	case a.State.Ended():
		d.state, d.why = a.State, a.Summary
		return d
	case d.spec == nil:
		d.state, d.why = store.Failed, noSuchAction(a.Type)
		return d
	case a.State == store.Started && !d.spec.Repeatable:
		d.state, d.why = store.Unknown, d.spec.Name+" was interrupted; it may or may not have happened"
		return d
	}
	args, err := d.spec.Decode(a.Args)
	if err != nil {
		d.state, d.why = store.Failed, err.Error()
		return d
	}
	d.args = args
	return d
}

func noSuchAction(name string) string { return fmt.Sprintf("there is no action %q", name) }
