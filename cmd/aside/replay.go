package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
)

func newReplay() *cobra.Command {
	var (
		place  placeFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "replay TURN",
		Short: "Read the reply of a turn again, and explain what it did",
		Long: `Read the stored reply of a turn again, with the dialects of the configuration, and
decide again about every instruction in it. Nothing is executed and nothing changed,
and the model is not asked. It shows the reply with its instructions marked, what
would be shown to people, and for each instruction what would happen now and what
happened then. What differs is pointed out.

` + placeHelp,
		Example: `  aside replay 42
  # with other dialects
  aside replay 42 --config other.yaml --data ./data`,
		Args:              oneTurn,
		ValidArgsFunction: place.completeTurns,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			c, err := place.load()
			if err != nil {
				return err
			}
			t, err := place.turn(cmd, args[0])
			if err != nil {
				return err
			}
			if t.Reply == "" {
				return fmt.Errorf("turn %d has no reply to read again: %s", t.ID, whyNoReply(t))
			}
			registry, err := newRegistry(workshop{})
			if err != nil {
				return err
			}
			stored, ledger := storedTurn(t)
			replay := turn.Again(cmd.Context(), readingOf(c)(t.Role), &turn.Decider{Registry: registry, Policy: policy(c)}, stored, ledger)
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(struct {
					Turn int64 `json:"turn"`
					turn.Replay
				}{t.ID, replay})
			}
			return printText(cmd.OutOrStdout(), describeReplay(t, replay, newPalette(cmd.OutOrStdout())))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

func whyNoReply(t *operator.Turn) string {
	switch {
	case t.State == store.Waiting:
		return "the model has not answered yet"
	case t.Failure != "":
		return visible(t.Failure)
	}
	return "Aside has answered by itself, without the model"
}

// storedTurn is a turn as the engine knows it.
func storedTurn(t *operator.Turn) (*store.Turn, []store.Action) {
	var ledger []store.Action
	for i, a := range t.Actions {
		ledger = append(ledger, store.Action{
			Turn: t.ID, Ordinal: i, Dialect: a.Dialect, Type: a.Type, Args: a.Args, State: a.Outcome, Summary: a.Summary, Data: a.Data,
		})
	}
	return &store.Turn{ID: t.ID, Reply: t.Reply, Failure: t.Failure, Problems: t.Problems}, ledger
}

// describeReplay is a replay for a person.
func describeReplay(t *operator.Turn, r turn.Replay, p palette) string {
	var b strings.Builder
	section := func(name, text string) {
		b.WriteString("\n" + p.strong(name) + "\n" + indent(text, "  "))
	}
	fmt.Fprintf(&b, "%s in %s: %s; nothing is executed\n", p.strong(fmt.Sprintf("Turn %d", t.ID)), visible(t.Room), t.State)
	section("Reply", markedReply(r.Parts, p))
	shown := visible(r.Shown)
	if shown == "" {
		shown = p.faint("nothing")
	}
	section("Shown, without what actions add", shown)
	if t.Failure != "" {
		section("The reply broke off", visible(t.Failure))
	}
	var lines []string
	for i, in := range r.Instructions {
		lines = append(lines, describeInstruction(i+1, in, p))
	}
	if lines == nil {
		lines = []string{p.faint("none")}
	}
	section("Instructions", strings.Join(lines, "\n"))
	lines = nil
	for _, d := range r.Differences {
		lines = append(lines, p.warn("! ")+visible(d))
	}
	if lines == nil {
		lines = []string{p.good("✓ ") + "it comes to the same as it did then"}
	}
	section("Differences", strings.Join(lines, "\n"))
	return b.String()
}

// markedReply is the reply with everything marked that is not for people: in colour,
// or between brackets.
func markedReply(parts []turn.Part, p palette) string {
	var b strings.Builder
	inside := false
	for _, part := range parts {
		if marked := part.Kind != "text"; !p.on && marked != inside {
			b.WriteString(map[bool]string{true: "⟦", false: "⟧"}[marked])
			inside = marked
		}
		code := ""
		switch part.Kind {
		case "text":
		case "problem":
			code = "31"
		case "action", "control":
			code = "36"
		default:
			code = "2"
		}
		b.WriteString(p.eachLine(code, visible(part.Text)))
	}
	if inside {
		b.WriteString("⟧")
	}
	return b.String()
}

func describeInstruction(n int, in turn.Instruction, p palette) string {
	what := fmt.Sprintf("%d. %s %s", n, in.Kind, visible(in.Name))
	if len(in.Args) > 0 {
		what += " " + visible(string(in.Args))
	}
	what += " (" + in.Dialect + ")"
	if in.Kind == "problem" {
		return what + "\n   " + clip(in.Raw, 200) + "\n   not used: " + visible(in.Now.Why)
	}
	what += "\n   now:  " + verdict(in.Now, p)
	if in.Kind == "action" {
		then := p.faint("not in the ledger")
		if in.Then != nil {
			then = verdict(*in.Then, p)
		}
		what += "\n   then: " + then
	}
	return what
}

func verdict(v turn.Verdict, p palette) string {
	text := visible(v.State)
	switch v.State {
	case turn.Runs:
		text = p.good("would be run")
	case string(store.Done):
		text = p.good(text)
	case string(store.Failed), string(store.Refused), string(store.Unknown):
		text = p.bad(text)
	}
	if v.Why != "" {
		text += ": " + visible(v.Why)
	}
	return text
}
