package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/config"
)

const (
	localServer = "local" // any server with OpenAI's interface
	personaFile = "persona.md"
)

// A choice is a provider that init offers.
type choice struct {
	name, what string
	model      string // what is proposed
}

var choices = []choice{
	{string(config.OpenAI), "OpenAI, with a key", "gpt-5.5"},
	{string(config.Anthropic), "Anthropic, with a key", "claude-sonnet-4-6"},
	{string(config.Gemini), "Google, with a key", "gemini-2.5-flash"},
	{localServer, "a server with OpenAI's interface, such as Ollama, vLLM or LM Studio", "llama3.2"},
	{string(config.Command), "a program that reads a prompt and writes a reply", ""},
	{string(config.Rehearsal), "built in, offline, needs no key; to try things out", ""},
}

func choiceNames() []string {
	var names []string
	for _, c := range choices {
		names = append(names, c.name)
	}
	return names
}

const ollama = "http://127.0.0.1:11434/v1"

func newInit() *cobra.Command {
	var a answers
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a first aside.yaml and persona.md",
		Long: `Ask a few questions and write aside.yaml, with comments, and persona.md, into this
directory. Each question has an answer that Enter takes; what a flag says is not asked.
Answers can also be piped in, one a line. Keys are not asked for: the file names the
environment variable that has to hold the key.

A file that is there is left alone, unless --force is given.`,
		Example: `  aside init
  aside init --yes --provider openai --model gpt-5.5
  aside init --yes --provider local --base-url http://127.0.0.1:11434/v1 --model llama3.2
  aside init --yes --provider command --command "llm --no-stream"`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := nothingElse(cmd, args); err != nil {
				return err
			}
			if a.provider != "" && !slices.Contains(choiceNames(), a.provider) {
				return fmt.Errorf("--provider: %q is none of %s; see aside init --help", a.provider, strings.Join(choiceNames(), ", "))
			}
			return nil
		},
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			if err := a.mayWrite(); err != nil {
				return err
			}
			starter, err := a.complete(newInterview(cmd.InOrStdin(), cmd.ErrOrStderr(), a.yes))
			if err != nil {
				return err
			}
			kept, err := a.write(starter)
			if err != nil {
				return err
			}
			return printText(cmd.OutOrStdout(), nextSteps(starter, kept, newPalette(cmd.OutOrStdout())))
		}),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&a.provider, "provider", "", "`WHO` answers: "+strings.Join(choiceNames(), ", ")+" (default rehearsal)")
	flags.StringVar(&a.model, "model", "", "the provider's `NAME` of the model")
	flags.StringVar(&a.baseURL, "base-url", "", "the `URL` of the server (for provider local: default "+ollama+")")
	flags.StringVar(&a.command, "command", "", "the `PROGRAM` and its arguments, for provider command")
	flags.StringVar(&a.name, "name", "", "the agent's `NAME` (default Aside)")
	flags.BoolVarP(&a.yes, "yes", "y", false, "ask nothing: take the flags and the defaults")
	flags.BoolVar(&a.force, "force", false, "write over aside.yaml and persona.md if they are there")
	_ = cmd.RegisterFlagCompletionFunc("provider", cobra.FixedCompletions(choiceNames(), cobra.ShellCompDirectiveNoFileComp)) // the flag is there
	return cmd
}

// answers are what flags say; what is empty is asked.
type answers struct {
	provider, model, baseURL, command, name string
	yes, force                              bool
}

// complete asks for what is missing.
func (a answers) complete(in *interview) (config.Starter, error) {
	if a.provider == "" {
		if err := in.provider(&a.provider); err != nil {
			return config.Starter{}, err
		}
	}
	chosen := choices[slices.Index(choiceNames(), a.provider)]
	s := config.Starter{Provider: config.Provider(a.provider), BaseURL: a.baseURL}
	if a.provider == localServer {
		s.Provider = config.OpenAI
		if s.BaseURL == "" {
			s.BaseURL = in.ask("Where is the server?", ollama)
		}
	}
	if a.provider == string(config.Command) {
		if a.command == "" {
			a.command = in.ask("Which program, with its arguments?", "")
		}
		if s.Command = strings.Fields(a.command); len(s.Command) == 0 {
			return s, errors.New(`which program? Say it with --command, as in --command "llm --no-stream"`)
		}
	}
	if s.Model = a.model; s.Model == "" && chosen.model != "" {
		s.Model = in.ask("Which model?", chosen.model)
	}
	if s.Name = a.name; s.Name == "" {
		s.Name = in.ask("What is the agent called?", "Aside")
	}
	if in.err != nil {
		return s, in.err
	}
	if err := s.Check(); err != nil {
		return s, explainAnswers(err)
	}
	return s, nil
}

// explainAnswers says what is wrong with the answers. There is no file yet, so its lines
// mean nothing.
func explainAnswers(err error) error {
	var problems config.Problems
	if !errors.As(err, &problems) {
		return err
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.Key+": "+p.Text)
	}
	return errors.New(strings.Join(texts, "; "))
}

// mayWrite looks before anything is asked.
func (a answers) mayWrite() error {
	if _, err := os.Lstat(config.File); err == nil && !a.force {
		return fmt.Errorf("%s is there already; change it, or write a new one over it with --force", config.File)
	}
	return nil
}

// write writes both files, aside.yaml last: once it is there, everything is. A persona
// that is there is kept.
func (a answers) write(s config.Starter) (keptPersona bool, err error) {
	err = writeNew(personaFile, s.Persona(), a.force)
	if keptPersona = errors.Is(err, fs.ErrExist); keptPersona {
		err = nil
	}
	if err == nil {
		err = writeNew(config.File, s.YAML(), a.force)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return keptPersona, fmt.Errorf("cannot write %s: %w; this has to be a directory that can be written to", path.Path, path.Err)
	}
	return keptPersona, err
}

// writeNew writes a file that is not there yet, unless force is set.
func writeNew(name, text string, force bool) error {
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, how, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

func nextSteps(s config.Starter, keptPersona bool, p palette) string {
	var b strings.Builder
	b.WriteString("wrote " + config.File)
	if keptPersona {
		b.WriteString("; " + personaFile + " was there already and is as it was\n")
	} else {
		b.WriteString(" and " + personaFile + "\n")
	}
	if v := s.Variable(); v != "" && os.Getenv(v) == "" {
		fmt.Fprintf(&b, "\nIt reads the key from the environment. Set it first:\n  %s\n", p.strong("export "+v+"=…"))
	}
	fmt.Fprintf(&b, "\nThen look whether everything works, and run it:\n  %s\n  %s\n", p.strong("aside doctor"), p.strong("aside run"))
	return b.String()
}
