package config

import (
	"net/url"
	"reflect"
	"strings"
)

// Secrets are all values of the configuration that nobody may see, for whoever has to
// keep them out of a text.
func (c *Config) Secrets() []string { return secretsIn(reflect.ValueOf(c)) }

func secretsIn(v reflect.Value) []string {
	switch value := v.Interface().(type) {
	case Secret:
		return nonempty(value.Reveal())
	case URL:
		return value.secrets()
	}
	var all []string
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			all = secretsIn(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, secretsIn(v.Field(i))...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, secretsIn(v.Index(i))...)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			all = append(all, secretsIn(v.MapIndex(key))...)
		}
	}
	return all
}

// secrets are what String hides.
func (u URL) secrets() []string {
	if u.value == nil {
		return nil
	}
	parsed, err := url.Parse(*u.value)
	if err != nil || parsed.Opaque != "" || misread(parsed) {
		_, rest, ok := strings.Cut(*u.value, "://")
		if at := strings.LastIndex(rest, "@"); ok && at >= 0 {
			return nonempty(*u.value, rest[:at])
		}
		return nonempty(*u.value)
	}
	all := []string{parsed.Fragment}
	if parsed.User != nil {
		password, ok := parsed.User.Password()
		all = append(all, password)
		if !ok && !postgres(parsed.Scheme) {
			all = append(all, parsed.User.Username())
		}
	}
	for _, parameter := range strings.Split(parsed.RawQuery, "&") {
		name, value, ok := strings.Cut(parameter, "=")
		if plainParameters[name] {
			continue
		}
		if !ok {
			value = name
		}
		all = append(all, value)
		if plain, err := url.QueryUnescape(value); err == nil {
			all = append(all, plain)
		}
	}
	return nonempty(all...)
}

func nonempty(texts ...string) []string {
	var all []string
	for _, text := range texts {
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}
