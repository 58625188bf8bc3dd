package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
	"github.com/asidehq/aside/platform/slack"
	"github.com/asidehq/aside/platform/telegram"
	"github.com/asidehq/aside/platform/web"
)

// receive runs platforms until the context ends, or until one cannot go on: that is for a
// person to mend, and is called with quit. Of several processes on one database one is
// connected to a platform, and the others stand by; each has a web page of its own.
func receive(ctx context.Context, all []platform.Platform, in platform.Inbox, jobs *queue.Queue, quit func()) func() error {
	var running sync.WaitGroup
	failures := make(chan error, len(all))
	for _, p := range all {
		running.Go(func() {
			run := func() error {
				return jobs.InSeat(ctx, p.Name(), func(ctx context.Context, mine func(context.Context) error) error {
					return p.Run(ctx, seated{in, mine})
				})
			}
			if _, own := p.(*web.Web); own {
				run = func() error { return p.Run(ctx, in) }
			}
			if err := run(); err != nil {
				failures <- fmt.Errorf("%s: %w", p.Name(), err)
				quit()
			}
		})
	}
	return func() error {
		running.Wait()
		select {
		case err := <-failures:
			return err
		default:
			return nil
		}
	}
}

// A seated inbox takes what a platform delivers only as long as this process is the one
// that is to be connected: one that was thought dead, and lives, would store a second time
// what has no id of its own.
type seated struct {
	platform.Inbox
	mine func(context.Context) error
}

// Receive implements platform.Inbox.
func (s seated) Receive(ctx context.Context, m platform.Message) error {
	if err := s.mine(ctx); err != nil {
		return err
	}
	return s.Inbox.Receive(ctx, m)
}

// TurnedAway implements platform.Doorkeeper, where the inbox is one.
func (s seated) TurnedAway(ctx context.Context, m platform.Message) (string, error) {
	keeper, ok := s.Inbox.(platform.Doorkeeper)
	if !ok {
		return "", nil
	}
	return keeper.TurnedAway(ctx, m)
}

// ThreadEvent implements platform.Watcher, where the inbox is one.
func (s seated) ThreadEvent(e platform.ThreadEvent) {
	if watcher, ok := s.Inbox.(platform.Watcher); ok {
		watcher.ThreadEvent(e)
	}
}

// knownPlatforms are all adapters there are, to be asked what they can do.
func knownPlatforms() map[string]platform.Platform {
	return map[string]platform.Platform{
		"web": (*web.Web)(nil), "discord": (*discord.Discord)(nil), "telegram": (*telegram.Telegram)(nil), "slack": (*slack.Slack)(nil),
	}
}

func newPlatformsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "platforms",
		Short:   "List the platforms and what each can do",
		Example: `  aside platforms`,
		Args:    nothingElse,
		RunE: failing(func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return newPrinter(cmd.OutOrStdout()).print(abilitiesOf(knownPlatforms()))
			}
			return printText(cmd.OutOrStdout(), platformTable(knownPlatforms()))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func abilitiesOf(all map[string]platform.Platform) map[string][]string {
	can := map[string][]string{}
	for name, p := range all {
		can[name] = []string{}
		for _, a := range platform.Abilities() {
			if a.Has(p) {
				can[name] = append(can[name], a.Name)
			}
		}
	}
	return can
}

func platformTable(all map[string]platform.Platform) string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ABILITY\t"+strings.ToUpper(strings.Join(names, "\t")))
	for _, a := range platform.Abilities() {
		row := []string{a.Name}
		for _, name := range names {
			has := "–"
			if a.Has(all[name]) {
				has = "yes"
			}
			row = append(row, has)
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // into memory
	return b.String()
}
