// Package models holds the actions of the category config: which model has which role.
//
// Before changing it, know that what is set lasts until the program is started again, and
// that only the name of a model changes: never who is asked, where, and with which key.
package models

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

const category = "config"

// Models are the models by role. Their errors are for a person.
type Models interface {
	// Roles are all roles and who has them.
	Roles() []Role
	// Set gives a role to another model of the same provider.
	Set(ctx context.Context, role, model string) error
	// Reset gives a role back to the model that is configured.
	Reset(ctx context.Context, role string) error
}

// A Role is what a model is used for, and who has it.
type Role struct {
	Name       string `json:"role"`
	Provider   string `json:"provider"`
	Model      string `json:"model,omitempty"`      // "" where the provider has no names
	Configured string `json:"configured,omitempty"` // its model after a restart, where that is another one
}

// Specs are the actions of this category.
func Specs(models Models) []*action.Spec {
	return []*action.Spec{set(models), reset(models), show(models)}
}

type setArgs struct {
	Role  string `arg:"role" doc:"what for: chat, fast, summary; modelShow lists all"`
	Model string `arg:"model" max:"100" doc:"the provider's name of it"`
}

// name is what models are called. It may become an argument of a program, so it does not
// begin like an option.
var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)

func set(models Models) *action.Spec {
	return action.Define(action.Spec{
		Name: "modelSet", Category: category,
		Description: "Use another model of the same provider for a role, until the program is started again.",
		Example:     `{"type":"modelSet","role":"chat","model":"gpt-5.5-mini"}`,
		Right:       action.Right(platform.ManageServer),
		Repeatable:  true,
	}, func(ctx context.Context, _ action.Call, args setArgs) action.Outcome {
		role, err := find(models, args.Role)
		if err != nil {
			return action.Fail("modelSet: %v", err)
		}
		if !name.MatchString(args.Model) {
			return action.Fail("modelSet: %q is no name of a model", args.Model)
		}
		if err := models.Set(ctx, role.Name, args.Model); err != nil {
			return action.Fail("%v", err)
		}
		return action.Done("%s uses %s until Aside is started again", role.Name, args.Model)
	})
}

type resetArgs struct {
	Role string `arg:"role" optional:"true" doc:"all if left out"`
}

func reset(models Models) *action.Spec {
	return action.Define(action.Spec{
		Name: "modelReset", Category: category,
		Description: "Use the configured models again.",
		Example:     `{"type":"modelReset","role":"chat"}`,
		Right:       action.Right(platform.ManageServer),
		Repeatable:  true,
	}, func(ctx context.Context, _ action.Call, args resetArgs) action.Outcome {
		roles := models.Roles()
		if args.Role != "" {
			role, err := find(models, args.Role)
			if err != nil {
				return action.Fail("modelReset: %v", err)
			}
			roles = []Role{role}
		}
		var back []string
		for _, role := range roles {
			if role.Configured == "" {
				continue
			}
			if err := models.Reset(ctx, role.Name); err != nil {
				return action.Fail("%v", err)
			}
			back = append(back, fmt.Sprintf("%s uses %s again", role.Name, role.Configured))
		}
		if len(back) == 0 {
			return action.Done("nothing was changed before")
		}
		return action.Done("%s", strings.Join(back, ", "))
	})
}

func show(models Models) *action.Spec {
	return action.Define(action.Spec{
		Name: "modelShow", Category: category,
		Description: "Look up which models are used.",
		Example:     `{"type":"modelShow"}`,
		Query:       true, Repeatable: true,
	}, func(context.Context, action.Call, struct{}) action.Outcome {
		return action.Found(models.Roles(), "the models by role")
	})
}

// find is the role that a model means: cron-exec, cron_exec or Cron Exec.
func find(models Models, called string) (Role, error) {
	wanted := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(called))
	var names []string
	for _, role := range models.Roles() {
		if role.Name == wanted {
			return role, nil
		}
		names = append(names, role.Name)
	}
	return Role{}, fmt.Errorf("there is no role %q; there are %s", called, strings.Join(names, ", "))
}
