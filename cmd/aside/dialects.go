package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/config"
)

func newDialects() *cobra.Command {
	var (
		path   configPath
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "dialects",
		Short: "List the ways of writing instructions, and which model uses which",
		Example: `  aside dialects
  aside dialects try reply.txt`,
		Args: noSuchCommand,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			c, err := path.load()
			if err != nil {
				return err
			}
			all := dialectStates(c)
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"dialects": all})
			}
			return printText(cmd.OutOrStdout(), dialectTable(all))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	path.flag(cmd)
	cmd.AddCommand(newDialectsTry())
	return cmd
}

// A dialectState is a dialect and the roles whose replies are read in it.
type dialectState struct {
	Name    string   `json:"name"`
	Example string   `json:"example"`
	Roles   []string `json:"roles"`
}

// dialectExamples are instructions, one in each dialect.
var dialectExamples = []struct {
	dialect extract.Dialect
	example string
}{
	{extract.Directives, `<actions><react emoji="eyes"/></actions>`},
	{extract.Blocks, `<action>{"type":"react","emoji":"eyes"}</action>`},
	{extract.Signals, `[REMEMBER:Prefers dark mode]`},
	{extract.Envelope, `{"text":"Done! [LIKE]","action":"SOCIAL_ENGAGE"}`},
	{extract.Reasoning, `<think>never shown</think>`},
}

func dialectStates(c *config.Config) []dialectState {
	var all []dialectState
	for _, e := range dialectExamples {
		state := dialectState{Name: e.dialect.String(), Example: e.example, Roles: []string{}}
		for _, role := range config.Roles() {
			if c.DialectsOf(role)&e.dialect != 0 {
				state.Roles = append(state.Roles, string(role))
			}
		}
		all = append(all, state)
	}
	return all
}

func dialectTable(all []dialectState) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DIALECT\tON FOR\tAN INSTRUCTION LOOKS LIKE")
	for _, d := range all {
		roles := strings.Join(d.Roles, ", ")
		switch len(d.Roles) {
		case 0:
			roles = "no role"
		case len(config.Roles()):
			roles = "every role"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", d.Name, roles, d.Example)
	}
	_ = w.Flush() // into memory
	return b.String()
}
