package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
)

const actionsIntroduction = `<!-- Generated from the actions by go test ./cmd/aside -timeout 60s -run ActionsPage -update. Do not edit. -->
# Actions

What replies can do. A model writes an action as a block, ` + "`<action>{…}</action>`" + `, or in one
of the other [dialects](dialects.md) where it has a name there. ` + "`aside actions`" + ` says what is
switched on, and why something is not.

`

func TestTheActionsPageIsUpToDate(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	const file = "../../docs/actions.md"
	want := actionsIntroduction + action.Page(registry.Specs())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("docs/actions.md is stale; go test ./cmd/aside -timeout 60s -run ActionsPage -update rewrites it (%v)", err)
	}
}

// Everything about an action comes from its Spec: what is missing there is missing
// everywhere.
func TestEveryActionSaysWhatItIs(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	page := action.Page(registry.Specs())
	guide := action.Guide{Blocks: true}.Text(registry.Specs())
	for _, s := range registry.Specs() {
		t.Run(s.Name, func(t *testing.T) {
			if s.Description == "" || !strings.HasSuffix(s.Description, ".") || strings.Contains(s.Description, "\n") {
				t.Errorf("the description is %q", s.Description)
			}
			var example map[string]any
			if err := json.Unmarshal([]byte(s.Example), &example); err != nil || example["type"] != s.Name {
				t.Errorf("the example is %s, %v", s.Example, err)
			}
			if args, err := s.Decode([]byte(s.Example)); err != nil || len(args.Warnings) > 0 {
				t.Errorf("the example is not understood: %v, %v", err, args.Warnings)
			}
			var schema struct{ Title string }
			if err := json.Unmarshal(s.Schema(), &schema); err != nil || schema.Title != s.Name {
				t.Errorf("the schema is %s, %v", s.Schema(), err)
			}
			if !strings.Contains(page, "### "+s.Name+"\n") || !strings.Contains(guide, s.Example) {
				t.Error("the page or the guide does not have it")
			}
			if !slices.Contains(config.CategoryNames(), s.Category) {
				t.Errorf("the category %q cannot be switched", s.Category)
			}
			for _, name := range s.Names() {
				if registry.Find(name) != s {
					t.Errorf("%s is not found by %s", s.Name, name)
				}
			}
		})
	}
}
