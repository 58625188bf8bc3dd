package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/action"
)

func newActions() *cobra.Command {
	var (
		path   configPath
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "actions",
		Short: "List what replies can do, and what is switched on",
		Example: `  aside actions
  aside actions show react`,
		Args: noSuchCommand,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			all, err := path.actions()
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"actions": all})
			}
			return printText(cmd.OutOrStdout(), actionTable(all))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	path.flag(cmd)
	cmd.AddCommand(newActionsShow())
	return cmd
}

// An actionState is an action and whether a person's message could have it done.
type actionState struct {
	Name        string          `json:"name"`
	Category    string          `json:"category"`
	On          bool            `json:"on"`
	Why         string          `json:"why,omitempty"`
	Description string          `json:"description"`
	Traits      []string        `json:"traits"`
	Schema      json.RawMessage `json:"schema"`

	spec *action.Spec
}

// actions are all there are, with what the configuration says about them.
func (p *configPath) actions() ([]actionState, error) {
	c, err := p.load()
	if err != nil {
		return nil, err
	}
	registry, err := newRegistry(workshop{})
	if err != nil {
		return nil, err
	}
	rights := func(action.Right) string { return "" }
	var all []actionState
	for _, s := range registry.Specs() {
		verdict := policy(c).Decide(action.Situation{Flow: action.OnMessage, May: rights}, s)
		all = append(all, actionState{s.Name, s.Category, verdict.Run, verdict.Why, s.Description, s.Traits(), s.Schema(), s})
	}
	return all, nil
}

func actionTable(all []actionState) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ACTION\tCATEGORY\tSTATE\tWHAT IT DOES")
	for _, a := range all {
		state := "on"
		if !a.On {
			state = "off: " + a.Why
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", a.Name, a.Category, state, a.Description)
	}
	_ = w.Flush() // into memory
	return b.String()
}

func newActionsShow() *cobra.Command {
	var (
		path   configPath
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:     "show ACTION",
		Short:   "Show an action: its fields, limits and rules",
		Example: `  aside actions show react`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one action; %s lists them", cmd.Parent().CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if all, err := path.actions(); err == nil {
				for _, a := range all {
					names = append(names, a.Name+"\t"+a.Description)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			all, err := path.actions()
			if err != nil {
				return err
			}
			for _, a := range all {
				if !a.spec.Called(args[0]) {
					continue
				}
				if asJSON {
					return newPrinter(cmd.OutOrStdout()).print(a)
				}
				text := action.Page([]*action.Spec{a.spec}) + "\n"
				if !a.On {
					text += "\nIt is off: " + a.Why + ".\n"
				}
				return printText(cmd.OutOrStdout(), text)
			}
			return fmt.Errorf("there is no action %q; aside actions lists them", args[0])
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	path.flag(cmd)
	return cmd
}
