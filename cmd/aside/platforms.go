package main

import (
	"cmp"
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
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
	"github.com/asidehq/aside/platform/slack"
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
	if c.Platforms.Slack != nil {
		p, err := newSlack(c, s, log)
		if err != nil {
			return nil, fmt.Errorf("platforms.slack: %w", err)
		}
		all = append(all, p)
	}
	return all, nil
}

func newSlack(c *config.Config, s *store.Store, log *slog.Logger) (*slack.Slack, error) {
	o := c.Platforms.Slack
	return slack.New(slack.Options{
		BotToken: o.BotToken.Reveal(), AppToken: o.AppToken.Reveal(), SigningSecret: o.SigningSecret.Reveal(), APIURL: o.APIURL.Reveal(),
		Rooms: o.Rooms, FileSize: int64(c.Files.MaxSize), Bookmark: store.Bookmark{Store: s, Name: "slack"}, Threads: store.Threads{Store: s},
		Logger: log.With("platform", "slack"), Now: time.Now, Wait: wait,
	})
}

// hooks are the routes at which platforms are told what people write, and what is open to
// everyone: each request proves by itself where it is from.
func hooks(all []platform.Platform) (routes map[string]http.HandlerFunc, open []string) {
	routes = map[string]http.HandlerFunc{}
	for _, p := range all {
		if s, ok := p.(*slack.Slack); ok && s.Hooked() {
			routes["POST "+slack.HookPath] = s.Hook
			open = append(open, slack.HookPath)
		}
	}
	return routes, open
}

// allowed tells whether a message is from a person, and in a room, that the configuration
// allows. Lists that are empty allow everyone and every room.
func allowed(c *config.Config, m platform.Message) bool {
	if s := c.Platforms.Slack; m.Room.Platform == "slack" && s != nil {
		return (len(s.AllowUsers) == 0 || slices.Contains(s.AllowUsers, m.Author.ID)) &&
			(len(s.Rooms) == 0 || m.Direct || slices.Contains(s.Rooms, cmp.Or(m.Parent, m.Room.ID)))
	}
	d := c.Platforms.Discord
	if m.Room.Platform != "discord" || d == nil {
		return true
	}
	return (len(d.AllowUsers) == 0 || slices.Contains(d.AllowUsers, m.Author.ID)) &&
		(len(d.Rooms) == 0 || m.Direct || slices.Contains(d.Rooms, m.Room.ID))
}

// receive runs platforms until the context ends, or until one cannot go on: that is for a
// person to mend, and is called with quit.
func receive(ctx context.Context, all []platform.Platform, in platform.Inbox, quit func()) func() error {
	var running sync.WaitGroup
	failures := make(chan error, len(all))
	for _, p := range all {
		running.Go(func() {
			if err := p.Run(ctx, in); err != nil {
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

// knownPlatforms are all adapters there are, to be asked what they can do.
func knownPlatforms() map[string]platform.Platform {
	return map[string]platform.Platform{"web": (*web.Web)(nil), "discord": (*discord.Discord)(nil), "slack": (*slack.Slack)(nil)}
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
