package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A key is a field of a struct, as its tags describe it.
type key struct {
	name  string // yaml
	doc   string // doc: what it means, in sentences
	value string // default: as it would stand in the file; lists have commas
	index []int
	typ   reflect.Type

	filled  bool     // filled: it may not be missing or empty
	least   *int     // min
	most    *int     // max
	schemes []string // schemes of a URL
	word    string   // word: what may stand there instead of a URL
	each    string   // each: what the keys of a map are
}

// keysOf are the keys of a section. Those of an embedded struct are among them.
func keysOf(t reflect.Type) []key {
	var keys []key
	for f := range t.Fields() {
		if f.Anonymous {
			for _, k := range keysOf(f.Type) {
				k.index = append(slices.Clone(f.Index), k.index...)
				keys = append(keys, k)
			}
			continue
		}
		k := key{
			name:   f.Tag.Get("yaml"),
			doc:    f.Tag.Get("doc"),
			value:  f.Tag.Get("default"),
			index:  f.Index,
			typ:    f.Type,
			filled: f.Tag.Get("filled") == "true",
			least:  number(f.Tag, "min"),
			most:   number(f.Tag, "max"),
			word:   f.Tag.Get("word"),
			each:   f.Tag.Get("each"),
		}
		if list := f.Tag.Get("schemes"); list != "" {
			k.schemes = strings.Split(list, ",")
		}
		keys = append(keys, k)
	}
	return keys
}

func number(tag reflect.StructTag, name string) *int {
	if text, ok := tag.Lookup(name); ok {
		if n, err := strconv.Atoi(text); err == nil {
			return &n
		}
	}
	return nil
}

// section is the struct type under the key, if it has keys of its own.
func (k key) section() (reflect.Type, bool) {
	t := k.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, ok := formOf(t); ok || t.Kind() != reflect.Struct {
		return nil, false
	}
	return t, true
}

// setDefaults gives the fields of a struct their defaults. A section that is a
// pointer stays nil: not being there is its default.
func setDefaults(v reflect.Value) {
	for _, k := range keysOf(v.Type()) {
		field := v.FieldByIndex(k.index)
		if field.Kind() == reflect.Pointer {
			continue
		}
		if _, ok := k.section(); ok {
			setDefaults(field)
			continue
		}
		if f, ok := formOf(k.typ); ok && k.value != "" {
			f.read(field, k.value)
		} else if k.value != "" {
			readList(field, strings.Split(k.value, ","))
		}
	}
}
