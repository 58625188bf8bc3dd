// Package command asks a program: what it writes to standard output is the reply. So
// agents that live on the command line can answer in a chat: claude, codex, ollama,
// llm.
//
// It imports the standard library and package model. Before changing it, know that
// what people write is hostile: it reaches the program as standard input or as one
// argument, never through a shell, and never as an argument that looks like an option.
package command

import (
	"os/exec"
	"strings"
	"time"

	"github.com/asidehq/aside/model"
)

// Config says what is run.
type Config struct {
	// Command is the program and its arguments. In the arguments {{prompt}} is the
	// system prompt and the conversation, {{system}} the former alone, which is then
	// not in the prompt, {{message}} the last message alone, and {{model}} Model. With
	// {{prompt}} or {{message}} nothing is written to standard input; without, the
	// prompt is.
	Command []string
	Model   string

	Environment []string // NAME=value; nil is this process' own
}

// outputLimit is the longest reply. A program that writes more has lost its way.
const outputLimit = 8 << 20

// A Model is a program. It may be used by several goroutines: each reply is a run of
// its own.
type Model struct {
	config    Config
	limit     int           // how much a program may write
	afterExit time.Duration // how long to wait for output that others of its kind hold open
}

// New returns the model. Nothing is run.
func New(c Config) *Model {
	return &Model{config: c, limit: outputLimit, afterExit: time.Second}
}

// prepare is the run that answers a request.
func (m *Model) prepare(r model.Request) *exec.Cmd {
	line := m.config.Command
	if len(line) == 0 {
		line = []string{""} // a program that is not found
	}
	words := strings.Join(line[1:], "\x00")
	system := strings.Contains(words, "{{system}}")
	prompt := prompt(r, !system)
	values := strings.NewReplacer(
		"{{prompt}}", prompt, "{{system}}", r.System, "{{message}}", lastMessage(r), "{{model}}", m.config.Model,
	)
	var arguments []string
	for _, word := range line[1:] {
		arguments = append(arguments, argument(word, values.Replace(word)))
	}
	command := exec.Command(line[0], arguments...)
	command.Env = m.config.Environment
	if !strings.Contains(words, "{{prompt}}") && !strings.Contains(words, "{{message}}") {
		command.Stdin = strings.NewReader(prompt)
	}
	return command
}

// argument is what becomes of a word. What people write must not become an option:
// no program takes a word for one that begins with a space. And no argument can hold
// a zero byte.
func argument(word, value string) string {
	value = strings.ReplaceAll(value, "\x00", "")
	if strings.HasPrefix(word, "{{") && strings.HasPrefix(value, "-") {
		return " " + value
	}
	return value
}
