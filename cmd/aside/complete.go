package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
)

// completing is how long a shell waits for proposals.
const completing = 2 * time.Second

// completeTurns proposes the last turns. Whatever goes wrong, nothing is proposed: a
// shell is no place for messages.
func (f *placeFlags) completeTurns(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	if len(args) == 0 {
		f.propose(func(ctx context.Context, o operator.Operator) error {
			turns, err := o.Turns(ctx, operator.Query{Limit: 50})
			for _, t := range turns {
				found = append(found, cobra.CompletionWithDesc(fmt.Sprint(t.ID), clip(t.Room+": "+t.Text, 60)))
			}
			return err
		})
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeLetters proposes the dead letters that are not named yet.
func (f *placeFlags) completeLetters(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	f.propose(func(ctx context.Context, o operator.Operator) error {
		letters, err := o.Dead(ctx)
		for _, l := range letters {
			if !slices.Contains(args, l.Key) {
				found = append(found, cobra.CompletionWithDesc(l.Key, clip(l.Room+": "+l.Text, 60)))
			}
		}
		return err
	})
	return found, cobra.ShellCompDirectiveNoFileComp
}

func (f *placeFlags) propose(ask func(context.Context, operator.Operator) error) {
	ctx, cancel := context.WithTimeout(context.Background(), completing)
	defer cancel()
	if err := f.with(ctx, func(o operator.Operator) error { return ask(ctx, o) }); err != nil {
		cobra.CompDebugln(err.Error(), false)
	}
}
