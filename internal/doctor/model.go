package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/model"
)

// modelPatience is how long a model has to begin its answer. Local servers load a
// model when it is first asked.
const modelPatience = 60 * time.Second

// checkModels asks every model that is configured, each once.
func (d *Doctor) checkModels(ctx context.Context) {
	asked := map[string]bool{}
	for _, role := range config.Roles() {
		m := d.Config.Model(role)
		// Keys are told apart by what they are, and printed by nobody.
		key := fmt.Sprintf("%s %s %s %s %q", m.Provider, m.Model, m.BaseURL.Reveal(), m.APIKey.Reveal(), m.Command)
		if !asked[key] {
			asked[key] = true
			d.checkModel(ctx, role, m)
		}
	}
}

func (d *Doctor) checkModel(ctx context.Context, role config.Role, c config.Model) {
	check := "model " + string(role)
	name := strings.TrimSpace(string(c.Provider) + " " + c.Model)
	if c.Provider == config.Rehearsal {
		d.good(check, "the built-in rehearsal model answers; aside init sets up a real one")
		return
	}
	m, err := d.Model(c)
	switch {
	case err != nil:
		d.bad(check, err.Error(), "change models."+string(role)+" in aside.yaml")
		return
	case d.Offline:
		d.good(check, name+" is configured; it was not asked (--offline)")
		return
	}
	began := d.Now()
	if err := ask(ctx, m); err != nil {
		d.refused(check, name, role, err)
		return
	}
	d.good(check, fmt.Sprintf("%s answers, after %s", name, d.Now().Sub(began).Round(100*time.Millisecond)))
}

// ask makes a request that costs next to nothing: it ends with the first word.
func ask(ctx context.Context, m model.Model) error {
	ctx, cancel := context.WithTimeout(ctx, modelPatience)
	defer cancel()
	request := model.Request{System: "Answer with one word.", Messages: []model.Message{{Role: model.User, Text: "Say ok."}}}
	for delta, err := range m.Stream(ctx, request) {
		if err != nil {
			if ctx.Err() != nil {
				return &model.Error{Kind: model.Stalled, Message: fmt.Sprintf("The model did not begin to answer within %s.", modelPatience), Cause: err}
			}
			return err
		}
		if delta.Text != "" || delta.End != "" {
			return nil
		}
	}
	return &model.Error{Kind: model.Broken, Message: "The model has answered nothing."}
}

// refused reports why a model does not answer. The provider's own words may repeat a
// key, so they are not shown.
func (d *Doctor) refused(check, name string, role config.Role, err error) {
	key := "models." + string(role)
	var e *model.Error
	if !errors.As(err, &e) {
		d.bad(check, name+" cannot be asked", "change "+key+" in aside.yaml")
		return
	}
	text := name + ": " + e.Message
	switch e.Kind {
	case model.BadKey:
		d.bad(check, text, "set "+key+".api_key to a key that is valid, or the variable that it names")
	case model.UnknownModel:
		d.bad(check, text, "set "+key+".model to a name that the provider has, and check "+key+".base_url")
	case model.Busy:
		d.warn(check, text, "try again later; the address and the key are right")
	case model.Unavailable, model.Stalled:
		d.bad(check, text, "check the network and "+key+".base_url, and try again")
	default:
		d.bad(check, text, "check "+key+" in aside.yaml; aside run --log-level debug says more")
	}
}
