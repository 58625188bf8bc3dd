package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func newLater() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "later",
		Short: "See and cancel what the agent is to do later",
		Long: `See and cancel what the agent is to do later: deferrals, which are done once, and loops,
which are done again and again. People ask the agent for them in a chat.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLaterList(),
		newLaterOne("show", "Show a deferral or a loop", operator.Operator.Appointment, describeAppointment),
		newLaterOne("cancel", "Cancel a deferral or a loop, also while it is being done", operator.Operator.Cancel,
			func(a operator.Appointment) string { return a.ID + " is cancelled\n" }))
	return cmd
}

func newLaterList() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what is to be done later, and what came to nothing in the last day",
		Long: `List deferrals and loops: what waits, what is being done, what is paused, and what came
to nothing in the last day, with the reason. What is switched off (actions.categories)
is not listed.

` + placeHelp,
		Example: `  aside later list
  aside later list --json`,
		Args: nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			c, err := place.load()
			if err != nil {
				return err
			}
			kinds := []operator.Kind{operator.Deferral, operator.Loop}
			on := slices.DeleteFunc(slices.Clone(kinds), func(kind operator.Kind) bool { return policy(c).Off(string(kind)) != "" })
			if len(on) == 0 {
				return errors.New(policy(c).Off(string(operator.Deferral)))
			}
			all := map[operator.Kind][]operator.Appointment{operator.Deferral: {}, operator.Loop: {}}
			err = place.with(cmd.Context(), func(o operator.Operator) error {
				for _, kind := range on {
					list, err := o.Appointments(cmd.Context(), kind)
					if err != nil {
						return err
					}
					all[kind] = list
				}
				return nil
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"deferrals": all[operator.Deferral], "loops": all[operator.Loop]})
			}
			return printText(cmd.OutOrStdout(), laterTable(slices.Concat(all[operator.Deferral], all[operator.Loop])))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func laterTable(all []operator.Appointment) string {
	if len(all) == 0 {
		return "nothing is to be done later\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tSTATE\tNEXT\tEVERY\tBY\tROOM\tWHAT")
	for _, a := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, laterState(a), laterNext(a), laterEvery(a),
			clip(nameOr(a.Name, a.Person), 30), clip(a.Room, 40), clip(nameOr(a.Label, a.Prompt), 50))
	}
	_ = w.Flush() // into memory
	for _, a := range all {
		if a.Reason != "" {
			fmt.Fprintf(&b, "%s: %s\n", a.ID, clip(a.Reason, 200))
		}
	}
	return b.String()
}

func laterState(a operator.Appointment) string {
	if a.Running && a.State == store.AppointmentPending {
		return "in a round"
	}
	return string(a.State)
}

func laterNext(a operator.Appointment) string {
	if a.Next == nil {
		return "-"
	}
	return when(*a.Next)
}

func laterEvery(a operator.Appointment) string {
	if a.Every == 0 {
		return "-"
	}
	return platform.DurationText(time.Duration(a.Every) * time.Second)
}

// nameOr is the first of two that says something.
func nameOr(name, otherwise string) string {
	if strings.TrimSpace(name) == "" {
		return otherwise
	}
	return name
}

// describeAppointment is one for a person.
func describeAppointment(a operator.Appointment) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" && value != "-" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	line("id", a.ID)
	line("label", clip(a.Label, 100))
	line("state", laterState(a))
	line("why", clip(a.Reason, 300))
	line("next", laterNext(a))
	line("every", laterEvery(a))
	line("rounds", fmt.Sprint(a.Rounds))
	line("by", clip(a.Name, 60)+" ("+clip(a.Person, 60)+")")
	line("room", strings.TrimSpace(clip(a.Place, 60)+" ("+clip(a.Room, 80)+")"))
	line("since", when(a.Created))
	_ = w.Flush() // into memory
	return b.String() + "\n" + indent(visible(a.Prompt), "  ")
}

// newLaterOne is a command about one of them.
func newLaterOne(name, short string, do func(operator.Operator, context.Context, operator.Kind, string) (operator.Appointment, error), say func(operator.Appointment) string) *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:     name + " ID",
		Short:   short,
		Long:    short + ".\n\n" + placeHelp,
		Example: fmt.Sprintf("  aside later %s defer-1\n  aside later %s loop-2", name, name),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || kindOf(args[0]) == "" {
				return fmt.Errorf("name one id, as in %s defer-1 or loop-1; aside later list shows them", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var a operator.Appointment
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				a, err = do(o, cmd.Context(), kindOf(args[0]), args[0])
				return err
			})
			switch {
			case errors.Is(err, operator.ErrNoSuchAppointment):
				return fmt.Errorf("there is no %q; aside later list shows those there are", args[0])
			case errors.Is(err, operator.ErrEnded):
				return fmt.Errorf("%s has ended already; aside later show %s says how", args[0], args[0])
			case err != nil:
				return err
			case asJSON:
				return newPrinter(cmd.OutOrStdout()).print(a)
			}
			return printText(cmd.OutOrStdout(), say(a))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// kindOf is what an id is of, "" if it is none.
func kindOf(id string) operator.Kind {
	for _, kind := range []operator.Kind{operator.Deferral, operator.Loop} {
		if strings.HasPrefix(strings.ToLower(id), string(kind)+"-") {
			return kind
		}
	}
	return ""
}
