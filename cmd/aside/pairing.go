package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
)

func newPairing() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pairing",
		Short: "Let people in who have asked, and see who was let in",
		Long: `Let people in. On a platform with access: pairing, somebody who is not in allow_users
and writes to the agent gets a code, which is good for an hour. Who approves that code
lets them in, until it is revoked.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPairingList(),
		newPairingChange(pairingChange{
			name: "approve", argument: "CODE", example: "K7QM2XWP", short: "Let the person in who has a code",
			do: operator.Operator.Approve, said: "was let in, and is told so", later: "was let in, and is told so while Aside runs",
		}),
		newPairingChange(pairingChange{
			name: "deny", argument: "CODE", example: "K7QM2XWP", short: "Do not let the person in who has a code",
			do: operator.Operator.Deny, said: "is not let in", later: "is not let in",
		}),
		newPairingChange(pairingChange{
			name: "revoke", argument: "PERSON", example: "telegram/1234", short: "Take back that somebody was let in",
			do: func(o operator.Operator, ctx context.Context, person string) (operator.Pairing, error) {
				return operator.Pairing{Person: person}, o.Revoke(ctx, person)
			},
			said: "is no longer let in", later: "is no longer let in",
		}))
	return cmd
}

func newPairingList() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List who waits to be let in, and who was",
		Long: `List who waits to be let in, and who was. The name is what people call themselves;
who somebody really is, the platform's id says.

` + placeHelp,
		Example: `  aside pairing list
  aside pairing list --json`,
		Args: nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			var all []operator.Pairing
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				all, err = o.Pairings(cmd.Context())
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"pairing": all})
			}
			return printText(cmd.OutOrStdout(), pairingTable(all))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func pairingTable(all []operator.Pairing) string {
	if len(all) == 0 {
		return "nobody waits to be let in, and nobody was\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STATE\tCODE\tPERSON\tSINCE\tNAME")
	for _, p := range all {
		code := "-"
		if p.State == store.PairingPending {
			code = p.Code
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.State, code, clip(p.Person, 60), when(p.Since), clip(p.Name, 40))
	}
	_ = w.Flush() // into memory
	return b.String()
}

// A pairingChange is a command that does something about a person.
type pairingChange struct {
	name, argument, example, short string
	do                             func(operator.Operator, context.Context, string) (operator.Pairing, error)
	said                           string // what became of them, by a running Aside
	later                          string // the same where none was asked
}

func newPairingChange(change pairingChange) *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:     change.name + " " + change.argument,
		Short:   change.short,
		Long:    change.short + ".\n\n" + placeHelp,
		Example: fmt.Sprintf("  aside pairing %s %s", change.name, change.example),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one %s, as in %s %s; aside pairing list shows them", strings.ToLower(change.argument), cmd.CommandPath(), change.example)
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			var p operator.Pairing
			said := change.later
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				if _, running := o.(operator.Remote); running {
					said = change.said
				}
				p, err = change.do(o, cmd.Context(), args[0])
				return err
			})
			switch {
			case errors.Is(err, operator.ErrNoSuchCode):
				return fmt.Errorf("nobody waits with the code %q, or no longer; aside pairing list shows who does", args[0])
			case errors.Is(err, operator.ErrNoSuchPerson):
				return fmt.Errorf("%q was not let in; aside pairing list shows who was", args[0])
			case err != nil:
				return err
			case asJSON:
				return newPrinter(cmd.OutOrStdout()).print(p)
			}
			who := clip(p.Person, 60)
			if p.Name != "" {
				who += " (" + clip(p.Name, 40) + ")"
			}
			return printText(cmd.OutOrStdout(), who+" "+said+"\n")
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}
