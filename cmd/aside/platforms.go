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

// allowed tells whether a message is from a person, and in a room, that the configuration
// allows. Lists that are empty allow everyone and every room.
func allowed(c *config.Config, m platform.Message) bool {
	d := c.Platforms.Discord
	if m.Room.Platform == "telegram" && c.Platforms.Telegram != nil {
		return allowedOnTelegram(c.Platforms.Telegram, m)
	}
	if m.Room.Platform != "discord" || d == nil {
		return true
	}
	return (len(d.AllowUsers) == 0 || slices.Contains(d.AllowUsers, m.Author.ID)) &&
		(len(d.Rooms) == 0 || m.Direct || slices.Contains(d.Rooms, m.Room.ID))
}

// allowedOnTelegram is allowed for Telegram, where people have usernames as well, and what
// is allowed in a group is allowed in its topics.
func allowedOnTelegram(t *config.Telegram, m platform.Message) bool {
	person := func(name string) bool {
		return name == m.Author.ID || m.Author.Handle != "" && strings.EqualFold(name, "@"+m.Author.Handle)
	}
	room := func(id string) bool { return id == m.Room.ID || id == m.Parent }
	return (len(t.AllowUsers) == 0 || slices.ContainsFunc(t.AllowUsers, person)) &&
		(len(t.Rooms) == 0 || m.Direct || slices.ContainsFunc(t.Rooms, room))
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
