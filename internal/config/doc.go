// Package config reads aside.yaml.
//
// Load parses the file to a tree, and the tree is read into a Config by the types
// and tags of its fields: the key, its default, its limits and what it means stand
// there and nowhere else. The same tags give the defaults, docs/configuration.md,
// the JSON Schema and what aside config show prints, so a new key is one line.
//
// The package imports extract (for the names of dialects) and a YAML parser. Before
// changing it, know that a file holds secrets: a message may quote a value only
// through text.quote, which knows when not to, and never what the parser says.
package config
