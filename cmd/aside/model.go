package main

import (
	"fmt"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/openai"
	"github.com/asidehq/aside/model/rehearsal"
)

const (
	modelTries    = 6
	modelPatience = 2 * time.Minute  // for all tries together
	modelSilence  = 60 * time.Second // after which a stream is given up
	modelThought  = 5 * time.Minute  // the same before the first word
)

// newModel is the model that a configuration names, with patience. observed is put
// around single requests.
func newModel(c config.Model, observed func(model.Model) model.Model) (model.Model, error) {
	var m model.Model
	switch c.Provider {
	case config.OpenAI:
		m = openai.New(openai.Config{BaseURL: c.BaseURL.Reveal(), Key: c.APIKey.Reveal(), Model: c.Model})
	case config.Rehearsal:
		return observed(rehearsal.New(rehearsal.Options{})), nil
	default:
		return nil, fmt.Errorf("models.chat.provider: this version cannot ask %s yet; openai (any server with that interface) and rehearsal work", c.Provider)
	}
	return model.Retry(observed(model.Watch(m, modelSilence, modelThought)), model.RetryPolicy{Tries: modelTries, For: modelPatience}), nil
}
