package models

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
)

// A rack has two roles in memory.
type rack struct {
	chosen map[string]string
	fail   error
}

func (r *rack) Roles() []Role {
	roles := []Role{{Name: "chat", Provider: "openai", Model: "large"}, {Name: "cron-exec", Provider: "openai", Model: "large"}}
	for i := range roles {
		if chosen, ok := r.chosen[roles[i].Name]; ok {
			roles[i].Model, roles[i].Configured = chosen, "large"
		}
	}
	return roles
}

func (r *rack) Set(_ context.Context, role, model string) error {
	if r.fail == nil {
		r.chosen[role] = model
	}
	return r.fail
}

func (r *rack) Reset(_ context.Context, role string) error {
	if r.fail == nil {
		delete(r.chosen, role)
	}
	return r.fail
}

func TestEveryActionIsDescribed(t *testing.T) {
	venuetest.Specs(t, category, Specs(&rack{}), map[string]string{
		"modelSet": "repeatable: manage the server", "modelReset": "repeatable: manage the server", "modelShow": "query repeatable",
	})
}

func TestWhatActionsDo(t *testing.T) {
	for _, test := range []struct {
		name, action, args string
		ok                 bool
		summary            string
		chat, exec         string // what is chosen afterwards
	}{
		{"another model", "modelSet", `{"role":"chat","model":"small"}`, true, "chat uses small until Aside is started again", "small", "tiny"},
		{"a role by another spelling", "modelSet", `{"role":"Cron Exec","model":"meta/llama:8b"}`, true, "cron-exec uses meta/llama:8b until Aside is started again", "", "meta/llama:8b"},
		{"a role that is none", "modelSet", `{"role":"cook","model":"small"}`, false, `modelSet: there is no role "cook"; there are chat, cron-exec`, "", "tiny"},
		{"a name that is an option", "modelSet", `{"role":"chat","model":"--yolo"}`, false, `modelSet: "--yolo" is no name of a model`, "", "tiny"},
		{"a name that is a sentence", "modelSet", `{"role":"chat","model":"the best one"}`, false, `modelSet: "the best one" is no name of a model`, "", "tiny"},
		{"a name that is too long", "modelSet", `{"role":"chat","model":"` + strings.Repeat("x", 101) + `"}`, false, "modelSet: model needs at most 100 characters, got 101", "", "tiny"},
		{"back again", "modelReset", `{"role":"cron-exec"}`, true, "cron-exec uses large again", "", ""},
		{"everything back again", "modelReset", `{}`, true, "cron-exec uses large again", "", ""},
		{"what was not changed", "modelReset", `{"role":"chat"}`, true, "nothing was changed before", "", "tiny"},
		{"a role that is none, back again", "modelReset", `{"role":"cook"}`, false, `modelReset: there is no role "cook"; there are chat, cron-exec`, "", "tiny"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &rack{chosen: map[string]string{"cron-exec": "tiny"}}
			out := venuetest.Run(t, Specs(r), action.Call{}, test.action, test.args)
			if out.OK != test.ok || out.Summary != test.summary || r.chosen["chat"] != test.chat || r.chosen["cron-exec"] != test.exec {
				t.Errorf("%+v; chosen are %v", out, r.chosen)
			}
		})
	}
}

func TestWhyAModelCannotBeSetIsSaid(t *testing.T) {
	r := &rack{fail: errors.New("the rehearsal model is the only one of its kind")}
	if out := venuetest.Run(t, Specs(r), action.Call{}, "modelSet", `{"role":"chat","model":"small"}`); out.OK || out.Summary != "the rehearsal model is the only one of its kind" {
		t.Errorf("%+v", out)
	}
}

func TestWhyAModelCannotBeTakenBackIsSaid(t *testing.T) {
	r := &rack{chosen: map[string]string{"chat": "tiny"}, fail: errors.New("nobody can be told")}
	if out := venuetest.Run(t, Specs(r), action.Call{}, "modelReset", `{}`); out.OK || out.Summary != "nobody can be told" || r.chosen["chat"] != "tiny" {
		t.Errorf("%+v", out)
	}
}

func TestTheModelsAreShown(t *testing.T) {
	r := &rack{chosen: map[string]string{"cron-exec": "tiny"}}
	const want = `[{"role":"chat","provider":"openai","model":"large"},{"role":"cron-exec","provider":"openai","model":"tiny","configured":"large"}]`
	if out := venuetest.Run(t, Specs(r), action.Call{}, "modelShow", `{}`); !out.OK || string(out.Data) != want {
		t.Errorf("%+v, %s", out, out.Data)
	}
}
