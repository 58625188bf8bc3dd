package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/operator"
)

func newPlan() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Look at plans, approve them, have them run",
		Long: `Look at plans, approve them, have them run. A plan is a Markdown file under plans in the
data directory, which you can edit at any time.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPlanList(), newPlanShow(),
		newPlanChange(planChange{
			name: "approve", short: "Approve a plan as its file stands, so that it can be run",
			do: func(o operator.Operator, ctx context.Context, id string, _ plans.Options) (plans.Plan, error) {
				return o.ApprovePlan(ctx, id)
			},
			said: "is approved; aside plan run starts it", later: "is approved; aside plan run starts it",
		}),
		newPlanChange(planChange{
			name: "close", short: "Put a plan away, and close its task",
			do: func(o operator.Operator, ctx context.Context, id string, _ plans.Options) (plans.Plan, error) {
				return o.ClosePlan(ctx, id)
			},
			said: "is closed", later: "is closed",
		}),
		newPlanChange(planChange{
			name: "run", short: "Work through what remains of an approved plan, for who made it", options: true,
			do: func(o operator.Operator, ctx context.Context, id string, options plans.Options) (plans.Plan, error) {
				return o.RunPlan(ctx, id, options)
			},
			said: "is running", later: "runs as soon as Aside does",
		}),
		newPlanChange(planChange{
			name: "stop", short: "Stop a plan that is being run; the phase under way is left to be done",
			do: func(o operator.Operator, ctx context.Context, id string, _ plans.Options) (plans.Plan, error) {
				return o.StopPlan(ctx, id)
			},
			said: "is being stopped", later: "is stopped as soon as Aside runs",
		}))
	return cmd
}

func newPlanList() *cobra.Command {
	var (
		place  placeFlags
		status string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List plans, with their status",
		Long: `List plans, with their status, and say what is wrong with files that are none.

` + placeHelp,
		Example: `  aside plan list
  aside plan list --status APPROVED --json`,
		Args: nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			var list operator.PlanList
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				list, err = o.Plans(cmd.Context(), status)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(list)
			}
			return printText(cmd.OutOrStdout(), planTable(list))
		}),
	}
	cmd.Flags().StringVar(&status, "status", "", "only those with a `STATUS`, such as APPROVED")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func planTable(list operator.PlanList) string {
	var b strings.Builder
	if len(list.Plans) == 0 {
		b.WriteString("there are no such plans\n")
	} else {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "PLAN\tSTATUS\tTASK\tPHASES\tTITLE")
		for _, p := range list.Plans {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.ID, p.Status, orDash(clip(p.Task, 20)), phaseCount(p.Phases), clip(p.Title, 60))
		}
		_ = w.Flush() // into memory
	}
	for _, wrong := range list.Unreadable {
		fmt.Fprintf(&b, "cannot be read: %s\n", clip(wrong, 300))
	}
	return b.String()
}

// phaseCount is how many phases of how many need nothing more.
func phaseCount(phases []plans.Phase) string {
	done := 0
	for _, p := range phases {
		if p.State == "done" || p.State == "skipped" {
			done++
		}
	}
	if len(phases) == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", done, len(phases))
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func newPlanShow() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "show PLAN",
		Short: "Show a plan: its text, its phases and what they came to",
		Long: `Show a plan: its text, its phases and what they came to.

` + placeHelp,
		Example: `  aside plan show plan-001
  aside plan show 1 --json`,
		Args:              onePlan,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var p plans.Plan
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				p, err = o.Plan(cmd.Context(), args[0])
				return err
			})
			switch {
			case err != nil:
				return explainPlan(err, args[0])
			case asJSON:
				return newPrinter(cmd.OutOrStdout()).print(p)
			}
			return printText(cmd.OutOrStdout(), describePlan(p, newPalette(cmd.OutOrStdout())))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// onePlan asks for the name of a plan.
func onePlan(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one plan, as in %s plan-001; aside plan list shows them", cmd.CommandPath())
	}
	return nil
}

func explainPlan(err error, id string) error {
	if errors.Is(err, operator.ErrNoSuchPlan) {
		return fmt.Errorf("there is no plan %q; aside plan list shows those there are", id)
	}
	return err
}

// describePlan is a plan for a person.
func describePlan(p plans.Plan, style palette) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", style.strong(p.ID), visible(p.Title), p.Status)
	fmt.Fprintf(&b, "in %s", visible(p.File))
	if p.Task != "" {
		fmt.Fprintf(&b, ", task %s", clip(p.Task, 40))
	}
	if p.By != "" {
		fmt.Fprintf(&b, ", made by %s in %s", clip(p.By, 60), clip(p.Room, 60))
	}
	b.WriteString("\n")
	if p.Run != nil {
		fmt.Fprintf(&b, "run %d, begun %s: %s", p.Run.Number, when(p.Run.Began), p.Run.State)
		if p.Run.Note != "" {
			fmt.Fprintf(&b, ", %s", visible(p.Run.Note))
		}
		b.WriteString("\n")
	}
	if len(p.Phases) > 0 {
		b.WriteString("\n" + style.strong("Phases") + "\n")
		for _, phase := range p.Phases {
			fmt.Fprintf(&b, "  %d. %s, %s: %s\n", phase.Number, phase.Kind, visible(phase.Title), phase.State)
			for _, line := range phaseLines(phase) {
				b.WriteString(indent(visible(line), "     "))
			}
		}
	}
	b.WriteString("\n" + style.strong("Text") + "\n" + indent(visible(p.Text), "  "))
	return b.String()
}

// phaseLines are what a phase came to.
func phaseLines(p plans.Phase) []string {
	var lines []string
	if p.Did != "" {
		lines = append(lines, "did: "+p.Did)
	}
	for _, check := range p.Checks {
		lines = append(lines, "check: "+check)
	}
	for _, problem := range p.Problems {
		lines = append(lines, "problem: "+problem)
	}
	if p.Note != "" {
		lines = append(lines, "("+p.Note+")")
	}
	return lines
}

// A planChange is a command that does something with a plan.
type planChange struct {
	name, short string
	options     bool // it has those of a run
	do          func(operator.Operator, context.Context, string, plans.Options) (plans.Plan, error)
	said        string // what became of it, by a running Aside
	later       string // the same where none was asked
}

func newPlanChange(change planChange) *cobra.Command {
	var (
		place   placeFlags
		options plans.Options
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:               change.name + " PLAN",
		Short:             change.short,
		Long:              change.short + ".\n\n" + placeHelp,
		Example:           fmt.Sprintf("  aside plan %s plan-001", change.name),
		Args:              onePlan,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var p plans.Plan
			said := change.later
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				if _, running := o.(operator.Remote); running {
					said = change.said
				}
				p, err = change.do(o, cmd.Context(), args[0], options)
				return err
			})
			switch {
			case err != nil:
				return explainPlan(err, args[0])
			case asJSON:
				return newPrinter(cmd.OutOrStdout()).print(p)
			}
			return printText(cmd.OutOrStdout(), p.ID+" "+said+"\n")
		}),
	}
	if change.options {
		cmd.Flags().BoolVar(&options.RollOn, "continue-on-failure", false, "go on with the next phase when one fails")
		cmd.Flags().BoolVar(&options.Quiet, "skip-completion-notify", false, "do not write to the room when it is done")
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}
