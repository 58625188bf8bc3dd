package config

import (
	"fmt"
	"strings"
)

// A Starter is what a first aside.yaml needs to know.
type Starter struct {
	Name     string // the agent's
	Provider Provider
	Model    string
	BaseURL  string   // of a server that is not the provider's own
	Command  []string // for provider command
}

// variables are where a provider's key is looked for.
var variables = map[Provider]string{OpenAI: "OPENAI_API_KEY", Anthropic: "ANTHROPIC_API_KEY", Gemini: "GEMINI_API_KEY"}

// Variable is the environment variable that the key has to be in, or "" if none is
// needed.
func (s Starter) Variable() string {
	if s.BaseURL != "" {
		return ""
	}
	return variables[s.Provider]
}

// Check says what is wrong with the answers, by the key they are for.
func (s Starter) Check() error {
	any := func(string) (string, bool) { return "any", true }
	_, err := Parse(File, []byte(s.YAML()), any)
	return err
}

// YAML is the file, with comments. No key is in it.
func (s Starter) YAML() string {
	var b strings.Builder
	b.WriteString(`# What Aside does. Every key is optional, and docs/configuration.md lists them all.
#   aside config check   says what is wrong with this file
#   aside config show    prints what is in effect
#   aside doctor         looks whether everything works

# Who the agent is. The file says how it speaks; it opens every prompt.
persona:
  name: ` + scalar(s.Name) + `
  file: persona.md

# Who answers. ${NAME} is read from the environment: keep keys out of this file.
models:
  chat:
    provider: ` + string(s.Provider) + "\n")
	if s.Model != "" {
		b.WriteString("    model: " + scalar(s.Model) + "\n")
	}
	if s.BaseURL != "" {
		b.WriteString("    base_url: " + scalar(s.BaseURL) + "\n")
		b.WriteString("    # api_key: ${MODEL_API_KEY}   # if the server wants one\n")
	}
	if v := s.Variable(); v != "" {
		fmt.Fprintf(&b, "    api_key: ${%s}\n", v)
	}
	if s.Provider == Command {
		words := make([]string, len(s.Command))
		for i, w := range s.Command {
			words[i] = quoted(strings.ReplaceAll(w, "${", "$${"))
		}
		b.WriteString("    # It reads the prompt on standard input and writes the reply on standard output.\n")
		b.WriteString("    command: [" + strings.Join(words, ", ") + "]\n")
	}
	b.WriteString(`
# Where it can be talked to. Without this key it is the web page alone.
# platforms:
#   web: {}
#   discord:                # docs/discord.md
#     token: ${DISCORD_TOKEN}
#   telegram:               # docs/telegram.md
#     token: ${TELEGRAM_TOKEN}
#   slack:                  # docs/slack.md
#     bot_token: ${SLACK_BOT_TOKEN}
#     app_token: ${SLACK_APP_TOKEN}

# Where the web page is, and the data.
# listen: 127.0.0.1:8787
# token: ${ASIDE_TOKEN}   # needed if other machines can reach it; 16 characters or more
# data: ./data
`)
	return b.String()
}

// Persona is a first persona.md.
func (s Starter) Persona() string {
	return fmt.Sprintf(`You are %s, a helpful assistant in a chat.

Answer in the language you are spoken to, briefly and to the point. If you do not know
something, say so.
`, s.Name)
}
