package main

import (
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/noise"
	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/anthropic"
	"github.com/asidehq/aside/model/command"
	"github.com/asidehq/aside/model/gemini"
	"github.com/asidehq/aside/model/openai"
	"github.com/asidehq/aside/model/rehearsal"
)

const (
	modelTries    = 6
	modelPatience = 2 * time.Minute  // for all tries together
	modelSilence  = 60 * time.Second // after which a stream is given up
	modelThought  = 5 * time.Minute  // the same before the first word
)

// newModels are the models by role. Their requests are counted.
func newModels(c *config.Config, metrics *observe.Metrics, tell tellChoice, log *slog.Logger) (*roleModels, error) {
	observedAs := func(role config.Role) observing {
		return func(s config.Source, asked model.Model) model.Model {
			return observe.Model(asked, observe.Asked{Provider: string(s.Provider), Model: s.Model, Role: string(role)}, metrics, log)
		}
	}
	first, err := byRole(c, func(role config.Role, m config.Model) (model.Model, error) {
		return newModel(c, m, observedAs(role), log.With("role", role))
	})
	if err != nil {
		return nil, err
	}
	return newRoleModels(c, first, func(role config.Role, s config.Source) (model.Model, error) {
		return newSource(c, s, modelTries, observedAs(role))
	}, tell, log), nil
}

// observing is put around the single requests of a source.
type observing func(config.Source, model.Model) model.Model

func unobserved(_ config.Source, asked model.Model) model.Model { return asked }

// byRole makes the models of all roles. Roles that ask for the same share one.
func byRole(c *config.Config, make func(config.Role, config.Model) (model.Model, error)) (map[config.Role]model.Model, error) {
	models := map[config.Role]model.Model{}
	roles := config.Roles()
	for i, role := range roles {
		wanted := c.Model(role)
		same := slices.IndexFunc(roles[:i], func(earlier config.Role) bool { return reflect.DeepEqual(c.Model(earlier), wanted) })
		if same >= 0 {
			models[role] = models[roles[same]]
			continue
		}
		m, err := make(role, wanted)
		if err != nil {
			return nil, fmt.Errorf("models.%s: %w", role, err)
		}
		models[role] = m
	}
	return models, nil
}

// newModel is a model with its fallback.
func newModel(c *config.Config, m config.Model, observed observing, log *slog.Logger) (model.Model, error) {
	first, err := newSource(c, m.Source, modelTries, observed)
	if err != nil || m.Fallback == nil {
		return first, err
	}
	second, err := newSource(c, *m.Fallback, modelTries, observed)
	if err != nil {
		return nil, err
	}
	return model.Fallback(first, second, log), nil
}

// newSource is a model that is tried so often, with as much sight as it has, and whose
// replies are cleaned if that is wanted: before anyone reads them, and after all tries.
func newSource(c *config.Config, s config.Source, tries int, observed observing) (model.Model, error) {
	m, err := newTried(c, s, tries, observed)
	if err != nil || !s.FiltersNoise() {
		return m, err
	}
	return noise.Filter(m), nil
}

func newTried(c *config.Config, s config.Source, tries int, observed observing) (model.Model, error) {
	var m model.Model
	sees := openai.Sees() // as much as anyone is sure to
	key, address := s.APIKey.Reveal(), s.BaseURL.Reveal()
	switch s.Provider {
	case config.OpenAI:
		m = openai.New(openai.Config{BaseURL: address, Key: key, Model: s.Model})
	case config.Anthropic:
		m, sees = anthropic.New(anthropic.Config{BaseURL: address, Key: key, Model: s.Model}), anthropic.Sees()
	case config.Gemini:
		m, sees = gemini.New(gemini.Config{BaseURL: address, Key: key, Model: s.Model}), gemini.Sees()
	case config.Command:
		m = command.New(command.Config{Command: s.Command, Model: s.Model, Environment: environment(c, os.Environ())})
		sees = nil // a prompt is text
	case config.Rehearsal:
		m, sees = rehearsal.New(rehearsal.Options{}), nil
	default:
		return nil, fmt.Errorf("there is no provider %q", s.Provider)
	}
	if !s.Sees() {
		sees = nil
	}
	m = model.Sight(m, sees...)
	switch s.Provider {
	case config.Rehearsal:
		return observed(s, m), nil
	case config.Command:
		// An agent on the command line acts on its own; running it twice may do twice.
		return observed(s, model.Watch(m, modelThought, modelThought)), nil
	}
	return model.Retry(observed(s, model.Watch(m, modelSilence, modelThought)), model.RetryPolicy{Tries: tries, For: modelPatience}), nil
}

// environment is what of Aside's environment a model's program gets: not what gives
// access to Aside itself or to the platforms, because what people write may talk the
// program into telling it.
func environment(c *config.Config, all []string) []string {
	passed := []string{}
	for _, variable := range all {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "ASIDE_") && !c.Sensitive(value) {
			passed = append(passed, variable)
		}
	}
	return passed
}
