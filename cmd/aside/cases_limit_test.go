package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
)

// A limit is a case just inside or just outside of what a field may be.
type limit struct {
	name string
	does string // the instruction
	says string // why it is outside; "" is inside
}

// A limiter makes the cases of a row from what its Spec says about each field.
type limiter struct {
	spec *action.Spec
	row  row
	args map[string]any
	all  []limit
}

// limitsOf are the cases of a row's single fields, all inside and all outside.
func limitsOf(t *testing.T, spec *action.Spec, w row, p *place) (inside, outside []limit) {
	t.Helper()
	l := &limiter{spec: spec, row: w}
	if err := json.Unmarshal([]byte(p.fill(w.does)), &l.args); err != nil {
		t.Fatalf("the instruction of %s cannot be read: %v", w.action, err)
	}
	schema := schemaOf(t, spec)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		f := schema.Properties[name]
		if slices.Contains(schema.Required, name) {
			l.outside(name, nil, name+" is missing")
		}
		switch f.Type {
		case "integer":
			l.number(name, f)
		case "boolean":
			l.inside(name, true)
			l.inside(name, "no")
			l.outside(name, "perhaps", name+` is true or false, got "perhaps"`)
		case "array":
			l.list(name, f)
		default:
			l.text(name, f, slices.Contains(schema.Required, name))
		}
	}
	for _, c := range l.all {
		if c.says == "" {
			inside = append(inside, c)
		} else {
			outside = append(outside, c)
		}
	}
	return inside, outside
}

// with is the row's instruction with another value of a field; nil leaves it out.
func (l *limiter) with(field string, value any) string {
	args := maps.Clone(l.args)
	args[field] = value
	switch value := value.(type) {
	case nil:
		delete(args, field)
	case map[string]any:
		maps.Copy(args, value)
	}
	b, err := json.Marshal(args)
	if err != nil {
		panic("strings and numbers can be written: " + err.Error())
	}
	return string(b)
}

func (l *limiter) inside(field string, value any) {
	l.all = append(l.all, limit{fmt.Sprintf("%s is %.20v", field, value), l.with(field, value), ""})
}

func (l *limiter) outside(field string, value any, says string) {
	l.all = append(l.all, limit{fmt.Sprintf("%s is %.20v", field, value), l.with(field, value), l.spec.Name + ": " + says})
}

// fill is a value of so many characters or entries, or the so-manieth of an enumeration:
// the row's, where x's would be none. It may be a map, with other fields that it needs.
func (l *limiter) fill(field string, n int) any {
	if fill := l.row.fills[field]; fill != nil {
		return fill(n)
	}
	return strings.Repeat("x", n)
}

func (l *limiter) values(field string, f fieldSchema) {
	var names []string
	for i, value := range f.Enum {
		names = append(names, fmt.Sprint(value))
		if l.row.fills[field] != nil {
			value = l.row.fills[field](i)
		}
		l.inside(field, value)
	}
	if f.Type == "integer" {
		l.outside(field, 61, fmt.Sprintf("%s is one of %s, got 61", field, strings.Join(names, ", ")))
		return
	}
	l.outside(field, "nonsense", fmt.Sprintf("%s is one of %s, got %q", field, strings.Join(names, ", "), "nonsense"))
}

func (l *limiter) number(field string, f fieldSchema) {
	l.outside(field, "many", field+` is a whole number, got "many"`)
	l.outside(field, 1.5, field+` is a whole number, got "1.5"`)
	switch {
	case len(f.Enum) > 0:
		l.values(field, f)
	case f.Minimum == nil:
	case f.Maximum == nil:
		l.inside(field, *f.Minimum)
		l.outside(field, *f.Minimum-1, fmt.Sprintf("%s needs at least %d, got %d", field, *f.Minimum, *f.Minimum-1))
	default:
		for _, n := range []int{*f.Minimum, *f.Maximum} {
			l.inside(field, n)
		}
		l.inside(field, fmt.Sprint(*f.Maximum))
		for _, n := range []int{*f.Minimum - 1, *f.Maximum + 1} {
			l.outside(field, n, fmt.Sprintf("%s needs %d to %d, got %d", field, *f.Minimum, *f.Maximum, n))
		}
	}
}

func (l *limiter) text(field string, f fieldSchema, required bool) {
	if len(f.Enum) > 0 {
		l.values(field, f)
		return
	}
	least, most := f.bounds()
	switch {
	case most == nil:
		return
	case *least == 0:
		l.outside(field, l.fill(field, *most+1), fmt.Sprintf("%s needs at most %d characters, got %d", field, *most, *most+1))
	default:
		l.inside(field, l.fill(field, *least))
		l.outside(field, l.fill(field, *most+1), fmt.Sprintf("%s needs %d to %d characters, got %d", field, *least, *most, *most+1))
		if !required {
			l.outside(field, "", fmt.Sprintf("%s needs %d to %d characters, got 0", field, *least, *most))
		}
	}
	l.inside(field, l.fill(field, *most))
}

func (l *limiter) list(field string, f fieldSchema) {
	entries := func(n int) any {
		if l.row.fills[field] != nil {
			return l.row.fills[field](n)
		}
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("entry %d", i))
		}
		return all
	}
	least, most := f.bounds()
	if most != nil {
		l.inside(field, entries(*least))
		l.inside(field, entries(*most))
		says := fmt.Sprintf("%s needs %d to %d entries, got ", field, *least, *most)
		if *least == 0 {
			says = fmt.Sprintf("%s needs at most %d entries, got ", field, *most)
		} else {
			l.outside(field, entries(*least-1), says+fmt.Sprint(*least-1))
		}
		l.outside(field, entries(*most+1), says+fmt.Sprint(*most+1))
	}
	if f.Items != nil && f.Items.MaxLength != nil {
		n := *f.Items.MaxLength
		l.inside(field, []string{strings.Repeat("x", n), "y"})
		l.outside(field, []string{strings.Repeat("x", n+1), "y"}, fmt.Sprintf("an entry of %s has at most %d characters, got %d", field, n, n+1))
	}
}
