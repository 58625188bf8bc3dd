// Package action holds what an action is: its one definition (Spec), the registry in
// which a name in any dialect finds it, and its outcome.
//
// The package knows no platform and imports the standard library only. Before
// changing it, know that Repeatable is a promise to the ledger: after a crash such an
// action is simply run again.
package action

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A Spec defines an action. Everything that is said about it anywhere comes from
// here.
type Spec struct {
	Name        string
	Aliases     []string // its names in other dialects
	Description string   // one line
	Args        []Arg
	Example     string // as a block's JSON

	// Query is set where the model goes on with what was found.
	Query bool

	// Quiet is set where a success speaks for itself: nothing is said about it.
	Quiet bool

	// Repeatable is set where running it twice does no more than running it once.
	Repeatable bool

	Run func(ctx context.Context, c Call) Outcome
}

// An Arg is an argument of an action.
type Arg struct {
	Name        string
	Aliases     []string
	Description string
	Optional    bool
	Values      []string // the values it may have; none is any
}

// A Call is an action that is being run, and for whom.
type Call struct {
	Turn     int64
	Key      string // the same whenever this very call is run again
	Platform string
	Room     string
	Message  string // the platform's id of the message that started the turn
	Person   string // who asked
	Args     map[string]string
}

// An Outcome is what an action came to.
type Outcome struct {
	OK      bool
	Refused bool            // by policy, not for lack of trying
	Summary string          // short, for a person and the model
	Data    json.RawMessage // what a query found
	Say     string          // becomes part of the reply
}

// Done is the outcome of a success.
func Done(format string, a ...any) Outcome {
	return Outcome{OK: true, Summary: fmt.Sprintf(format, a...)}
}

// Fail is the outcome of a failure.
func Fail(format string, a ...any) Outcome {
	return Outcome{Summary: fmt.Sprintf(format, a...)}
}

// A Registry finds actions by any of their names.
type Registry struct {
	specs  []*Spec
	byName map[string]*Spec
}

// NewRegistry returns a registry of the actions. Two of one name are an error.
func NewRegistry(specs ...*Spec) (*Registry, error) {
	r := &Registry{byName: map[string]*Spec{}}
	for _, spec := range specs {
		for _, name := range append([]string{spec.Name}, spec.Aliases...) {
			if other := r.byName[normal(name)]; other != nil && other != spec {
				return nil, fmt.Errorf("the actions %s and %s are both called %s", other.Name, spec.Name, name)
			}
			r.byName[normal(name)] = spec
		}
		r.specs = append(r.specs, spec)
	}
	return r, nil
}

// Specs are the actions in the order in which they were registered.
func (r *Registry) Specs() []*Spec { return r.specs }

// Find returns the action of a name, or nil. Names are compared in lower case
// without underscores, hyphens and spaces, exactly: UNMUTE_ROOM is not MUTE_ROOM.
func (r *Registry) Find(name string) *Spec { return r.byName[normal(name)] }

func normal(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}
