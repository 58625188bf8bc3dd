package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
)

func newDead() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dead",
		Short: "Look after dead letters: answers that were not delivered",
		Long: `Look after dead letters: answers that a platform has refused, or of which nobody can
tell whether they arrived (dead), or that could not be delivered for so long that they
are not sent without asking (late).

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDeadList(), newDeadShow(),
		newDeadChange(deadChange{
			name: "resend", short: "Send dead letters again, as if they were new",
			do: operator.Operator.Resend, said: "is queued again",
			later: "is queued again, and is sent while Aside runs",
		}),
		newDeadChange(deadChange{
			name: "drop", short: "Give dead letters up: they are listed no longer and never sent",
			do: operator.Operator.Drop, said: "is dropped", later: "is dropped",
		}))
	return cmd
}

// letters are the dead letters.
func (f *placeFlags) letters(ctx context.Context) (letters []operator.Letter, err error) {
	err = f.with(ctx, func(o operator.Operator) error {
		letters, err = o.Dead(ctx)
		return err
	})
	return letters, err
}

func newDeadList() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List dead letters, oldest first",
		Long: `List dead letters, oldest first.

` + placeHelp,
		Example: `  aside dead list
  aside dead list --json`,
		Args: nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			letters, err := place.letters(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"dead": letters})
			}
			return printText(cmd.OutOrStdout(), letterTable(letters))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func letterTable(letters []operator.Letter) string {
	if len(letters) == 0 {
		return "there are no dead letters\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tWRITTEN\tSTATE\tROOM\tREASON\tTEXT")
	for _, l := range letters {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", visible(l.Key), when(l.At), l.State, clip(l.Room, 40), clip(l.Reason, 50), clip(l.Text, 40))
	}
	_ = w.Flush() // into memory
	return b.String()
}

func newDeadShow() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "show KEY",
		Short: "Show a dead letter and why it was not delivered",
		Long: `Show a dead letter and why it was not delivered.

` + placeHelp,
		Example: `  aside dead show turn-42-post-0`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one key, as in %s turn-42-post-0; aside dead list shows them", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: place.completeLetters,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			letters, err := place.letters(cmd.Context())
			if err != nil {
				return err
			}
			i := slices.IndexFunc(letters, func(l operator.Letter) bool { return l.Key == args[0] })
			if i < 0 {
				return noSuchLetter(args[0])
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(letters[i])
			}
			return printText(cmd.OutOrStdout(), describeLetter(letters[i], newPalette(cmd.OutOrStdout())))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func describeLetter(l operator.Letter, p palette) string {
	reason := ""
	if l.Reason != "" {
		reason = ": " + visible(l.Reason)
	}
	return fmt.Sprintf("%s for %s, of turn %d, written %s\n%s%s\n\n%s", p.strong(visible(l.Key)), visible(l.Room), l.Turn, when(l.At),
		l.State, reason, indent(visible(l.Text), "  "))
}

func noSuchLetter(key string) error {
	return fmt.Errorf("there is no dead letter %q; aside dead list shows those there are", key)
}

// A deadChange is a command that does something to dead letters.
type deadChange struct {
	name, short string
	do          func(operator.Operator, context.Context, string) error
	said        string // what became of a letter, by a running Aside
	later       string // the same where none was asked
}

func newDeadChange(change deadChange) *cobra.Command {
	var (
		place  placeFlags
		all    bool
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   change.name + " KEY...",
		Short: change.short,
		Long:  change.short + ".\n\n" + placeHelp,
		Example: fmt.Sprintf(`  aside dead %s turn-42-post-0
  aside dead %[1]s --all`, change.name),
		Args: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 0) != all {
				return fmt.Errorf("name the keys, as in %s turn-42-post-0, or say --all; aside dead list shows them", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: place.completeLetters,
		RunE: failing(func(cmd *cobra.Command, keys []string) error {
			done, said := []string{}, change.later
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				if _, running := o.(operator.Remote); running {
					said = change.said
				}
				if all {
					if keys, err = allKeys(cmd.Context(), o); err != nil {
						return err
					}
				}
				done, err = change.each(cmd.Context(), o, keys)
				return err
			})
			// What was done was done, also if another one could not be.
			return errors.Join(printDone(cmd, done, said, asJSON), err)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "all there are")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func allKeys(ctx context.Context, o operator.Operator) ([]string, error) {
	letters, err := o.Dead(ctx)
	var keys []string
	for _, l := range letters {
		keys = append(keys, l.Key)
	}
	return keys, err
}

// each changes one letter after the other, up to the first that cannot be.
func (change deadChange) each(ctx context.Context, o operator.Operator, keys []string) (done []string, err error) {
	done = []string{}
	for _, key := range keys {
		err := change.do(o, ctx, key)
		if errors.Is(err, operator.ErrNoSuchLetter) {
			return done, noSuchLetter(key)
		}
		if err != nil {
			return done, fmt.Errorf("%s: %w", key, err)
		}
		done = append(done, key)
	}
	return done, nil
}

func printDone(cmd *cobra.Command, done []string, said string, asJSON bool) error {
	if asJSON {
		return newPrinter(cmd.OutOrStdout()).print(map[string]any{"done": done})
	}
	var b strings.Builder
	for _, key := range done {
		fmt.Fprintf(&b, "%s %s\n", visible(key), said)
	}
	return printText(cmd.OutOrStdout(), b.String())
}
