package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/operator"
)

func newTask() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "task",
		Short: "Look after the board: what is to be done",
		Long: `Look after the board: what is to be done. The agent keeps the same tasks, for everyone
who may talk to it. A task is named by its id, such as ws-001, or by its number.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTaskList(), newTaskShow(), newTaskAdd(), newTaskClose(), newTaskImport())
	return cmd
}

func newTaskList() *cobra.Command {
	var (
		place  placeFlags
		q      tasks.Query
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tasks that are not closed, the most urgent first",
		Long: `List the tasks that are not closed, the most urgent first, and of those the oldest.

` + placeHelp,
		Example: `  aside task list
  aside task list --status all --label ops --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := nothingElse(cmd, args); err != nil {
				return err
			}
			if err := operator.CheckTasks(q); err != nil {
				return fmt.Errorf("--%w; see %s --help", err, cmd.CommandPath())
			}
			return nil
		},
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			var page operator.TaskPage
			err := place.withBoard(cmd.Context(), func(o operator.Operator) (err error) {
				page, err = o.ListTasks(cmd.Context(), q)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(page)
			}
			return printText(cmd.OutOrStdout(), taskTable(page))
		}),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&q.Status, "status", "", "only those of this `STATUS`: open, in_progress, blocked or closed; or all (default what is not closed)")
	flags.StringVar(&q.Label, "label", "", "only those with this `LABEL`")
	flags.IntVar(&q.Limit, "limit", 100, "at most `N`")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(append(tasks.Statuses(), tasks.All), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func taskTable(page operator.TaskPage) string {
	if page.Total == 0 {
		return "there are no such tasks\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tPRIORITY\tSTATUS\tTITLE\tLABELS\tBY")
	for _, t := range page.Tasks {
		labels := clip(strings.Join(t.Labels, ", "), 40)
		if labels == "" {
			labels = "-"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", t.ID, t.Priority, t.Status, clip(t.Title, 60), labels, clip(t.By, 30))
	}
	_ = w.Flush() // into memory
	if more := page.Total - len(page.Tasks); more > 0 {
		fmt.Fprintf(&b, "and %d more; --limit shows them\n", more)
	}
	return b.String()
}

func newTaskShow() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:               "show TASK",
		Short:             "Show everything about a task",
		Long:              "Show everything about a task, and who has changed what.\n\n" + placeHelp,
		Example:           `  aside task show ws-001`,
		Args:              oneTask,
		ValidArgsFunction: place.completeTasks,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var t tasks.Task
			err := place.withBoard(cmd.Context(), func(o operator.Operator) (err error) {
				t, err = o.Task(cmd.Context(), args[0])
				return err
			})
			if err != nil {
				return noSuchTask(args[0], err)
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(t)
			}
			return printText(cmd.OutOrStdout(), describeTask(t, newPalette(cmd.OutOrStdout())))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func oneTask(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one task, as in %s ws-001; aside task list shows them", cmd.CommandPath())
	}
	return nil
}

func noSuchTask(id string, err error) error {
	if errors.Is(err, tasks.ErrNoTask) {
		return fmt.Errorf("there is no task %q; aside task list --status all shows those there are", id)
	}
	return err
}

func describeTask(t tasks.Task, p palette) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n%s, priority %d, made %s by %s\n", p.strong(t.ID), visible(t.Title), t.Status, t.Priority, when(t.Created), clip(t.By, 60))
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, visible(text))
		}
	}
	line("labels", strings.Join(t.Labels, ", "))
	line("room", t.Room)
	line("thread", t.Thread)
	line("elsewhere", t.External)
	if t.Closed != nil {
		fmt.Fprintf(&b, "closed %s\n", when(*t.Closed))
	}
	line("reason", t.Reason)
	if t.Description != "" {
		b.WriteString("\n" + indent(visible(t.Description), "  "))
	}
	b.WriteString("\n" + p.strong("History") + "\n")
	for _, e := range t.History {
		fmt.Fprintf(&b, "  %s  %s: %s\n", when(e.At), clip(e.By, 30), clip(e.What, 200))
	}
	return b.String()
}

func newTaskAdd() *cobra.Command {
	var (
		place       placeFlags
		description string
		priority    int
		labels      []string
		asJSON      bool
	)
	cmd := &cobra.Command{
		Use:   "add TITLE",
		Short: "Put a task on the board",
		Long:  "Put a task on the board.\n\n" + placeHelp,
		Example: `  aside task add "Renew the certificate"
  aside task add "Renew the certificate" --description "It ends on Friday." --priority 1 --label ops`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("give one title, in quotes, as in %s \"Renew the certificate\"", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var t tasks.Task
			err := place.withBoard(cmd.Context(), func(o operator.Operator) (err error) {
				t, err = o.AddTask(cmd.Context(), operator.TaskFields{Title: &args[0], Description: &description, Priority: &priority, Labels: &labels})
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(t)
			}
			return printText(cmd.OutOrStdout(), fmt.Sprintf("%s is on the board: %s\n", t.ID, visible(t.Title)))
		}),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&description, "description", "", "what one has to know to do it, as `TEXT`")
	flags.IntVar(&priority, "priority", 2, "from 0, the most urgent, to 4")
	flags.StringSliceVar(&labels, "label", nil, "a `LABEL`; can be given again")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func newTaskClose() *cobra.Command {
	var (
		place  placeFlags
		reason string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:               "close TASK",
		Short:             "Close a task that is done or given up",
		Long:              "Close a task that is done or given up. It stays on the board.\n\n" + placeHelp,
		Example:           `  aside task close ws-001 --reason "The new certificate is in place."`,
		Args:              oneTask,
		ValidArgsFunction: place.completeTasks,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var c operator.TaskChange
			err := place.withBoard(cmd.Context(), func(o operator.Operator) (err error) {
				c, err = o.CloseTask(cmd.Context(), args[0], reason)
				return err
			})
			switch {
			case err != nil:
				return noSuchTask(args[0], err)
			case asJSON:
				return newPrinter(cmd.OutOrStdout()).print(c)
			case len(c.Changed) == 0:
				return printText(cmd.OutOrStdout(), c.Task.ID+" is closed already; nothing was changed\n")
			}
			return printText(cmd.OutOrStdout(), fmt.Sprintf("%s is closed: %s\n", c.Task.ID, visible(c.Task.Title)))
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "how it ended, as `TEXT`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// completeTasks proposes the tasks that are not closed.
func (f *placeFlags) completeTasks(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	if len(args) == 0 {
		ctx, cancel := context.WithTimeout(context.Background(), completing)
		defer cancel()
		err := f.withBoard(ctx, func(o operator.Operator) error {
			page, err := o.ListTasks(ctx, tasks.Query{Limit: 50})
			for _, t := range page.Tasks {
				found = append(found, cobra.CompletionWithDesc(t.ID, clip(t.Title, 60)))
			}
			return err
		})
		if err != nil {
			cobra.CompDebugln(err.Error(), false)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
