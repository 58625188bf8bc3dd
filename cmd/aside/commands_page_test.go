package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite docs/commands.md, and take the pictures in docs again")

func TestTheCommandsPageIsUpToDate(t *testing.T) {
	t.Parallel()
	const path = "../../docs/commands.md"
	want := commandsPage()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/commands.md is stale; go test ./cmd/aside -timeout 60s -run CommandsPage -update rewrites it")
	}
}

// Every command can be understood from its help alone.
func TestEveryCommandIsDescribed(t *testing.T) {
	t.Parallel()
	for _, cmd := range commands(newRoot()) {
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: a line without a full stop is needed, there is %q", cmd.CommandPath(), cmd.Short)
		}
		if cmd.Example == "" && !cmd.HasSubCommands() {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Long) {
			if len([]rune(strings.TrimSuffix(line, "\n"))) > 88 {
				t.Errorf("%s: the help is too wide: %s", cmd.CommandPath(), line)
			}
		}
	}
}

const commandsIntroduction = `<!-- Generated from the commands by go test ./cmd/aside -timeout 60s -run CommandsPage -update. Do not edit. -->

# Commands

` + "`aside COMMAND --help`" + ` says the same as this page; ` + "`make man`" + ` writes manual pages.

**Exit codes.**

| code | meaning |
|---|---|
| 0 | it is done, or everything is in order |
| 1 | it was tried, and the answer is no: there is no such turn, a check has found something, a file is damaged, nobody answers |
| 2 | the command line or the configuration is wrong. ` + "`run`, `extract` and `config`" + ` end with 2 whatever goes wrong |

What went wrong is one line on standard error that says what to do. A configuration
with several mistakes has a line for each.

**For programs.** ` + "`--json`" + ` prints one JSON object on standard output and nothing else
there. The objects of ` + "`turns`, `prompt` and `dead`" + ` are those of the [HTTP API](api.md).

**Colours** are used on terminals only, and not if ` + "`NO_COLOR`" + ` is set or ` + "`TERM` is `dumb`" + `. What
models and people wrote is printed without control characters.

**Beside a running Aside.** A data directory with a SQLite file belongs to one process,
which holds its lock. ` + "`turns`, `prompt`, `dead` and `replay`" + ` take the lock for the moment they need,
and so work directly on the file while no Aside runs; ` + "`run`" + ` waits up to two seconds for
them to let go of it. If one runs, it has left its
address in the data directory (the file ` + "`address`" + `), and they ask its HTTP API there, with
the ` + "`token`" + ` of the configuration: give them the configuration that it was started with.
So there is only ever one writer, and what is sent again is sent at once. They never
make a database and never change the schema of one. With PostgreSQL there is no lock to
mind, and they work on the database. ` + "`doctor` and `backup`" + ` only read, on a connection of
their own beside the running Aside.

**Completion.** ` + "`aside completion bash|zsh|fish|powershell`" + ` prints a script for your shell, and
` + "`aside completion SHELL --help`" + ` says where to put it. It proposes commands and flags, the
numbers of turns, and the keys of dead letters.
`

// commandsPage is docs/commands.md.
func commandsPage() string {
	var b strings.Builder
	b.WriteString(commandsIntroduction)
	for _, cmd := range commands(newRoot()) {
		fmt.Fprintf(&b, "\n## %s\n\n", cmd.CommandPath())
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		b.WriteString(text + "\n")
		usage := cmd.UseLine()
		if cmd.HasSubCommands() && cmd.HasParent() {
			usage = cmd.CommandPath() + " COMMAND"
		}
		b.WriteString("\n    " + usage + "\n")
		if cmd.Example != "" {
			b.WriteString("\nExamples:\n\n" + quoteBlock(cmd.Example))
		}
		if flags := strings.TrimRight(cmd.NonInheritedFlags().FlagUsages(), "\n"); flags != "" {
			b.WriteString("\nFlags:\n\n" + quoteBlock(flags))
		}
	}
	return b.String()
}

// quoteBlock is text as Markdown shows it unchanged.
func quoteBlock(text string) string {
	return "```\n" + strings.TrimRight(text, "\n") + "\n```\n"
}

// commands are all commands that people see, each before those below it.
func commands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() && child.Name() != "help" && child.Name() != "completion" {
			all = append(all, commands(child)...)
		}
	}
	return all
}
