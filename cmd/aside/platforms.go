package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
	"github.com/asidehq/aside/platform/telegram"
	"github.com/asidehq/aside/platform/web"
)

// newPlatforms are the platforms that are configured besides the web page.
func newPlatforms(c *config.Config, s *store.Store, log *slog.Logger) ([]platform.Platform, error) {
	for _, name := range c.Platforms.Names() {
		if _, ok := knownPlatforms()[name]; !ok {
			return nil, fmt.Errorf("platforms.%s: this version cannot connect there yet; take it out", name)
		}
	}
	var all []platform.Platform
	if d := c.Platforms.Discord; d != nil {
		p, err := discord.New(discord.Options{
			Token: d.Token.Reveal(), APIURL: d.APIURL.Reveal(), GatewayURL: d.GatewayURL.Reveal(),
			AllowUsers: d.AllowUsers, Rooms: d.Rooms, FileSize: int64(c.Files.MaxSize),
			Bookmark: store.Bookmark{Store: s, Name: "discord"}, Logger: log.With("platform", "discord"), Now: time.Now, Wait: wait,
		})
		if err != nil {
			return nil, fmt.Errorf("platforms.discord: %w", err)
		}
		all = append(all, p)
	}
	if d := c.Platforms.Telegram; d != nil {
		p, err := telegram.New(telegram.Options{
			Token: d.Token.Reveal(), APIURL: d.APIURL.Reveal(), WebhookURL: d.WebhookURL.Reveal(), WebhookSecret: d.WebhookSecret.Reveal(),
			FileSize: int64(c.Files.MaxSize), Bookmark: store.Bookmark{Store: s, Name: "telegram"}, Find: finder(s),
			Logger: log.With("platform", "telegram"), Now: time.Now, Wait: wait,
		})
		if err != nil {
			return nil, fmt.Errorf("platforms.telegram: %w", err)
		}
		all = append(all, p)
	}
	return all, nil
}

// allowed tells whether a message is in a room that the configuration allows. A list that
// is empty allows every room, and a thread is in the room that it belongs to. Who may write
// there is access.go's.
func allowed(c *config.Config, m platform.Message) bool {
	listed := c.Platforms.Rooms(m.Room.Platform)
	return len(listed) == 0 || m.Direct || slices.Contains(listed, m.Room.ID) || m.Parent != "" && slices.Contains(listed, m.Parent)
}

// modeOf is what is answered in the room of a message.
func modeOf(c *config.Config, m platform.Message) config.Mode { return c.Groups.ModeOf(rooms(m)...) }

// finder looks up in the store what Telegram does not tell of a message.
func finder(s *store.Store) func(context.Context, string, string) (*telegram.Found, error) {
	return func(ctx context.Context, chat, message string) (*telegram.Found, error) {
		m, own, err := s.Standing(ctx, platform.Room{Platform: "telegram", ID: chat}, message)
		if m == nil || err != nil {
			return nil, err
		}
		return &telegram.Found{Message: *m, Own: own}, nil
	}
}

// hooks are the routes to which platforms have something brought. They look after
// themselves: whoever brings something presents a secret.
func hooks(all []platform.Platform) map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{}
	for _, p := range all {
		if t, ok := p.(*telegram.Telegram); ok {
			routes["/hooks/telegram"] = t.Handler().ServeHTTP
		}
	}
	return routes
}

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

// knownPlatforms are all adapters there are, to be asked what they can do.
func knownPlatforms() map[string]platform.Platform {
	return map[string]platform.Platform{"web": (*web.Web)(nil), "discord": (*discord.Discord)(nil), "telegram": (*telegram.Telegram)(nil)}
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
