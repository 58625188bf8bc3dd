package logging_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/logging"
)

// anySecret has what needs quotes, escapes and more than a byte.
var anySecret = rapid.StringMatching(`[A-Za-z0-9_+/=.:!"\\%& é☃-]{8,24}`)

// anyConfig fills every secret of a configuration, and gives its URLs passwords.
func anyConfig(t *rapid.T) (c *config.Config, secrets []string) {
	c = config.Default()
	c.Models.Chat, c.Models.Fast = new(config.Model), new(config.Model)
	c.Platforms = config.Platforms{
		Discord: new(config.Discord), Telegram: new(config.Telegram), Slack: new(config.Slack),
		WhatsApp: new(config.WhatsApp), Signal: new(config.Signal),
	}
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		switch {
		case v.Type() == reflect.TypeFor[config.Secret]():
			secret := anySecret.Draw(t, "secret")
			secrets = append(secrets, secret)
			v.Set(reflect.ValueOf(config.NewSecret(secret)))
		case v.Type() == reflect.TypeFor[config.URL]():
			password := anySecret.Draw(t, "password")
			secrets = append(secrets, password)
			u := url.URL{Scheme: "https", User: url.UserPassword("ada", password), Host: "example.com"}
			v.Set(reflect.ValueOf(config.NewURL(u.String())))
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		}
	}
	fill(reflect.ValueOf(c))
	return c, secrets
}

// A stringer, an error and a LogValuer that say what they are made of.
type (
	stringer struct{ text string }
	failure  struct{ text string }
	valuer   struct{ value slog.Value }
)

func (s stringer) String() string              { return s.text }
func (f failure) Error() string                { return f.text }
func (v valuer) LogValue() slog.Value          { return v.value }
func (f failure) MarshalJSON() ([]byte, error) { return json.Marshal(f.text) }

// anyText is a text with a secret in it, in one of the ways it gets there.
func anyText(t *rapid.T, secrets []string) string {
	secret := rapid.SampledFrom(secrets).Draw(t, "which")
	ways := []string{
		secret, strconv.Quote(secret), url.QueryEscape(secret), url.PathEscape(secret),
		fmt.Sprintf("Get %q: refused", "https://example.com/?key="+secret), "Bearer " + secret,
		"postgres://ada:" + url.PathEscape(secret) + "@db/aside", fmt.Sprintf("%+v", struct{ Key string }{secret}),
	}
	around := rapid.StringMatching(`[a-z :/@"]{0,5}`)
	return around.Draw(t, "before") + rapid.SampledFrom(ways).Draw(t, "way") + around.Draw(t, "after")
}

// anyValue is a value with such a text in it.
func anyValue(t *rapid.T, secrets []string, depth int) any {
	text := anyText(t, secrets)
	switch rapid.IntRange(0, 11).Draw(t, "kind") {
	case 0:
		return []byte(text)
	case 1:
		return errors.New(text)
	case 2:
		return stringer{text}
	case 3:
		return failure{text}
	case 4:
		encoded, _ := json.Marshal(map[string]string{text: text})
		return json.RawMessage(encoded)
	case 5:
		return json.RawMessage(text)
	case 6:
		return map[string]any{text: []string{text}}
	case 7:
		return struct{ A, b any }{text, stringer{text}}
	case 8:
		return &struct{ A string }{text}
	case 9, 10:
		if depth > 0 {
			group := slog.GroupValue(slog.Any("a", anyValue(t, secrets, depth-1)), slog.Any(text, anyValue(t, secrets, depth-1)))
			if rapid.Bool().Draw(t, "late") {
				return valuer{group}
			}
			return group
		}
	}
	return text
}

func TestWhateverIsLoggedNoSecretAppears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, secrets := anyConfig(t)
		hider := logging.NewHider(c.Secrets())
		var text, lines bytes.Buffer
		for out, log := range map[*bytes.Buffer]*slog.Logger{
			&text:  logging.New(&text, logging.Text, slog.LevelDebug, hider),
			&lines: logging.New(&lines, logging.JSON, slog.LevelDebug, hider),
		} {
			if rapid.Bool().Draw(t, "with") {
				log = log.With("with", anyValue(t, secrets, 2)).WithGroup(anyText(t, secrets))
			}
			ctx := logging.With(t.Context(), slog.Any("about", anyValue(t, secrets, 2)))
			log.ErrorContext(ctx, anyText(t, secrets), "value", anyValue(t, secrets, 2), anyText(t, secrets), anyValue(t, secrets, 2))
			if out.Len() == 0 {
				t.Fatal("nothing was written")
			}
		}
		for _, secret := range secrets {
			quoted := strconv.Quote(secret)
			for _, form := range []string{secret, quoted[1 : len(quoted)-1], url.QueryEscape(secret), url.PathEscape(secret)} {
				if strings.Contains(text.String(), form) {
					t.Fatalf("%q stands in the text\n%s", form, &text)
				}
			}
			if where := find(t, lines.Bytes(), secret); where != "" {
				t.Fatalf("%q stands in the JSON: %q\n%s", secret, where, &lines)
			}
		}
	})
}

// find is the text within a JSON document that holds a secret.
func find(t *rapid.T, document []byte, secret string) string {
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	found := ""
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			if strings.Contains(value, secret) {
				found = value
			}
		case []any:
			for _, inner := range value {
				walk(inner)
			}
		case map[string]any:
			for key, inner := range value {
				walk(key)
				walk(inner)
			}
		}
	}
	walk(value)
	return found
}
