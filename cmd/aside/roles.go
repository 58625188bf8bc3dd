package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/asidehq/aside/catalogue/models"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/model"
)

// roleModels are the models by role. Each role can be given to another model of the same
// provider, in this process and those beside it, until they end.
type roleModels struct {
	config *config.Config
	make   func(config.Role, config.Source) (model.Model, error)
	tell   tellChoice
	log    *slog.Logger
	roles  map[config.Role]*model.Switch
	first  map[config.Role]model.Model // as they are configured

	mu     sync.Mutex
	chosen map[config.Role]string // the names of others
}

var _ models.Models = (*roleModels)(nil)

// tellChoice tells the other processes which model has a role now; "" is the one that is
// configured. Its errors are for a person.
type tellChoice func(ctx context.Context, role, model string) error

// newRoleModels begins with the models that are configured; make makes others. tell is nil
// where there are no other processes.
func newRoleModels(c *config.Config, first map[config.Role]model.Model, make func(config.Role, config.Source) (model.Model, error), tell tellChoice, log *slog.Logger) *roleModels {
	if tell == nil {
		tell = func(context.Context, string, string) error { return nil }
	}
	m := &roleModels{config: c, make: make, tell: tell, log: log, roles: map[config.Role]*model.Switch{}, first: first, chosen: map[config.Role]string{}}
	for role, configured := range first {
		m.roles[role] = model.NewSwitch(configured)
	}
	return m
}

// of is the model of a role, whichever that is when it is asked.
func (m *roleModels) of(role config.Role) model.Model { return m.roles[role] }

// Roles implements models.Models.
func (m *roleModels) Roles() []models.Role {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []models.Role
	for _, role := range config.Roles() {
		configured := m.config.Model(role)
		one := models.Role{Name: string(role), Provider: string(configured.Provider), Model: configured.Model}
		if chosen, ok := m.chosen[role]; ok {
			one.Model, one.Configured = chosen, configured.Model
		}
		all = append(all, one)
	}
	return all
}

// Set implements models.Models. If the other model fails, the one that is configured is
// asked: whoever has named one that does not exist must be able to say so.
func (m *roleModels) Set(ctx context.Context, name, other string) error {
	if m.config.Model(config.Role(name)).Model == other {
		return m.Reset(ctx, name)
	}
	made, err := m.other(config.Role(name), other)
	if err != nil {
		return err
	}
	if err := m.tell(ctx, name, other); err != nil {
		return err
	}
	m.choose(config.Role(name), other, made)
	return nil
}

// Reset implements models.Models.
func (m *roleModels) Reset(ctx context.Context, name string) error {
	if err := m.tell(ctx, name, ""); err != nil {
		return err
	}
	m.choose(config.Role(name), "", m.first[config.Role(name)])
	return nil
}

// Hear does what a process has told, this one or another. All hear the same in the same
// order, so that they agree in the end on what was said last.
func (m *roleModels) Hear(name, other string) {
	role := config.Role(name)
	if _, ok := m.roles[role]; !ok {
		m.log.Warn("another process has given a model to a role that this one does not know", "role", name)
		return
	}
	if other == "" || m.config.Model(role).Model == other {
		m.choose(role, "", m.first[role])
		return
	}
	made, err := m.other(role, other)
	if err != nil { // its configuration is another one
		m.log.Warn("another process has given a role to a model that this one cannot ask", "role", role, "model", other, "error", err)
		return
	}
	m.choose(role, other, made)
}

// other makes another model for a role.
func (m *roleModels) other(role config.Role, name string) (model.Model, error) {
	source := m.config.Model(role).Source
	switch {
	case source.Provider == config.Rehearsal:
		return nil, fmt.Errorf("%s is the rehearsal model, which is the only one of its kind; configure another provider", role)
	case source.Provider == config.Command && !slices.ContainsFunc(source.Command, func(arg string) bool { return strings.Contains(arg, "{{model}}") }):
		return nil, fmt.Errorf("%s is a program whose command does not name a model; put {{model}} into it", role)
	}
	source.Model = name
	made, err := m.make(role, source)
	if err != nil || source.Provider == config.Command { // which acts on its own: asking another one may do twice
		return made, err
	}
	return model.Fallback(made, m.first[role], m.log.With("role", role)), nil
}

// choose gives a role to a model; "" is the name of the one that is configured.
func (m *roleModels) choose(role config.Role, name string, made model.Model) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.roles[role].Set(made)
	if m.chosen[role] == name {
		return
	}
	if name == "" {
		delete(m.chosen, role)
		m.log.Info("a role has its configured model again", "role", role)
		return
	}
	m.chosen[role] = name
	m.log.Info("a role has another model until the next start", "role", role, "model", name)
}
