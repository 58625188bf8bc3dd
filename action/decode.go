package action

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Args are the decoded arguments of an action.
type Args struct {
	value any

	// Room is the room that the action is about, as it was called; "" is that of the
	// message.
	Room string

	// Platform is the platform of that room, in lower case; "" is that of the message.
	// What a person may do on one is not known on another.
	Platform string

	// Warnings are about fields that nobody knows.
	Warnings []string
}

// Decode reads an action's arguments as leniently as can be, and checks them. Its
// errors say what would be right.
func (s *Spec) Decode(raw json.RawMessage) (Args, error) {
	var given map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber() // an id is longer than a float is exact
	if err := decoder.Decode(&given); err != nil {
		return Args{}, fmt.Errorf("%s: the arguments are not a JSON object", s.Name)
	}
	return s.decode(given, s)
}

func decodeInto[A any](given map[string]any, s *Spec) (Args, error) {
	var into A
	target := reflect.ValueOf(&into).Elem()
	var args Args
	used := map[string]bool{"type": true, "name": true, "action": true}
	for _, f := range s.fields {
		value, ok := f.of(given, used)
		if !ok && f.standard != "" {
			value, ok = f.standard, true
		}
		if !ok {
			if f.optional {
				continue
			}
			return Args{}, fmt.Errorf("%s: %s is missing", s.Name, f.name)
		}
		if err := f.set(target.Field(f.index), value); err != nil {
			return Args{}, fmt.Errorf("%s: %w", s.Name, err)
		}
		switch f.kind {
		case roomKind:
			args.Room = readText(value)
		case otherKind:
			args.Platform = strings.ToLower(readText(value))
		}
	}
	for _, name := range sortedKeys(given) {
		if !used[normal(name)] {
			args.Warnings = append(args.Warnings, fmt.Sprintf("%s has no field %s", s.Name, name))
		}
	}
	if a, ok := any(into).(interface{ Check() error }); ok {
		if err := a.Check(); err != nil {
			return Args{}, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	args.value = into
	return args, nil
}

func sortedKeys(given map[string]any) []string {
	var names []string
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// of finds an argument under any of its names. What is null or empty is not there,
// unless it can be taken away by being empty.
func (f field) of(given map[string]any, used map[string]bool) (any, bool) {
	for _, name := range append([]string{f.name}, f.aliases...) {
		for _, key := range sortedKeys(given) {
			if normal(key) != normal(name) {
				continue
			}
			used[normal(key)] = true
			if value := given[key]; value != nil && (value != "" || f.pointer) {
				return value, true
			}
		}
	}
	return nil, false
}

// set reads a value into a struct's field, and checks it.
func (f field) set(into reflect.Value, value any) error {
	if f.pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	switch f.kind {
	case numberKind:
		n, err := readNumber(value)
		if err != nil {
			return fmt.Errorf("%s is a whole number, got %s", f.name, quoted(value))
		}
		if len(f.values) > 0 && !slices.Contains(f.values, strconv.Itoa(n)) {
			return fmt.Errorf("%s is one of %s, got %d", f.name, strings.Join(f.values, ", "), n)
		}
		into.SetInt(int64(n))
		return f.within(n, "")
	case flagKind:
		flag, err := readFlag(value)
		if err != nil {
			return fmt.Errorf("%s is true or false, got %s", f.name, quoted(value))
		}
		into.SetBool(flag)
		return nil
	case listKind:
		return f.setList(into, value)
	}
	text := readText(value)
	if text == "" && !f.pointer {
		if f.optional {
			return nil
		}
		return fmt.Errorf("%s is missing", f.name)
	}
	if len(f.values) > 0 {
		i := slices.IndexFunc(f.values, func(v string) bool { return strings.EqualFold(v, text) })
		if i < 0 {
			return fmt.Errorf("%s is one of %s, got %q", f.name, strings.Join(f.values, ", "), text)
		}
		text = f.values[i]
	}
	into.SetString(text)
	return f.within(utf8.RuneCountInString(text), " characters")
}

func (f field) setList(into reflect.Value, value any) error {
	list := readList(value)
	if f.each > 0 {
		for _, entry := range list {
			if n := utf8.RuneCountInString(entry); n > f.each {
				return fmt.Errorf("an entry of %s has at most %d characters, got %d", f.name, f.each, n)
			}
		}
	}
	into.Set(reflect.ValueOf(list))
	return f.within(len(list), " entries")
}

// within checks the bounds.
func (f field) within(n int, what string) error {
	if !f.bounded || n >= f.min && (f.max == 0 || n <= f.max) {
		return nil
	}
	switch {
	case f.max == 0:
		return fmt.Errorf("%s needs at least %d%s, got %d", f.name, f.min, what, n)
	case f.min == 0 && what != "":
		return fmt.Errorf("%s needs at most %d%s, got %d", f.name, f.max, what, n)
	}
	return fmt.Errorf("%s needs %d to %d%s, got %d", f.name, f.min, f.max, what, n)
}

func readText(value any) string {
	switch value := value.(type) {
	case string:
		return strings.TrimSpace(value)
	case json.Number:
		return value.String()
	}
	b, _ := json.Marshal(value) // what came from JSON can go there
	return string(b)
}

func readNumber(value any) (int, error) {
	text := readText(value)
	if n, err := strconv.Atoi(text); err == nil {
		return n, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > 1e15 {
		return 0, fmt.Errorf("not a whole number")
	}
	return int(n), nil
}

func readFlag(value any) (bool, error) {
	switch strings.ToLower(readText(value)) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return false, fmt.Errorf("neither true nor false")
}

// readList takes a list, or a string with commas.
func readList(value any) []string {
	list := []string{}
	switch value := value.(type) {
	case []any:
		for _, entry := range value {
			list = append(list, readText(entry))
		}
	default:
		for entry := range strings.SplitSeq(readText(value), ",") {
			list = append(list, strings.TrimSpace(entry))
		}
	}
	return slices.DeleteFunc(list, func(entry string) bool { return entry == "" })
}

func quoted(value any) string { return strconv.Quote(readText(value)) }
