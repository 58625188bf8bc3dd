package action

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Decode reads an action's arguments as leniently as can be, and checks them. Its
// errors say what would be right.
func (s *Spec) Decode(raw json.RawMessage) (map[string]string, error) {
	var given map[string]any
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, fmt.Errorf("%s: the arguments are not a JSON object", s.Name)
	}
	args := map[string]string{}
	for _, arg := range s.Args {
		value, ok := arg.of(given)
		if !ok || value == "" {
			if arg.Optional {
				continue
			}
			return nil, fmt.Errorf("%s: %s is missing", s.Name, arg.Name)
		}
		if len(arg.Values) > 0 && !slices.Contains(arg.Values, value) {
			return nil, fmt.Errorf("%s: %s is one of %s, got %q", s.Name, arg.Name, strings.Join(arg.Values, ", "), value)
		}
		args[arg.Name] = value
	}
	return args, nil
}

// of finds the argument under any of its names. A signal's only argument has none
// of its own.
func (a Arg) of(given map[string]any) (string, bool) {
	for _, name := range append([]string{a.Name}, a.Aliases...) {
		for key, value := range given {
			if normal(key) == normal(name) {
				return text(value)
			}
		}
	}
	return "", false
}

// text is a JSON value as a string.
func text(value any) (string, bool) {
	switch value := value.(type) {
	case nil:
		return "", false
	case string:
		return strings.TrimSpace(value), true
	}
	b, err := json.Marshal(value)
	return string(b), err == nil
}
