package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/modeltest"
	"github.com/asidehq/aside/model/rehearsal"
)

func parsed(t *testing.T, source string) *config.Config {
	t.Helper()
	c, err := config.Parse("aside.yaml", []byte(source), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRolesThatAskForTheSameShareAModel(t *testing.T) {
	t.Parallel()
	const chat = "models:\n  chat: {provider: openai, model: large, api_key: k}\n"
	tests := []struct {
		name, source string
		want         []string // the roles that a model is made for, and its name
	}{
		{"without a model there is one rehearsal", "", []string{"chat "}},
		{"all are chat's", chat, []string{"chat large"}},
		{"one has its own", chat + "  fast: {model: small}", []string{"chat large", "fast small"}},
		{"two have the same", chat + "  fast: {model: small}\n  voice: {model: small}", []string{"chat large", "fast small"}},
		{"one says what chat says", chat + "  summary: {provider: openai, model: large, api_key: k}", []string{"chat large"}},
		{"one has another key", chat + "  summary: {provider: openai, model: large, api_key: j}", []string{"chat large", "summary large"}},
		{"one has a fallback", chat + "  cron: {model: large, fallback: {model: small}}", []string{"chat large", "cron large"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var made []string
			models, err := byRole(parsed(t, test.source), func(role config.Role, m config.Model) (model.Model, error) {
				made = append(made, fmt.Sprint(role, " ", m.Model))
				return rehearsal.New(rehearsal.Options{}), nil
			})
			if err != nil || !slices.Equal(made, test.want) {
				t.Errorf("made %q, %v; want %q", made, err, test.want)
			}
			for _, role := range config.Roles() {
				if models[role] == nil {
					t.Errorf("%s has none", role)
				}
			}
		})
	}
}

func TestAModelThatCannotBeMadeNamesItsRole(t *testing.T) {
	t.Parallel()
	_, err := byRole(config.Default(), func(config.Role, config.Model) (model.Model, error) { return nil, errors.New("no") })
	if err == nil || err.Error() != "models.chat: no" {
		t.Errorf("got %v", err)
	}
}

func TestEveryProviderThatCanBeConfiguredCanBeMade(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"models: {chat: {provider: openai, model: a, api_key: k}}",
		"models: {chat: {provider: anthropic, model: a, api_key: k}}",
		"models: {chat: {provider: gemini, model: a, api_key: k}}",
		"models: {chat: {provider: command, command: [a]}}",
		"models: {chat: {provider: rehearsal, fallback: {provider: gemini, model: a, api_key: k}}}",
	} {
		if _, err := newModels(parsed(t, source), nil, nil, slog.New(slog.DiscardHandler)); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestAProgramDoesNotGetWhatGivesAccessToAside(t *testing.T) {
	t.Parallel()
	c := parsed(t, "platforms: {telegram: {token: telegram-secret}}\nmodels: {chat: {provider: openai, model: a, api_key: key-of-the-model}}")
	got := environment(c, []string{"HOME=/root", "ASIDE_TOKEN=x", "TELEGRAM_TOKEN=telegram-secret", "OPENAI_API_KEY=key-of-the-model", "EMPTY="})
	if want := []string{"HOME=/root", "OPENAI_API_KEY=key-of-the-model", "EMPTY="}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestEveryProviderAnswersThroughTheProgram(t *testing.T) {
	t.Parallel()
	emulator := modeltest.StartEmulator(t)
	at := "model: small-1, api_key: " + modeltest.Key + ", base_url: " + emulator
	const hello = "Hello from the emulator: Grüße, 5 €."
	tests := []struct {
		name, chat, say, want string
	}{
		{"openai", "{provider: openai, " + at + "/v1}", "say hello", hello},
		{"anthropic", "{provider: anthropic, " + at + "}", "say hello", hello},
		{"gemini", "{provider: gemini, " + at + "}", "say hello", hello},
		{"openai with an unknown model", "{provider: openai, " + at + "/v1}", "be another model", `The provider has no model called "small-1".`},
		{"anthropic with too long a conversation", "{provider: anthropic, " + at + "}", "be too long", "The conversation is too long for the model."},
		{"gemini with a wrong key", "{provider: gemini, model: a, api_key: wrong-key-here, base_url: " + emulator + "}", "say hello", "The model's provider does not accept the key. Check api_key."},
		{"a fallback", "{provider: anthropic, model: a, api_key: wrong-key-here, base_url: " + emulator + ", fallback: {provider: openai, " + at + "/v1}}", "say hello", hello},
		{"command", `{provider: command, command: [echo, "I heard: {{message}}"]}`, "say hello", "I heard: say hello"},
		{"a command that is not there", `{provider: command, command: [no-such-agent]}`, "say hello", `There is no program called "no-such-agent". Is it installed? Check command.`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := newVictim(t, "sqlite", emulator)
			text, err := os.ReadFile(v.config)
			if err != nil {
				t.Fatal(err)
			}
			before, _, _ := strings.Cut(string(text), "  chat:")
			if err := os.WriteFile(v.config, []byte(before+"  chat: "+test.chat+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			v.start()
			v.isAnswered("lobby", v.say("lobby", test.say), test.want)
			if log := v.output.String(); strings.Contains(log, modeltest.Key) || strings.Contains(log, "wrong-key-here") {
				t.Errorf("a key is in the log:\n%s", log)
			}
		})
	}
}
