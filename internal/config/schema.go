package config

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// Schema is the JSON Schema of the file, for editors that complete and check while
// one types.
func Schema() ([]byte, error) {
	root := sectionSchema(reflect.TypeFor[Config]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = File
	return json.MarshalIndent(root, "", "  ")
}

type object = map[string]any

func sectionSchema(t reflect.Type) object {
	properties := object{}
	var required []string
	for _, k := range keysOf(t) {
		s := valueSchema(k)
		s["description"] = k.doc
		if value, ok := k.defaultValue(); ok {
			s["default"] = value
		}
		properties[k.name] = s
		if k.filled && k.value == "" {
			required = append(required, k.name)
		}
	}
	s := object{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	return s
}

func valueSchema(k key) object {
	if t, ok := k.section(); ok {
		return sectionSchema(t)
	}
	if k.typ.Kind() == reflect.Map {
		return object{"type": []string{"object", "null"}, "additionalProperties": elementSchema(k)}
	}
	if f, ok := elementOf(k.typ); ok {
		s := object{"type": []string{"array", "null"}, "items": singleSchema(k.typ, f, key{})}
		if k.typ.Kind() != reflect.Slice {
			s["minItems"] = 1
		}
		return s
	}
	f, _ := formOf(k.typ)
	return singleSchema(k.typ, f, k)
}

// elementSchema is the schema of a value of a table.
func elementSchema(k key) object {
	t := k.typ.Elem()
	if f, ok := formOf(t); ok {
		return singleSchema(t, f, k)
	}
	section := sectionSchema(t)
	section["type"] = "object"
	first := keysOf(t)[0]
	f, _ := formOf(first.typ)
	return object{"anyOf": []object{singleSchema(first.typ, f, first), section}}
}

// singleSchema is the schema of one value. A variable can stand for any.
func singleSchema(t reflect.Type, f form, k key) object {
	variable := object{"type": "string", "pattern": `\$\{`}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case f.names != nil:
		return object{"anyOf": []object{{"enum": f.names}, variable}}
	case t == reflect.TypeFor[time.Duration](), t == reflect.TypeFor[Pause]():
		return object{"anyOf": []object{{"type": "string", "pattern": `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`}, variable}}
	case t == reflect.TypeFor[Room](), t == reflect.TypeFor[[]Room]():
		return object{"type": "string", "pattern": `^[a-z]+/.|\$\{|^$`}
	case t == reflect.TypeFor[Size]():
		return object{"anyOf": []object{{"type": "string", "pattern": sizePattern}, variable}}
	case t.Kind() == reflect.Bool:
		return object{"anyOf": []object{{"type": "boolean"}, variable}}
	case t.Kind() == reflect.Int:
		s := object{"type": "integer"}
		if k.least != nil {
			s["minimum"] = *k.least
		}
		if k.most != nil {
			s["maximum"] = *k.most
		}
		return object{"anyOf": []object{s, variable}}
	case k.schemes != nil:
		pattern := `^(` + strings.Join(k.schemes, "|") + `)://`
		if k.word != "" {
			pattern += `|^` + k.word + `$`
		}
		return object{"type": "string", "pattern": pattern + `|\$\{|^$`}
	}
	// Ids and phone numbers may stand there without quotes.
	s := object{"type": []string{"string", "number"}}
	if k.filled {
		s["minLength"] = 1
	}
	return s
}

// defaultValue is the default as JSON has it.
func (k key) defaultValue() (any, bool) {
	if k.value == "" {
		return nil, false
	}
	v := reflect.New(k.typ).Elem()
	if f, ok := formOf(k.typ); !ok {
		return strings.Split(k.value, ","), true
	} else if f.bare {
		f.read(v, k.value)
		return v.Interface(), true
	}
	return k.value, true
}
