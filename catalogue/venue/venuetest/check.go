package venuetest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
)

// Run runs the action of a name as the engine does: arguments that cannot be read are a
// failure.
func Run(t *testing.T, specs []*action.Spec, c action.Call, name, args string) action.Outcome {
	t.Helper()
	registry, err := action.NewRegistry(specs...)
	if err != nil {
		t.Fatal(err)
	}
	spec := registry.Find(name)
	if spec == nil {
		t.Fatalf("there is no action %s", name)
	}
	read, err := spec.Decode(json.RawMessage(args))
	if err != nil {
		return action.Fail("%v", err)
	}
	return spec.Run(context.Background(), c, read)
}

// Specs checks what must be right about every action of a category, and that there are
// those that are wanted, each with its traits: "query repeatable server: manage roles".
func Specs(t *testing.T, category string, specs []*action.Spec, wanted map[string]string) {
	t.Helper()
	if _, err := action.NewRegistry(specs...); err != nil {
		t.Error(err)
	}
	for _, s := range specs {
		if s.Category != category {
			t.Errorf("%s is in the category %s", s.Name, s.Category)
		}
		if !strings.HasSuffix(s.Description, ".") || strings.Contains(s.Description, "\n") {
			t.Errorf("%s: the description is no sentence in a line: %q", s.Name, s.Description)
		}
		example(t, s)
		if s.Query && !s.Repeatable {
			t.Errorf("%s only looks something up, and cannot be repeated", s.Name)
		}
		if got := traits(s); got != wanted[s.Name] {
			t.Errorf("%s is %q, want %q", s.Name, got, wanted[s.Name])
		}
	}
	if len(specs) != len(wanted) {
		t.Errorf("there are %d actions, want %d", len(specs), len(wanted))
	}
}

// example checks that a model that writes what the guide shows is understood.
func example(t *testing.T, s *action.Spec) {
	t.Helper()
	var given struct{ Type string }
	if err := json.Unmarshal([]byte(s.Example), &given); err != nil || given.Type != s.Name {
		t.Errorf("%s: the example is of the type %q (%v)", s.Name, given.Type, err)
	}
	if strings.Contains(s.Example, "\n") {
		t.Errorf("%s: the example has more than one line", s.Name)
	}
	args, err := s.Decode(json.RawMessage(s.Example))
	if err != nil || len(args.Warnings) > 0 {
		t.Errorf("the example of %s cannot be read: %v %v", s.Name, err, args.Warnings)
	}
}

func traits(s *action.Spec) string {
	var all []string
	for _, trait := range []struct {
		has  bool
		name string
	}{{s.Query, "query"}, {s.Destructive, "destructive"}, {s.Repeatable, "repeatable"}, {s.Server, "server"}} {
		if trait.has {
			all = append(all, trait.name)
		}
	}
	text := strings.Join(all, " ")
	if s.Right != "" {
		text += ": " + string(s.Right)
	}
	return text
}
