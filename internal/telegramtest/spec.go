package telegramtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/asidehq/aside/internal/wiretest"
)

// A spec is a description of the Bot API that a machine can read. It is not in the
// repository: the environment variable ASIDE_SPECS names the directory that has it, or it
// lies beside the repository. Where it is found, every request is checked against it.
type spec struct {
	Methods map[string]object `json:"methods"`
	Types   map[string]object `json:"types"`
}

type object struct {
	Fields   []field  `json:"fields"`
	Subtypes []string `json:"subtypes"`
}

type field struct {
	Name        string   `json:"name"`
	Types       []string `json:"types"`
	Required    bool     `json:"required"`
	Description string   `json:"description"`
}

// readSpec reads it once: it is large, and nobody changes it.
var readSpec = sync.OnceValues(func() (*spec, error) {
	data, err := wiretest.Spec("telegram_api.json")
	if err != nil || data == nil {
		return nil, err
	}
	var s spec
	return &s, json.Unmarshal(data, &s)
})

func loadSpec(t T) *spec {
	s, err := readSpec()
	if err != nil {
		t.Fatalf("telegramtest: read the description of the Bot API: %v", err)
	}
	return s
}

// check tells what is wrong with a request.
func (s *spec) check(c *call) error {
	method, ok := s.Methods[c.method]
	if !ok {
		return errors.New("there is no such method")
	}
	return s.fields(method, c.method, c.params, c.files)
}

func (s *spec) fields(of object, at string, values map[string]any, files map[string]File) error {
	for _, f := range of.Fields {
		v, ok := values[f.Name]
		if _, file := files[f.Name]; file {
			continue
		}
		if !ok {
			if f.Required {
				return fmt.Errorf("%s has no %s", at, f.Name)
			}
			continue
		}
		if err := s.value(f.Types, at+"."+f.Name, v); err != nil {
			return err
		}
		if _, must, ok := strings.Cut(f.Description, "Type of the media, must be "); ok && v != must {
			return fmt.Errorf("%s.%s is not %s", at, f.Name, must)
		}
	}
	for name := range values {
		if !slices.ContainsFunc(of.Fields, func(f field) bool { return f.Name == name }) {
			return fmt.Errorf("%s has %s, which is not described", at, name)
		}
	}
	return nil
}

// value checks that a value is of one of some types. A list whose items may be of several
// types is described as several lists.
func (s *spec) value(types []string, at string, v any) error {
	if of := strings.Split(strings.Join(types, "|"), "|Array of "); len(of) > 1 && len(of) == len(types) && strings.HasPrefix(types[0], "Array of ") {
		of[0] = strings.TrimPrefix(of[0], "Array of ")
		return s.list(of, at, v)
	}
	var errs []error
	for _, name := range types {
		err := s.one(name, at, v)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (s *spec) one(name, at string, v any) error {
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	switch name {
	case "String":
		if !isText {
			return fmt.Errorf("%s is no text", at)
		}
		return nil
	case "Integer":
		if _, err := strconv.ParseInt(text+number.String(), 10, 64); err != nil {
			return fmt.Errorf("%s is no whole number", at)
		}
		return nil
	case "Float":
		if _, err := strconv.ParseFloat(text+number.String(), 64); err != nil {
			return fmt.Errorf("%s is no number", at)
		}
		return nil
	case "Boolean", "True":
		if _, ok := v.(bool); !ok && text != "true" && text != "false" {
			return fmt.Errorf("%s is neither true nor false", at)
		}
		return nil
	case "InputFile":
		return fmt.Errorf("%s is no file", at)
	}
	if of, ok := strings.CutPrefix(name, "Array of "); ok {
		return s.list([]string{of}, at, v)
	}
	if isText || isNumber {
		inner, err := unpack(at, v)
		if err != nil {
			return err
		}
		v = inner
	}
	of, ok := s.Types[name]
	if !ok {
		return fmt.Errorf("%s: there is no type %s", at, name)
	}
	if len(of.Subtypes) > 0 {
		return s.value(of.Subtypes, at, v)
	}
	fields, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is no %s", at, name)
	}
	return s.fields(of, at, fields, nil)
}

// list checks that a value is a list of some types.
func (s *spec) list(of []string, at string, v any) error {
	if _, isText := v.(string); isText {
		inner, err := unpack(at, v)
		if err != nil {
			return err
		}
		v = inner
	}
	all, ok := v.([]any)
	if !ok {
		return fmt.Errorf("%s is no list", at)
	}
	for i, item := range all {
		if err := s.value(of, fmt.Sprintf("%s[%d]", at, i), item); err != nil {
			return err
		}
	}
	return nil
}

// unpack is what a text has in it: in a form, everything is a text.
func unpack(at string, v any) (inner any, err error) {
	text, _ := v.(string)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&inner); err != nil {
		return nil, fmt.Errorf("%s is no JSON", at)
	}
	return inner, nil
}
