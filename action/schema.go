package action

import "encoding/json"

// Schema is the JSON Schema of an action's arguments.
func (s *Spec) Schema() json.RawMessage {
	properties := map[string]any{}
	required := []string{}
	for _, f := range s.fields {
		properties[f.name] = f.schema()
		if !f.optional {
			required = append(required, f.name)
		}
	}
	b, err := json.Marshal(map[string]any{
		"title": s.Name, "description": s.Description, "type": "object",
		"properties": properties, "required": required, "additionalProperties": false,
	})
	if err != nil {
		panic("a schema of strings and numbers cannot fail: " + err.Error())
	}
	return b
}

func (f field) schema() map[string]any {
	schema := map[string]any{"type": "string"}
	if f.doc != "" {
		schema["description"] = f.doc
	}
	if len(f.values) > 0 {
		schema["enum"] = f.values
	}
	least, most := "minLength", "maxLength"
	switch f.kind {
	case numberKind:
		schema["type"], least, most = "integer", "minimum", "maximum"
	case flagKind:
		schema["type"] = "boolean"
	case listKind:
		entries := map[string]any{"type": "string"}
		if f.each > 0 {
			entries["maxLength"] = f.each
		}
		schema["type"], schema["items"], least, most = "array", entries, "minItems", "maxItems"
	}
	if f.bounded {
		schema[least] = f.min
		if f.max > 0 {
			schema[most] = f.max
		}
	}
	if f.standard != "" {
		schema["default"] = f.plain()
	}
	return schema
}

// plain is the default as a value of its own kind.
func (f field) plain() any {
	switch f.kind {
	case numberKind:
		n, _ := readNumber(f.standard)
		return n
	case flagKind:
		flag, _ := readFlag(f.standard)
		return flag
	case listKind:
		return readList(f.standard)
	}
	return f.standard
}
