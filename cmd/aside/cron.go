package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
)

func newCron() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cron",
		Short: "Look after jobs: prompts that run on a schedule",
		Long: `Look after jobs. A job is a prompt that runs on a schedule and posts its reply in a
room; people make them by asking the agent.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCronList(),
		newCronCommand(cronCommand{
			name: "show", short: "Show a job and its last runs", do: operator.Operator.Cron,
			said: func(c operator.Cron, _ bool) string { return cronText(c) },
		}),
		newCronCommand(cronCommand{
			name: "run", short: "Run a job now, besides its schedule", do: operator.Operator.RunCron,
			said: func(c operator.Cron, running bool) string {
				if running {
					return cronName(c) + " runs now\n"
				}
				return cronName(c) + " runs when Aside does\n"
			},
		}),
		newCronCommand(cronCommand{
			name: "pause", short: "Pause a job until it is resumed",
			do: func(o operator.Operator, ctx context.Context, id string) (operator.Cron, error) {
				return o.PauseCron(ctx, id, true)
			},
			said: func(c operator.Cron, _ bool) string { return cronName(c) + " is paused\n" },
		}),
		newCronCommand(cronCommand{
			name: "resume", short: "Let a paused job run again",
			do: func(o operator.Operator, ctx context.Context, id string) (operator.Cron, error) {
				return o.PauseCron(ctx, id, false)
			},
			said: func(c operator.Cron, _ bool) string { return cronName(c) + " runs next at " + nextRun(c) + "\n" },
		}),
		newCronCommand(cronCommand{
			name: "delete", short: "Delete a job", do: operator.Operator.DeleteCron,
			said: func(c operator.Cron, _ bool) string { return cronName(c) + " is deleted\n" },
		}))
	return cmd
}

func cronName(c operator.Cron) string { return c.ID + " (" + clip(c.Name, 60) + ")" }

func newCronList() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the jobs",
		Long: `List the jobs, with their next runs, in the time zone of each, and what became of
their last ones.

` + placeHelp,
		Example: `  aside cron list
  aside cron list --json`,
		Args: nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			var all []operator.Cron
			err := withCrons(cmd.Context(), &place, func(o operator.Operator) (err error) {
				all, err = o.Crons(cmd.Context())
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"crons": all})
			}
			return printText(cmd.OutOrStdout(), cronTable(all))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// withCrons does something with the jobs, unless they are switched off.
func withCrons(ctx context.Context, place *placeFlags, do func(operator.Operator) error) error {
	c, err := place.load()
	if err != nil {
		return err
	}
	if off := cronsOff(c); off != "" {
		return errors.New(off + "; see actions in the configuration")
	}
	return place.with(ctx, do)
}

func cronTable(all []operator.Cron) string {
	if len(all) == 0 {
		return "there are no jobs; people make them by asking the agent\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNEXT\tLAST\tSCHEDULE\tROOM\tNAME")
	for _, c := range all {
		last := "-"
		if len(c.Runs) > 0 {
			last = string(c.Runs[0].Outcome)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, nextRun(c), last, clip(c.Schedule, 40), clip(c.Room, 40), clip(c.Name, 40))
	}
	_ = w.Flush() // into memory
	return b.String()
}

// nextRun is when a job runs next, in its time zone.
func nextRun(c operator.Cron) string {
	switch {
	case c.Paused:
		return "paused"
	case c.Next == nil:
		return "never"
	}
	return localTime(*c.Next, c.Timezone)
}

// localTime is a time in a zone. The zone is named: what comes as JSON knows its offset only.
func localTime(t time.Time, zone string) string {
	if where, err := time.LoadLocation(zone); err == nil {
		t = t.In(where)
	}
	return t.Format("2006-01-02 15:04 MST")
}

// A cronCommand is a command about one job.
type cronCommand struct {
	name, short string
	do          func(operator.Operator, context.Context, string) (operator.Cron, error)
	said        func(c operator.Cron, running bool) string // running says that a running Aside was asked
}

func newCronCommand(command cronCommand) *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:     command.name + " ID",
		Short:   command.short,
		Long:    command.short + ".\n\n" + placeHelp,
		Example: "  aside cron " + command.name + " cron-001",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one job, as in %s cron-001; aside cron list shows them", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var job operator.Cron
			running := false
			err := withCrons(cmd.Context(), &place, func(o operator.Operator) (err error) {
				_, running = o.(operator.Remote)
				job, err = command.do(o, cmd.Context(), args[0])
				return err
			})
			switch {
			case errors.Is(err, operator.ErrNoSuchCron):
				return fmt.Errorf("there is no job %q; aside cron list shows them", args[0])
			case err != nil:
				return err
			case asJSON:
				return newPrinter(cmd.OutOrStdout()).print(job)
			}
			return printText(cmd.OutOrStdout(), command.said(job, running))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// cronText is everything about a job.
func cronText(c operator.Cron) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, clip(value, 300))
		}
	}
	line("id", c.ID)
	line("name", c.Name)
	line("schedule", c.Schedule+" ("+c.Timezone+")")
	line("next", nextRun(c))
	line("room", c.Room)
	line("person", c.Person)
	line("model", c.Model)
	line("tags", strings.Join(c.Tags, ", "))
	line("routing", c.Routing)
	line("allowed", strings.Join(c.Allowed, ", "))
	line("then", strings.Join(c.Chain, ", "))
	if c.Silent {
		line("silent", "yes")
	}
	line("state", string(c.State))
	line("prompt", c.Prompt)
	_ = w.Flush() // into memory
	if len(c.Runs) == 0 {
		return b.String() + "\nit has not run yet\n"
	}
	b.WriteString("\n")
	fmt.Fprintln(w, "DUE\tOUTCOME\tBY\tTURN\tWHY")
	for _, r := range c.Runs {
		turn, outcome := "-", string(r.Outcome)
		if r.Turn != 0 {
			turn = fmt.Sprint(r.Turn)
		}
		if r.Times > 1 {
			outcome += fmt.Sprintf(" (%d times)", r.Times)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", localTime(r.Due, c.Timezone), outcome, r.By, turn, clip(r.Why, 100))
	}
	_ = w.Flush() // into memory
	return b.String()
}
