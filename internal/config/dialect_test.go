package config

import (
	"strings"
	"testing"

	"github.com/asidehq/aside/extract"
)

func TestTheDialectsOfARole(t *testing.T) {
	const usual = extract.Everything &^ extract.Envelope
	const chat = "models:\n  chat: {provider: openai, model: large, api_key: k, dialects: [signals]}\n"
	for _, c := range []struct {
		name, file string
		role       Role
		want       extract.Dialect
	}{
		{"with no model they are the agent's", "", Chat, usual},
		{"what is said of the agent goes for every role", "dialects: [blocks, signals]", CronExec, extract.Blocks | extract.Signals},
		{"chat has its own", chat, Chat, extract.Signals},
		{"a role that is not configured is chat", chat, Summary, extract.Signals},
		{"one that is configured and says nothing has the agent's", chat + "  fast: {model: small}", Fast, usual},
		{"or its own", chat + "  cron-exec: {model: small, dialects: [envelope, reasoning]}", CronExec, extract.Envelope | extract.Reasoning},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := load(t, c.file).DialectsOf(c.role); got != c.want {
				t.Errorf("they are %s, want %s", got, c.want)
			}
		})
	}
}

func TestDialectsThatAreNotSaidOfARoleAreNotShown(t *testing.T) {
	const chat = "models: {chat: {provider: rehearsal"
	if shown := load(t, chat+"}}").YAML(); strings.Count(shown, "dialects:") != 1 {
		t.Errorf("it shows\n%s", shown)
	}
	shown := load(t, chat+", dialects: [signals, blocks]}}").YAML()
	if !strings.Contains(shown, "    dialects: [blocks, signals]\n") {
		t.Errorf("it shows\n%s", shown)
	}
	if again := load(t, shown).YAML(); again != shown {
		t.Errorf("read again it is\n%s", again)
	}
}
