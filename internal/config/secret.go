package config

import "log/slog"

// hidden stands where a secret would.
const hidden = "•••"

// A Secret is a value that is never printed, whoever prints it and however: only
// Reveal gives it away. The zero Secret is not set, and prints as nothing.
type Secret struct {
	// A pointer, because fmt does not call the methods of what it finds in other
	// people's unexported fields, but does not follow pointers there either.
	value *string
}

// NewSecret hides a value.
func NewSecret(value string) Secret {
	if value == "" {
		return Secret{}
	}
	return Secret{&value}
}

// Reveal is the value itself, for the one place that needs it.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// Set reports whether there is a value.
func (s Secret) Set() bool { return s.value != nil }

func (s Secret) String() string {
	if s.value == nil {
		return ""
	}
	return hidden
}

func (s Secret) GoString() string             { return `"` + s.String() + `"` }
func (s Secret) LogValue() slog.Value         { return slog.StringValue(s.String()) }
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(s.GoString()), nil }
func (s Secret) MarshalYAML() (any, error)    { return s.String(), nil }
