package config

import "testing"

func TestSensitive(t *testing.T) {
	c := load(t, `
token: token-of-aside-0123
database: postgres://aside:db-password@db/aside
models: {chat: {provider: openai, model: a, api_key: key-of-the-model}}
platforms:
  telegram: {token: "1234:telegram-secret"}
  slack: {bot_token: xoxb-slack-bot, app_token: xapp-slack-app}
`)
	tests := []struct {
		name, value string
		want        bool
	}{
		{"Aside's own token", "token-of-aside-0123", true},
		{"a database's URL", "postgres://aside:db-password@db/aside", true},
		{"a database's password", "db-password", true},
		{"a platform's token", "xapp-slack-app", true},
		{"a part of a token", "telegram-secret", true},
		{"a token with something around it", "Bearer xoxb-slack-bot", true},
		{"a model's key", "key-of-the-model", false},
		{"something else", "/usr/local/bin", false},
		{"something short", "1234", false},
		{"nothing", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := c.Sensitive(test.value); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
	if Default().Sensitive("sqlite and more than that") {
		t.Error("without secrets something is sensitive")
	}
}
