package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/config"
)

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show and check the configuration",
		Long: `Show and check aside.yaml. Every key of it is optional; docs/configuration.md
lists them.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	cmd.AddCommand(newConfigShow(), newConfigCheck(), newConfigSchema())
	return cmd
}

func newConfigShow() *cobra.Command {
	var path configPath
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the configuration in effect, with secrets hidden",
		Long: `Print the configuration in effect as YAML: what the file says, with variables
replaced, and the defaults for the rest. Secrets are printed as •••.`,
		Example: `  aside config show
  aside config show --config bot.yaml`,
		Args: noConfigArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := path.load()
			if err != nil {
				return err
			}
			return printText(cmd.OutOrStdout(), c.YAML())
		},
	}
	path.flag(cmd)
	return cmd
}

func newConfigCheck() *cobra.Command {
	var (
		path   configPath
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say what is wrong with the configuration",
		Long: `Say what is wrong with the configuration: each mistake with its line and column, and
what would be right. It looks at the file alone; aside doctor looks whether everything
works.`,
		Example: `  aside config check
  aside config check --config bot.yaml --json`,
		Args: noConfigArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := path.load()
			if asJSON {
				return errors.Join(printProblems(cmd.OutOrStdout(), err), err)
			}
			if err != nil {
				return err
			}
			if path.missing() {
				return printText(cmd.OutOrStdout(), fmt.Sprintf("there is no %s here; the defaults are fine\n", config.File))
			}
			return printText(cmd.OutOrStdout(), fmt.Sprintf("%s is fine\n", path.name()))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what is wrong as JSON too")
	path.flag(cmd)
	return cmd
}

// printProblems prints what is wrong with a file for a program.
func printProblems(out io.Writer, err error) error {
	problems := config.Problems{}
	errors.As(err, &problems)
	return newPrinter(out).print(map[string]any{"ok": err == nil, "problems": problems})
}

func newConfigSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration, for editors",
		Example: `  # an editor with a YAML language server completes and checks after
  aside config schema > aside.schema.json
  # when aside.yaml begins with the line
  # yaml-language-server: $schema=aside.schema.json`,
		Args: noConfigArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			schema, err := config.Schema()
			if err != nil {
				return err
			}
			return printText(cmd.OutOrStdout(), string(schema)+"\n")
		},
	}
}

func noConfigArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.Flags().Lookup("config") == nil {
		return fmt.Errorf("unexpected argument %q; see %s --help", args[0], cmd.CommandPath())
	}
	return fmt.Errorf("unexpected argument %q; to name a file use %s --config %[1]s", args[0], cmd.CommandPath())
}

// configPath is the value of --config; "" is aside.yaml if it is there.
type configPath string

func (p *configPath) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(p), "config", "", "the `FILE` to read (default aside.yaml, if it is there)")
}

func (p configPath) name() string {
	if p == "" {
		return config.File
	}
	return string(p)
}

// missing tells whether there is no file, and none was asked for.
func (p configPath) missing() bool {
	_, err := os.Stat(config.File)
	return p == "" && err != nil
}

// load reads the file. Several problems stand below a line of their own, so that
// each begins with the file's name, as editors and terminals expect it.
func (p configPath) load() (*config.Config, error) {
	c, err := config.Load(string(p), os.LookupEnv)
	if err == nil {
		err = checkMarks(c, p.name())
	}
	var problems config.Problems
	if errors.As(err, &problems) && len(problems) > 1 {
		return nil, fmt.Errorf("%d things are wrong\n%w", len(problems), err)
	}
	return c, err
}

// printText writes text to standard output.
func printText(out io.Writer, text string) error {
	_, err := io.WriteString(out, text)
	if errors.Is(err, syscall.EPIPE) {
		return errors.New("whoever reads the output stopped before its end (broken pipe); let it read everything")
	}
	if err != nil {
		return fmt.Errorf("cannot write to standard output: %w; send it somewhere else", cause(err))
	}
	return nil
}
