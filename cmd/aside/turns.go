package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
)

func newTurns() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "turns",
		Short: "Look into turns: what was asked, replied, done and delivered",
		Long: `Look into turns. A turn is one reply of the model and everything that follows from
it: the actions in it with their outcomes, and the posts with their receipts.

` + placeHelp,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTurnsList(), newTurnsShow())
	return cmd
}

func newTurnsList() *cobra.Command {
	var (
		place  placeFlags
		query  operator.Query
		since  = moment{now: time.Now}
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List turns, newest first",
		Long: `List turns, newest first.

` + placeHelp,
		Example: `  aside turns list
  aside turns list --room web/lobby --since 24h
  aside turns list --state waiting --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := nothingElse(cmd, args); err != nil {
				return err
			}
			if err := query.Check(); err != nil {
				return fmt.Errorf("--%w; see %s --help", err, cmd.CommandPath())
			}
			return nil
		},
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			query.Since = since.at
			var turns []*operator.Turn
			err := place.with(cmd.Context(), func(o operator.Operator) (err error) {
				turns, err = o.Turns(cmd.Context(), query)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				if turns == nil {
					turns = []*operator.Turn{}
				}
				return newPrinter(cmd.OutOrStdout()).print(map[string]any{"turns": turns})
			}
			return printText(cmd.OutOrStdout(), turnTable(turns))
		}),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&query.Room, "room", "", "only those of a `ROOM`, such as web/lobby")
	flags.StringVar(&query.State, "state", "", "only those in a `STATE`: "+strings.Join(operator.States(), ", "))
	flags.Var(&since, "since", "only those that began since then: a `TIME` such as 24h (ago) or 2026-03-01T12:00:00Z")
	flags.IntVar(&query.Limit, "limit", 20, fmt.Sprintf("how many at most, up to %d", operator.MostTurns))
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(operator.States(), cobra.ShellCompDirectiveNoFileComp)) // the flag is there
	return cmd
}

func turnTable(turns []*operator.Turn) string {
	if len(turns) == 0 {
		return "there are no such turns\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TURN\tBEGAN\tSTATE\tROOM\tACTIONS\tMESSAGE")
	for _, t := range turns {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", t.ID, when(t.Created), t.State, clip(t.Room, 40), actionCount(t.Actions), clip(t.Text, 50))
	}
	_ = w.Flush() // into memory
	return b.String()
}

// actionCount says how many actions came to what.
func actionCount(actions []operator.Action) string {
	counts := map[store.ActionState]int{}
	var order []store.ActionState
	for _, a := range actions {
		if counts[a.Outcome]++; counts[a.Outcome] == 1 {
			order = append(order, a.Outcome)
		}
	}
	var parts []string
	for _, state := range order {
		parts = append(parts, fmt.Sprintf("%d %s", counts[state], state))
	}
	if parts == nil {
		return "-"
	}
	return strings.Join(parts, ", ")
}

func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

func newTurnsShow() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "show TURN",
		Short: "Show everything about a turn",
		Long: `Show everything about a turn: the message, the reply as the model wrote it, what of it
was shown, every action with its outcome, and the receipts of its posts.

` + placeHelp,
		Example: `  aside turns show 42
  aside turns show 42 --json`,
		Args:              oneTurn,
		ValidArgsFunction: place.completeTurns,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			t, err := place.turn(cmd, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(t)
			}
			return printText(cmd.OutOrStdout(), describeTurn(t, newPalette(cmd.OutOrStdout())))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// oneTurn asks for the number of a turn.
func oneTurn(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one turn, as in %s 42; aside turns list shows them", cmd.CommandPath())
	}
	if n, err := strconv.ParseInt(args[0], 10, 64); err != nil || n < 1 {
		return fmt.Errorf("%q is not the number of a turn, which is a whole number from 1; aside turns list shows them", args[0])
	}
	return nil
}

// turn looks up a turn by the argument that oneTurn has checked.
func (f *placeFlags) turn(cmd *cobra.Command, number string) (t *operator.Turn, err error) {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return nil, err
	}
	err = f.with(cmd.Context(), func(o operator.Operator) error {
		t, err = o.Turn(cmd.Context(), id)
		return err
	})
	if errors.Is(err, operator.ErrNoSuchTurn) {
		return nil, fmt.Errorf("there is no turn %d; aside turns list shows those there are", id)
	}
	return t, err
}

// describeTurn is a turn for a person.
func describeTurn(t *operator.Turn, p palette) string {
	var b strings.Builder
	section := func(name, text string) {
		if text != "" {
			b.WriteString("\n" + p.strong(name) + "\n" + indent(visible(text), "  "))
		}
	}
	fmt.Fprintf(&b, "%s in %s: %s\n", p.strong(fmt.Sprintf("Turn %d", t.ID)), visible(t.Room), t.State)
	fmt.Fprintf(&b, "began %s, last changed %s, started by a %s of %s\n", when(t.Created), when(t.Updated), t.Flow, clip(t.Author, 60))
	if t.Joined != 0 {
		fmt.Fprintf(&b, "answered by turn %d, which was under way\n", t.Joined)
	}
	if t.Output != "" {
		fmt.Fprintf(&b, "output: %s (%s)\n", t.Output, visible(t.Why))
	}
	section("Message", t.Text)
	section("Reply", t.Reply)
	section("Shown", t.Shown)
	section("Held back", t.Held)
	section("Failure", t.Failure)
	section("Why there is no answer", t.Unanswered)
	if t.Silent {
		section("Silent", "The agent only listens there: what it says is shown to nobody.")
	}
	var lines []string
	for i, a := range t.Actions {
		line := fmt.Sprintf("%d. %s %s (%s): %s", i+1, a.Type, a.Args, a.Dialect, a.Outcome)
		if a.Summary != "" {
			line += ", " + a.Summary
		}
		if len(a.Data) > 0 {
			line += " " + string(a.Data)
		}
		lines = append(lines, line)
	}
	section("Actions", strings.Join(lines, "\n"))
	section("Problems", strings.Join(problemLines(t.Problems), "\n"))
	lines = nil
	for _, r := range t.Receipts {
		line := fmt.Sprintf("%s in %s: %s after %s", r.Key, r.Room, r.State, tries(r.Tries))
		if r.Reason != "" {
			line += ", " + r.Reason
		}
		lines = append(lines, line)
	}
	section("Posts", strings.Join(lines, "\n"))
	return b.String()
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}

func problemLines(raw json.RawMessage) []string {
	var problems []problemLine
	if json.Unmarshal(raw, &problems) != nil {
		return nil
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%s (%s): %s\n  %s", p.Kind, p.Dialect, p.Explanation, clip(p.Raw, 200)))
	}
	return lines
}

// A moment is the value of a flag that is a time, or how long ago it was.
type moment struct {
	text string
	at   time.Time
	now  func() time.Time
}

func (m *moment) String() string { return m.text }
func (m *moment) Type() string   { return "time" }

func (m *moment) Set(text string) error {
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		m.text, m.at = text, m.now().Add(-ago)
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return fmt.Errorf("%q is not a time, such as 24h (ago) or 2026-03-01T12:00:00Z", text)
	}
	m.text, m.at = text, at
	return nil
}
