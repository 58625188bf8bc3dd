package action

import (
	"fmt"
	"strings"
)

// A Registry finds actions by any of their names.
type Registry struct {
	specs  []*Spec
	byName map[string]*Spec
}

// NewRegistry returns a registry of the actions. Two of one name are an error, and so is a
// name without a letter: a reply that names nothing must not run anything.
func NewRegistry(specs ...*Spec) (*Registry, error) {
	r := &Registry{byName: map[string]*Spec{}}
	for _, spec := range specs {
		for _, name := range spec.Names() {
			if normal(name) == "" {
				return nil, fmt.Errorf("the action %q is called %q, which is no name", spec.Name, name)
			}
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
