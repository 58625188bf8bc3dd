package discordtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/asidehq/aside/internal/wiretest"
)

// A spec is Discord's own description of its API (OpenAPI). It is not in the repository:
// the environment variable ASIDE_SPECS names the directory that has it, or it lies
// beside the repository. Where it is found, every request is checked against it.
type spec struct {
	Paths      map[string]map[string]operation `json:"-"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	Parameters []field `json:"parameters"`
	Body       struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type field struct {
	Name   string `json:"name"`
	In     string `json:"in"`
	Schema schema `json:"schema"`
}

type schema = map[string]any

var parameter = regexp.MustCompile(`\{[^}]*\}`)

func anonymous(path string) string { return parameter.ReplaceAllString(path, "{}") }

// readSpec reads it once: it is large, and nobody changes it.
var readSpec = sync.OnceValues(func() (*spec, error) {
	data, err := wiretest.Spec("discord_openapi.json")
	if err != nil || data == nil {
		return nil, err
	}
	var s spec
	var paths struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := errors.Join(json.Unmarshal(data, &s), json.Unmarshal(data, &paths)); err != nil {
		return nil, err
	}
	s.Paths = map[string]map[string]operation{}
	for path, methods := range paths.Paths {
		operations := map[string]operation{}
		for method, raw := range methods {
			var o operation
			if method != "parameters" {
				if err := json.Unmarshal(raw, &o); err != nil {
					return nil, err
				}
				operations[strings.ToUpper(method)] = o
			}
		}
		s.Paths[anonymous(path)] = operations
	}
	return &s, nil
})

func loadSpec(t T) *spec {
	s, err := readSpec()
	if err != nil {
		t.Fatalf("discordtest: read Discord's description of its API: %v", err)
	}
	return s
}

// check tells what is wrong with a request.
func (s *spec) check(route string, c *call) error {
	o, ok := s.Paths[anonymous(route)][c.r.Method]
	if !ok {
		return errors.New("there is no such request")
	}
	for name, values := range c.r.URL.Query() {
		i := slices.IndexFunc(o.Parameters, func(f field) bool { return f.Name == name && f.In == "query" })
		if i < 0 {
			return fmt.Errorf("there is no query parameter %s", name)
		}
		if err := s.query(o.Parameters[i].Schema, name, values); err != nil {
			return err
		}
	}
	if c.body == nil {
		return nil
	}
	kind := "application/json"
	if len(c.files) > 0 {
		kind = "multipart/form-data"
	}
	content, ok := o.Body.Content[kind]
	if !ok {
		return errors.New("it takes no body")
	}
	return s.value(content.Schema, "body", c.body)
}

// query checks the values of a query parameter, which are texts.
func (s *spec) query(of schema, name string, values []string) error {
	of = s.resolve(of)
	if of["type"] == "array" {
		if most, ok := of["maxItems"].(float64); ok && len(values) > int(most) {
			return fmt.Errorf("%s has %d values", name, len(values))
		}
		return nil
	}
	if len(values) != 1 {
		return fmt.Errorf("%s is there %d times", name, len(values))
	}
	if of["type"] == "integer" && of["format"] != "snowflake" {
		n, err := strconv.ParseFloat(values[0], 64)
		if err != nil {
			return fmt.Errorf("%s is no number", name)
		}
		return s.value(of, name, n)
	}
	return nil
}

func (s *spec) resolve(of schema) schema {
	for {
		ref, ok := of["$ref"].(string)
		if !ok {
			return of
		}
		of = s.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
	}
}

// value checks a value. It knows as much of JSON Schema as the description uses; what an
// object has and its schema does not is an error, unlike there.
func (s *spec) value(of schema, at string, v any) error {
	of = s.resolve(of)
	for _, key := range []string{"oneOf", "anyOf"} {
		if choices, ok := of[key].([]any); ok {
			var errs []error
			for _, choice := range choices {
				err := s.value(choice.(schema), at, v)
				if err == nil {
					return nil
				}
				errs = append(errs, err)
			}
			return errors.Join(errs...)
		}
	}
	if parts, ok := of["allOf"].([]any); ok && len(parts) > 0 {
		return s.value(parts[0].(schema), at, v)
	}
	if !ofType(of["type"], v) {
		return fmt.Errorf("%s is %T, want %v", at, v, of["type"])
	}
	if choices, ok := of["enum"].([]any); ok && !slices.Contains(choices, v) {
		return fmt.Errorf("%s is %v, want one of %v", at, v, choices)
	}
	switch v := v.(type) {
	case string:
		return within(of, at+" in characters", float64(utf8.RuneCountInString(v)), "minLength", "maxLength")
	case float64:
		return within(of, at, v, "minimum", "maximum")
	case []any:
		if err := within(of, at+" in entries", float64(len(v)), "minItems", "maxItems"); err != nil {
			return err
		}
		items, _ := of["items"].(schema)
		for i, item := range v {
			if err := s.value(items, fmt.Sprintf("%s[%d]", at, i), item); err != nil {
				return err
			}
		}
	case map[string]any:
		return s.object(of, at, v)
	}
	return nil
}

func (s *spec) object(of schema, at string, v map[string]any) error {
	properties, _ := of["properties"].(schema)
	required, _ := of["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Errorf("%s has no %s", at, name)
		}
	}
	for name, value := range v {
		property, ok := properties[name].(schema)
		if !ok {
			if _, open := of["additionalProperties"]; open {
				continue
			}
			return fmt.Errorf("%s has %s, which is not described", at, name)
		}
		if err := s.value(property, at+"."+name, value); err != nil {
			return err
		}
	}
	return nil
}

func within(of schema, at string, n float64, least, most string) error {
	if limit, ok := of[least].(float64); ok && n < limit {
		return fmt.Errorf("%s is %v, want %v at least", at, n, limit)
	}
	if limit, ok := of[most].(float64); ok && n > limit {
		return fmt.Errorf("%s is %v, want %v at most", at, n, limit)
	}
	return nil
}

func ofType(types, v any) bool {
	var names []any
	switch t := types.(type) {
	case nil:
		return true
	case string:
		names = []any{t}
	case []any:
		names = t
	}
	for _, name := range names {
		ok := false
		switch v := v.(type) {
		case nil:
			ok = name == "null"
		case string:
			ok = name == "string"
		case bool:
			ok = name == "boolean"
		case float64:
			ok = name == "number" || name == "integer" && v == float64(int64(v))
		case []any:
			ok = name == "array"
		case map[string]any:
			ok = name == "object"
		}
		if ok {
			return true
		}
	}
	return false
}
