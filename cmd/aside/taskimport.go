package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/task"
)

func newTaskImport() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Add tasks from a file of JSON Lines, such as DiscoClaw's",
		Long: `Add tasks from a file with a JSON object in each line, such as DiscoClaw's: id, title,
description, status, priority, labels, owner, external_ref, comments, created_at,
updated_at, closed_at, close_reason. Only the title is needed. - is standard input.

An id is kept where it is free. What was imported before is left as it is, so the same
file can be imported again. A line that cannot be read is reported, and the others are
imported; then the command fails.

` + placeHelp,
		Example: `  aside task import tasks.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one file, as in %s tasks.jsonl", cmd.CommandPath())
			}
			return nil
		},
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var from io.Reader = cmd.InOrStdin()
			if args[0] != "-" {
				file, err := os.Open(args[0])
				if err != nil {
					return fmt.Errorf("cannot read the tasks: %w", err)
				}
				defer file.Close()
				from = file
			}
			var report task.Report
			err := place.withBoard(cmd.Context(), func(o operator.Operator) (err error) {
				report, err = o.ImportTasks(cmd.Context(), from)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = newPrinter(cmd.OutOrStdout()).print(report)
			} else {
				err = printText(cmd.OutOrStdout(), describeImport(report))
			}
			if err == nil && len(report.Refused) > 0 {
				err = fmt.Errorf("%d lines were not imported; mend them and import the file again", len(report.Refused))
			}
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func describeImport(r task.Report) string {
	var b strings.Builder
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "line %d: %s\n", n.Line, visible(n.Why))
	}
	for _, n := range r.Refused {
		fmt.Fprintf(&b, "line %d was not imported: %s\n", n.Line, visible(n.Why))
	}
	fmt.Fprintf(&b, "%d added, %d unchanged, %d refused\n", r.Added, r.Unchanged, len(r.Refused))
	return b.String()
}
