package config

import (
	"reflect"
	"slices"
	"testing"
)

func TestSecretsAreFoundInTheWholeConfiguration(t *testing.T) {
	c := Default()
	c.Token = NewSecret("the token")
	c.Database = NewURL("postgres://ada:the%20password@db/aside?sslmode=require&key=a%2Bb")
	c.Models.Chat = &Model{Source: Source{APIKey: NewSecret("the key"), BaseURL: NewURL("https://the-user@example.com/v1#part")}}
	c.Models.Voice = &Model{Source: Source{BaseURL: NewURL("https://ada:12/34@example.com")}}
	c.Platforms.Slack = &Slack{BotToken: NewSecret("bot"), AppToken: NewSecret("app")}
	want := []string{
		"the token", "the password", "a%2Bb", "a+b", "part", "the-user", "the key",
		"https://ada:12/34@example.com", "ada:12/34", "bot", "app",
	}
	got := c.Secrets()
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the secrets are\n%q, want\n%q", got, want)
	}
}

func TestADefaultConfigurationHasNoSecrets(t *testing.T) {
	if got := Default().Secrets(); len(got) > 0 {
		t.Errorf("the secrets are %q", got)
	}
}

// A type in which Secrets cannot look would hide nothing.
func TestSecretsLooksIntoEveryKindOfSection(t *testing.T) {
	var kinds func(reflect.Type)
	seen := map[reflect.Type]bool{}
	kinds = func(typ reflect.Type) {
		if seen[typ] || typ == reflect.TypeFor[Secret]() || typ == reflect.TypeFor[URL]() {
			return
		}
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				kinds(typ.Field(i).Type)
			}
		case reflect.Pointer, reflect.Slice, reflect.Map:
			kinds(typ.Elem())
		case reflect.Array, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
			t.Errorf("%v is not looked into", typ)
		}
	}
	kinds(reflect.TypeFor[Config]())
}
