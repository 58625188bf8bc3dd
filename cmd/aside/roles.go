package main

import (
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
// provider, in this process and until it ends.
type roleModels struct {
	config *config.Config
	make   func(config.Role, config.Source) (model.Model, error)
	log    *slog.Logger
	roles  map[config.Role]*model.Switch
	first  map[config.Role]model.Model // as they are configured

	mu     sync.Mutex
	chosen map[config.Role]string // the names of others
}

var _ models.Models = (*roleModels)(nil)

// newRoleModels begins with the models that are configured; make makes others.
func newRoleModels(c *config.Config, first map[config.Role]model.Model, make func(config.Role, config.Source) (model.Model, error), log *slog.Logger) *roleModels {
	m := &roleModels{config: c, make: make, log: log, roles: map[config.Role]*model.Switch{}, first: first, chosen: map[config.Role]string{}}
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
func (m *roleModels) Set(name, other string) error {
	role := config.Role(name)
	source := m.config.Model(role).Source
	switch {
	case source.Provider == config.Rehearsal:
		return fmt.Errorf("%s is the rehearsal model, which is the only one of its kind; configure another provider", role)
	case source.Provider == config.Command && !slices.ContainsFunc(source.Command, func(arg string) bool { return strings.Contains(arg, "{{model}}") }):
		return fmt.Errorf("%s is a program whose command does not name a model; put {{model}} into it", role)
	case source.Model == other:
		m.Reset(name)
		return nil
	}
	source.Model = other
	made, err := m.make(role, source)
	if err != nil {
		return err
	}
	if source.Provider != config.Command { // which acts on its own: asking another one may do twice
		made = model.Fallback(made, m.first[role], m.log.With("role", role))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.chosen[role] = other
	m.roles[role].Set(made)
	m.log.Info("a role has another model until the next start", "role", role, "model", other)
	return nil
}

// Reset implements models.Models.
func (m *roleModels) Reset(name string) {
	role := config.Role(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.chosen, role)
	m.roles[role].Set(m.first[role])
}
