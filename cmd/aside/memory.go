package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
)

func newMemoryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "See what is kept about people, and why the model is told it",
		Long: `See what is kept about people. Facts belong to one person, and no other person is ever
told. People see their own with /memory, delete with /forget, and get all of it with
/memory export.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newFacts(factsCommand{
			use: "list", short: "List what is kept, the latest first", example: "  aside memory list\n  aside memory list --person telegram/1234 --json",
			table: factTable,
		}),
		newFacts(factsCommand{
			use: "search WORDS", short: "Find what is kept by its words", example: "  aside memory search green tea",
			ask: func(q *operator.FactQuery, words string) { q.Words = words }, table: factTable,
		}),
		newFacts(factsCommand{
			use: "why MESSAGE", short: "Say what the model would be told for a message, and why",
			example: "  aside memory why --person telegram/1234 \"which tea shall I buy?\"",
			ask:     func(q *operator.FactQuery, message string) { q.About = message }, table: whyTable,
		}),
		newEpisodes())
	return cmd
}

func newEpisodes() *cobra.Command {
	var (
		place  placeFlags
		query  operator.EpisodeQuery
		asJSON bool
	)
	cmd := &cobra.Command{
		Use: "episodes [WORDS]", Short: "List conversations that have ended, or find them by their words",
		Long:              "List conversations that have ended, the latest first, or find them by words that were\nsaid, the best first.\n\n" + placeHelp,
		Example:           "  aside memory episodes\n  aside memory episodes --person telegram/1234 night train",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			query.Words = strings.Join(args, " ")
			var all []operator.Episode
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				all, err = o.Episodes(cmd.Context(), query)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"episodes": all})
			}
			return printText(cmd.OutOrStdout(), episodeTable(all))
		}),
	}
	cmd.Flags().StringVar(&query.Person, "person", "", "in which somebody took part, as `PLATFORM/ID`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func episodeTable(all []operator.Episode) string {
	if len(all) == 0 {
		return "no conversation is kept that fits\n"
	}
	return table("SINCE\tROOM\tMESSAGES\tABOUT", len(all), func(i int) string {
		e := all[i]
		about := clip(e.Title, 80)
		if len(e.Lines) > 0 {
			about = clip(e.Lines[0], 80)
		}
		return fmt.Sprintf("%s\t%s\t%d\t%s", when(e.Began), clip(e.Room, 40), e.Messages, about)
	})
}

// A factsCommand shows facts.
type factsCommand struct {
	use, short, example string
	ask                 func(q *operator.FactQuery, argument string) // nil has no argument
	table               func([]operator.Fact) string
}

func newFacts(c factsCommand) *cobra.Command {
	var (
		place  placeFlags
		query  operator.FactQuery
		asJSON bool
	)
	cmd := &cobra.Command{
		Use: c.use, Short: c.short, Long: c.short + ".\n\n" + placeHelp, Example: c.example,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case c.ask == nil:
				return nothingElse(cmd, args)
			case strings.TrimSpace(strings.Join(args, " ")) == "":
				return fmt.Errorf("say what, as in%s", strings.TrimPrefix(c.example, " "))
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			if c.ask != nil {
				c.ask(&query, strings.Join(args, " "))
			}
			var all []operator.Fact
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				all, err = o.Facts(cmd.Context(), query)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"memory": all})
			}
			return printText(cmd.OutOrStdout(), c.table(all))
		}),
	}
	cmd.Flags().StringVar(&query.Person, "person", "", "whose, as `PLATFORM/ID`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func factTable(all []operator.Fact) string {
	if len(all) == 0 {
		return "nothing is kept\n"
	}
	return table("PERSON\tKIND\tUSED\tSINCE\tFACT", len(all), func(i int) string {
		f := all[i]
		text := clip(f.Text, 80)
		if !f.Active {
			text += " (made room)"
		}
		return fmt.Sprintf("%s\t%s\t%d\t%s\t%s", clip(f.Person, 40), f.Kind, f.Used, when(f.Created), text)
	})
}

func whyTable(all []operator.Fact) string {
	if len(all) == 0 {
		return "nothing is kept about that person\n"
	}
	return table("TOLD\tSCORE\tBECAUSE\tFACT", len(all), func(i int) string {
		told := "no"
		if all[i].Chosen {
			told = "yes"
		}
		return fmt.Sprintf("%s\t%.2f\t%s\t%s", told, all[i].Score, clip(all[i].Because, 60), clip(all[i].Text, 80))
	})
}

// table is rows under a head.
func table(head string, rows int, row func(int) string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	for i := range rows {
		fmt.Fprintln(w, row(i))
	}
	_ = w.Flush() // into memory
	return b.String()
}
