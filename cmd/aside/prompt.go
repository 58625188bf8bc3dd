package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/platform"
)

func newPrompt() *cobra.Command {
	var (
		place      placeFlags
		room, text string
		asJSON     bool
	)
	cmd := &cobra.Command{
		Use:   "prompt",
		Short: "Show what the model would be asked if somebody wrote in a room now",
		Long: `Show what the model would be asked if the person who wrote last in a room wrote there
again: the system part (persona, actions, memory, summary), the history and the
message, with about how many tokens that is and whether older history is due to be
folded into the summary. Nothing is stored, and the model is not asked.

` + placeHelp,
		Example: `  aside prompt --room web/lobby
  aside prompt --room web/lobby --text "What did we decide?" --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := nothingElse(cmd, args); err != nil {
				return err
			}
			if name, id, ok := strings.Cut(room, "/"); !ok || name == "" || id == "" {
				return fmt.Errorf("--%w; see %s --help", operator.ErrRoom, cmd.CommandPath())
			}
			return nil
		},
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			c, err := place.load()
			if err != nil {
				return err
			}
			var p *operator.Prompt
			err = place.with(cmd.Context(), func(o operator.Operator) (err error) {
				if local, ok := o.(operator.Local); ok {
					if o, err = gathering(local, c, cmd.ErrOrStderr()); err != nil {
						return err
					}
				}
				p, err = o.Prompt(cmd.Context(), room, text)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(p)
			}
			return printText(cmd.OutOrStdout(), describePrompt(p, newPalette(cmd.OutOrStdout())))
		}),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&room, "room", "", "the `ROOM`, such as web/lobby (needed)")
	flags.StringVar(&text, "text", "", "the `TEXT` of the message")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	place.register(cmd)
	return cmd
}

// gathering is an operator that puts prompts together as a running Aside with the same
// configuration would.
func gathering(o operator.Local, c *config.Config, messages io.Writer) (operator.Local, error) {
	registry, err := newRegistry(workshop{elsewhere: elsewhere(c), longestDelay: c.Defer.MaxDelay})
	if err != nil {
		return o, err
	}
	log := slog.New(slog.NewTextHandler(messages, nil))
	o.Gatherer = newGatherer(c, o.Store, registry, log)
	o.Budget = c.History.Tokens
	return o, nil
}

// describePrompt is a prompt for a person.
func describePrompt(p *operator.Prompt, colours palette) string {
	var b strings.Builder
	section := func(name, text string) {
		b.WriteString("\n" + colours.strong(name) + "\n" + indent(visible(text), "  "))
	}
	due := "nothing is due to be folded"
	if p.Fold {
		due = "its older part is due to be folded into the summary"
	}
	fmt.Fprintf(&b, "%s in %s, for a message of %s\n", colours.strong("The next prompt"), visible(p.Room), clip(p.Author, 60))
	fmt.Fprintf(&b, "about %d tokens, %d of them history, which should be at most %d; %s\n", p.Tokens, p.History, p.Budget, due)
	section("System", p.System)
	last := len(p.Messages) - 1
	var said []string
	for _, m := range p.Messages[:max(last, 0)] {
		said = append(said, string(m.Role)+":\n"+indent(promptText(m), "  "))
	}
	if said == nil {
		said = []string{"(none)"}
	}
	section("History", strings.Join(said, ""))
	if last >= 0 {
		section("Message", promptText(p.Messages[last]))
	}
	return b.String()
}

func promptText(m operator.PromptMessage) string {
	text := m.Text
	if text == "" {
		text = "(empty; --text says what it would be)"
	}
	for _, image := range m.Images {
		text += fmt.Sprintf("\n[%s, %s]", image.Type, platform.SizeText(int64(image.Size)))
	}
	return text
}
