package config

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// Whatever stands around them, secrets stay secret: in errors, in what is shown,
// and in what is printed. And whatever the file is, it does not make Load panic.
func FuzzSecrets(f *testing.F) {
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("", "", false)
	f.Add("", "", true)
	f.Add(string(full), "", false)
	f.Add("persona: {name: \"Ada\n", "\"}", false)
	f.Add("groups:\n  mode:", "defer: {max_delay: soon}", false)
	f.Add("dialects: [\"", "\"]\n", false)
	f.Add("? ", ": ", false)
	f.Add("data: ${A}\nlisten: ${A:-127.0.0.1:1}", "b", false)
	f.Add("data: |\n  a", "  b", false)
	f.Add("--- &a !b", "...\n---\n*a", false)
	f.Fuzz(func(t *testing.T, before, after string, wrong bool) {
		const mark = "s3cret"
		if strings.Contains(before+after, mark) || strings.Contains(before+after, "HIDDEN") {
			return
		}
		if c, err := Parse("aside.yaml", []byte(before), environment("A", after)); (c == nil) != (err != nil) {
			t.Errorf("got %v and %v", c, err)
		}
		source := before + `
token: ` + mark + `-token-long-enough
database: postgres://aside:` + mark + `-password@db/aside?sslpassword=` + mark + `-too
models:
  chat: {provider: openai, model: gpt-5.5, api_key: ` + mark + `-key}
  fast: {provider: gemini, model: gemini-3, api_key: ${HIDDEN}}
platforms:
  slack: {bot_token: ${HIDDEN}, app_token: ` + mark + `-app}
` + after
		if wrong {
			source += "\ngroups: {mode: ${HIDDEN}}\n"
		}
		c, err := Parse("aside.yaml", []byte(source), environment("HIDDEN", mark+"-from-the-environment"))
		if err != nil {
			if strings.Contains(err.Error(), mark) {
				t.Errorf("a secret is in the error\n%v", err)
			}
			return
		}
		// A quote that is open before and closed after makes one text of it all.
		if inTheOpen(reflect.ValueOf(c), mark) {
			return
		}
		if out := c.YAML() + printed(t, c); strings.Contains(out, mark) {
			t.Errorf("a secret is shown\n%s", out)
		}
	})
}

// inTheOpen reports whether the mark is in a value that is no secret.
func inTheOpen(v reflect.Value, mark string) bool {
	switch v.Interface().(type) {
	case Secret, URL:
		return false
	}
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && inTheOpen(v.Elem(), mark)
	case reflect.Struct:
		for i := range v.NumField() {
			if inTheOpen(v.Field(i), mark) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if inTheOpen(v.Index(i), mark) {
				return true
			}
		}
	case reflect.Map:
		for name, value := range v.Seq2() {
			if inTheOpen(name, mark) || inTheOpen(value, mark) {
				return true
			}
		}
	case reflect.String:
		return strings.Contains(v.String(), mark)
	}
	return false
}
