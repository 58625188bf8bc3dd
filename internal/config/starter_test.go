package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestAStarterIsAFileThatLoads(t *testing.T) {
	tests := []struct {
		name     string
		starter  Starter
		variable string
		want     Model
	}{
		{"openai", Starter{"Ada", OpenAI, "gpt-5.5", "", nil}, "OPENAI_API_KEY", Model{Source: Source{Provider: OpenAI, Model: "gpt-5.5", APIKey: NewSecret("s3cret")}}},
		{"anthropic", Starter{"Ada", Anthropic, "claude", "", nil}, "ANTHROPIC_API_KEY", Model{Source: Source{Provider: Anthropic, Model: "claude", APIKey: NewSecret("s3cret")}}},
		{"gemini", Starter{"Ada", Gemini, "gemini", "", nil}, "GEMINI_API_KEY", Model{Source: Source{Provider: Gemini, Model: "gemini", APIKey: NewSecret("s3cret")}}},
		{
			"a local server",
			Starter{"Ada", OpenAI, "llama3.2:3b", "http://127.0.0.1:11434/v1", nil},
			"",
			Model{Source: Source{Provider: OpenAI, Model: "llama3.2:3b", BaseURL: NewURL("http://127.0.0.1:11434/v1")}},
		},
		{"a program", Starter{"Ada", Command, "", "", []string{"llm", "-s", "a: b", "${HOME}"}}, "", Model{Source: Source{Provider: Command, Command: []string{"llm", "-s", "a: b", "${HOME}"}}}},
		{"the rehearsal", Starter{"Ada", Rehearsal, "", "", nil}, "", Model{Source: Source{Provider: Rehearsal}}},
		{"a strange name", Starter{`no: "#${A}`, Rehearsal, "", "", nil}, "", Model{Source: Source{Provider: Rehearsal}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			env := func(name string) (string, bool) { return "s3cret", name == test.variable }
			c, err := Parse("aside.yaml", []byte(test.starter.YAML()), env)
			if err != nil {
				t.Fatalf("%v in\n%s", err, test.starter.YAML())
			}
			if !reflect.DeepEqual(*c.Models.Chat, test.want) || c.Persona.Name != test.starter.Name || test.starter.Variable() != test.variable {
				t.Errorf("got %s", c.YAML())
			}
			if !strings.Contains(test.starter.Persona(), test.starter.Name) {
				t.Error("the persona has no name")
			}
			if err := test.starter.Check(); err != nil {
				t.Error(err)
			}
			// What is commented out has to be right as well, once it is not.
			uncommented := strings.NewReplacer("\n# platforms", "\nplatforms", "\n#   ", "\n  ", "\n# listen", "\nlisten", "\n# token", "\ntoken", "\n# data", "\ndata", "\n    # api_key", "\n    api_key").
				Replace(test.starter.YAML()[strings.Index(test.starter.YAML(), "persona:"):])
			if _, err := Parse("aside.yaml", []byte(uncommented), func(string) (string, bool) { return "0123456789abcdef", true }); err != nil {
				t.Errorf("%v in\n%s", err, uncommented)
			}
		})
	}
}

func TestAStarterSaysWhatIsWrong(t *testing.T) {
	for want, s := range map[string]Starter{
		"models.chat.base_url": {"Ada", OpenAI, "m", "localhost", nil},
		"models.chat.model":    {"Ada", OpenAI, "", "", nil},
		"models.chat.command":  {"Ada", Command, "", "", nil},
		"models.chat.provider": {"Ada", "smoke", "", "", nil},
		"persona.name":         {"", Rehearsal, "", "", nil},
	} {
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestThePlatformsOfAStarterLoadOnceTheyAreNoCommentAnyMore(t *testing.T) {
	file := Starter{Name: "Ada", Provider: Rehearsal}.YAML()
	_, block, found := strings.Cut(file, "# platforms:\n")
	block, _, ended := strings.Cut(block, "\n\n")
	if !found || !ended {
		t.Fatalf("there are no platforms in\n%s", file)
	}
	var lines []string
	for _, line := range strings.Split(block, "\n") {
		lines = append(lines, strings.TrimPrefix(line, "# "))
	}
	c, err := Parse("aside.yaml", []byte("platforms:\n"+strings.Join(lines, "\n")+"\n"), func(name string) (string, bool) { return "value of " + name, true })
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Platforms.Names(), " "); got != "discord telegram slack web" {
		t.Errorf("there are %s", got)
	}
	if c.Platforms.Slack.AppToken.Reveal() != "value of SLACK_APP_TOKEN" || c.Platforms.Telegram.Token.Reveal() != "value of TELEGRAM_TOKEN" {
		t.Errorf("%+v", c.Platforms)
	}
}
