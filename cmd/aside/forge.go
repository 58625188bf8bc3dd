package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/internal/operator"
)

func newForge() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forge",
		Short: "Have a plan drafted, audited and revised",
		Long: `Have a plan drafted by one model, audited by another and revised until nothing blocks
it. There is one forge at a time. It goes on while Aside runs, and after a restart where
it was.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newForgeStart(), newForgeStatus(), newForgeResume(), newForgeCancel())
	return cmd
}

func newForgeStart() *cobra.Command {
	var wanted operator.ForgeWanted
	var asks forgeCommand
	cmd := &cobra.Command{
		Use:   "start DESCRIPTION",
		Short: "Make a plan of a description, and begin to forge it",
		Long: `Make a plan of a description, and begin to forge it. A post in the room shows how far it
is; without --room that is the room forge of the web chat.

` + placeHelp,
		Example: `  aside forge start "Add a cache to the reader"
  aside forge start "Add a cache to the reader" --context "It has to work offline." --room discord/1234`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return fmt.Errorf("give one description, in quotes, as in %s \"Add a cache to the reader\"", cmd.CommandPath())
			}
			wanted.Description = args[0]
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&wanted.Context, "context", "", "what the drafter has to know besides, as `TEXT`")
	flags.StringVar(&wanted.Room, "room", "", "the `PLATFORM/ROOM` that shows how far it is (default web/forge)")
	return asks.with(cmd, func(ctx context.Context, o operator.Operator, _ []string) (forges.Forge, error) {
		return o.StartForge(ctx, wanted)
	})
}

func newForgeStatus() *cobra.Command {
	var asks forgeCommand
	return asks.with(&cobra.Command{
		Use:     "status",
		Short:   "Show how far the forge is, or what the last one came to",
		Long:    "Show how far the forge is, or what the last one came to.\n\n" + placeHelp,
		Example: `  aside forge status`,
		Args:    nothingElse,
	}, func(ctx context.Context, o operator.Operator, _ []string) (forges.Forge, error) { return o.Forge(ctx) })
}

func newForgeResume() *cobra.Command {
	var asks forgeCommand
	return asks.with(&cobra.Command{
		Use:     "resume PLAN",
		Short:   "Go on forging a plan, beginning with an audit",
		Long:    "Go on forging a plan that is a draft or in review, beginning with an audit of\nwhat it says now.\n\n" + placeHelp,
		Example: `  aside forge resume plan-001`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one plan, as in %s plan-001; aside plan list shows them", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}, func(ctx context.Context, o operator.Operator, args []string) (forges.Forge, error) {
		return o.ResumeForge(ctx, args[0])
	})
}

func newForgeCancel() *cobra.Command {
	var asks forgeCommand
	return asks.with(&cobra.Command{
		Use:     "cancel",
		Short:   "End the forge that is running",
		Long:    "End the forge that is running. The plan stays a draft with what there is.\n\n" + placeHelp,
		Example: `  aside forge cancel`,
		Args:    nothingElse,
	}, func(ctx context.Context, o operator.Operator, _ []string) (forges.Forge, error) {
		return o.CancelForge(ctx)
	})
}

// A forgeCommand asks for something about a forge and prints what it is then.
type forgeCommand struct {
	place  placeFlags
	asJSON bool
}

func (f *forgeCommand) with(cmd *cobra.Command, do func(context.Context, operator.Operator, []string) (forges.Forge, error)) *cobra.Command {
	cmd.RunE = failing(func(cmd *cobra.Command, args []string) error {
		var now forges.Forge
		err := f.place.with(cmd.Context(), func(o operator.Operator) (err error) {
			now, err = do(cmd.Context(), o, args)
			return err
		})
		switch {
		case errors.Is(err, forges.ErrNone):
			return errors.New("nothing was forged yet; aside forge start begins")
		case err != nil:
			return err
		case f.asJSON:
			return newPrinter(cmd.OutOrStdout()).print(now)
		}
		return printText(cmd.OutOrStdout(), describeForge(now))
	})
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	f.place.register(cmd)
	return cmd
}

func describeForge(f forges.Forge) string {
	var b strings.Builder
	b.WriteString(visible(f.Text) + "\n")
	for _, a := range f.Audits {
		fmt.Fprintf(&b, "audit %d: %s\n", a.Number, clip(a.Summary, 200))
		for _, c := range a.Concerns {
			severity := c.Severity
			if severity == "" {
				severity = "concern"
			}
			fmt.Fprintf(&b, "  %s: %s\n", severity, clip(c.Text, 200))
		}
	}
	return b.String()
}
