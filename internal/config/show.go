package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/asidehq/aside/extract"
)

// YAML is the effective configuration as a file, with secrets hidden.
func (c *Config) YAML() string {
	var b strings.Builder
	show(&b, reflect.ValueOf(c).Elem(), "")
	return b.String()
}

func show(b *strings.Builder, v reflect.Value, indent string) {
	for _, k := range keysOf(v.Type()) {
		field := v.FieldByIndex(k.index)
		if _, ok := k.section(); ok {
			showSection(b, k, field, indent)
			continue
		}
		f, ok := formOf(k.typ)
		if ok && (f.bare || f.names != nil) && f.write(field) == "" {
			continue // it is not set, and no value says so
		}
		if d, isDialect := field.Interface().(extract.Dialect); isDialect && d == 0 {
			continue
		}
		b.WriteString(indent + k.name + ": ")
		switch {
		case ok && f.bare:
			b.WriteString(f.write(field))
		case ok:
			b.WriteString(scalar(f.write(field)))
		case k.typ.Kind() == reflect.Map:
			b.WriteString("{" + strings.Join(showTable(field), ", ") + "}")
		default:
			texts := showList(field)
			for i, s := range texts {
				texts[i] = scalar(s)
			}
			b.WriteString("[" + strings.Join(texts, ", ") + "]")
		}
		b.WriteByte('\n')
	}
}

func showSection(b *strings.Builder, k key, v reflect.Value, indent string) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	var inner strings.Builder
	show(&inner, v, indent+"  ")
	if inner.Len() == 0 {
		b.WriteString(indent + k.name + ": {}\n")
		return
	}
	b.WriteString(indent + k.name + ":\n" + inner.String())
}

func showTable(v reflect.Value) []string {
	entries := map[string]string{}
	for name, value := range v.Seq2() {
		entries[name.String()] = showElement(value)
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		texts = append(texts, quoted(name)+": "+entries[name])
	}
	return texts
}

// showElement writes a value of a table: one that has keys as its first alone, if nothing
// else is set.
func showElement(v reflect.Value) string {
	if f, ok := formOf(v.Type()); ok {
		if f.bare {
			return f.write(v)
		}
		return scalar(f.write(v))
	}
	var set []string
	keys := keysOf(v.Type())
	first, others := "", false
	for i, k := range keys {
		f, _ := formOf(k.typ)
		text := f.write(v.FieldByIndex(k.index))
		if text == "" {
			continue
		}
		if !f.bare {
			text = scalar(text)
		}
		if i == 0 {
			first = text
		} else {
			others = true
		}
		set = append(set, k.name+": "+text)
	}
	if first != "" && !others {
		return first
	}
	return "{" + strings.Join(set, ", ") + "}"
}

// plain is text that YAML reads as itself in every place and as nothing else.
var plain = regexp.MustCompile(`^(\.{0,2}/?[A-Za-z][A-Za-z0-9_./+-]*|•••|[0-9]+(\.[0-9]+){3}:[0-9]+|([0-9]+(\.[0-9]+)?(h|m|s|ms))+|[0-9]+(KB|MB|GB)|[a-z]+://[A-Za-z0-9_./:-]*[A-Za-z0-9/])$`)

var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"}

// scalar writes a value so that it is read back as it is.
func scalar(s string) string {
	s = strings.ReplaceAll(s, "${", "$${")
	if plain.MatchString(s) && !slices.Contains(words, strings.ToLower(s)) {
		return s
	}
	return quoted(s)
}

// quoted is the JSON of s, which YAML reads as well.
func quoted(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return `""` // a string always has JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}
