package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	"github.com/google/jsonschema-go/jsonschema"
)

// resolved is the schema as an editor would use it.
func resolved(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	r, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// instance is a file as an editor sees it: variables are text.
func instance(t *testing.T, source string) any {
	t.Helper()
	root, _, problem := parse([]byte(source))
	if problem != "" {
		t.Fatalf("%s in\n%s", problem, source)
	}
	if root == nil {
		return nil
	}
	value, err := plainValue(root)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func plainValue(n ast.Node) (any, error) {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return nil, nil
	case *ast.MappingNode:
		return plainMapping(n.Values)
	case *ast.MappingValueNode:
		return plainMapping([]*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		list := []any{}
		for _, v := range n.Values {
			value, err := plainValue(v)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case *ast.StringNode:
		return unmask(n.Value), nil
	case *ast.LiteralNode:
		return unmask(n.Value.Value), nil
	case *ast.BoolNode:
		return n.Value, nil
	case *ast.IntegerNode, *ast.FloatNode:
		return strconv.ParseFloat(n.GetToken().Value, 64)
	}
	return nil, fmt.Errorf("a %T is not expected", n)
}

func plainMapping(values []*ast.MappingValueNode) (any, error) {
	m := map[string]any{}
	for _, v := range values {
		value, err := plainValue(v.Value)
		if err != nil {
			return nil, err
		}
		m[unmask(v.Key.GetToken().Value)] = value
	}
	return m, nil
}

var yamlExample = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// Everything that the documentation shows as aside.yaml is one, for the program and for
// editors.
func TestExamplesAreWhatTheSchemaSays(t *testing.T) {
	schema := resolved(t)
	examples := map[string]string{}
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	examples["testdata/full.yaml"] = string(full)
	examples["the defaults"] = Default().YAML()
	for _, provider := range Providers() {
		examples["a first file for "+provider] = Starter{Name: "Ada", Provider: Provider(provider), Model: "m", Command: []string{"llm"}}.YAML()
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, found := range yamlExample.FindAllStringSubmatch(string(text), -1) {
			examples[fmt.Sprintf("%s, example %d", filepath.Base(page), i+1)] = found[1]
			documented++
		}
	}
	if documented < 2 {
		t.Errorf("there are only %d examples in the documentation", documented)
	}
	for name, source := range examples {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse("aside.yaml", []byte(source), func(string) (string, bool) { return "0123456789abcdef", true }); err != nil {
				t.Error(err)
			}
			if err := schema.Validate(instance(t, source)); err != nil {
				t.Error(err)
			}
		})
	}
}

// What the program refuses for its form, an editor underlines.
func TestTheSchemaRefusesWhatTheProgramRefuses(t *testing.T) {
	schema := resolved(t)
	for _, source := range []string{
		"lisen: 127.0.0.1:8787",
		"groups: {mode: sometimes}",
		"groups: {rooms: {web/a: sometimes}}",
		"defer: {max_delay: soon}",
		"defer: {max_pending: 0}",
		"sessions: {parallel: 1000000}",
		"signals: {visible: 1}",
		"dialects: []",
		"dialects: [smoke]",
		"actions: {categories: {smoke: true}}",
		"platforms: {slack: {app_token: a}}",
		"database: mysql://db/aside",
		"models: {chat: {provider: openia}}",
		"actions: {rooms_elsewhere: [general]}",
		"social: {reposts: general}",
		"speech: {provider: parrot}",
		"public_url: chat.example.com",
		"persona: Ada",
		"persona: {name: ''}",
	} {
		t.Run(source, func(t *testing.T) {
			if _, err := Parse("aside.yaml", []byte(source), environment()); err == nil {
				t.Error("the program takes it")
			}
			if err := schema.Validate(instance(t, source)); err == nil {
				t.Error("the schema takes it")
			}
		})
	}
}

func TestTheSchemaNamesItsDraft(t *testing.T) {
	text, err := Schema()
	if err != nil || !strings.Contains(string(text), "https://json-schema.org/draft/2020-12/schema") {
		t.Errorf("%v", err)
	}
}
