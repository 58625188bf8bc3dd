package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
	"github.com/asidehq/aside/platform/slack"
	"github.com/asidehq/aside/platform/telegram"
)

// A connector makes a platform that is configured.
type connector func(*config.Config, *store.Store, *slog.Logger) (platform.Platform, error)

// connectors make the platforms there are besides the web page.
func connectors() map[string]connector {
	return map[string]connector{"discord": newDiscord, "telegram": newTelegram, "slack": newSlack}
}

// newPlatforms are the platforms that are configured besides the web page.
func newPlatforms(c *config.Config, s *store.Store, log *slog.Logger) ([]platform.Platform, error) {
	var all []platform.Platform
	for _, name := range c.Platforms.Names() {
		if name == "web" {
			continue
		}
		connect, ok := connectors()[name]
		if !ok {
			return nil, fmt.Errorf("platforms.%s: this version cannot connect there yet; take it out", name)
		}
		p, err := connect(c, s, log.With("platform", name))
		if err != nil {
			return nil, fmt.Errorf("platforms.%s: %w", name, err)
		}
		all = append(all, p)
	}
	return all, nil
}

func newDiscord(c *config.Config, s *store.Store, log *slog.Logger) (platform.Platform, error) {
	o := c.Platforms.Discord
	return discord.New(discord.Options{
		Token: o.Token.Reveal(), APIURL: o.APIURL.Reveal(), GatewayURL: o.GatewayURL.Reveal(),
		AllowUsers: o.AllowUsers, Rooms: o.Rooms, FileSize: int64(c.Files.MaxSize),
		Bookmark: store.Bookmark{Store: s, Name: "discord"}, Logger: log, Now: time.Now, Wait: wait,
	})
}

func newTelegram(c *config.Config, s *store.Store, log *slog.Logger) (platform.Platform, error) {
	o := c.Platforms.Telegram
	return telegram.New(telegram.Options{
		Token: o.Token.Reveal(), APIURL: o.APIURL.Reveal(), WebhookURL: o.WebhookURL.Reveal(), WebhookSecret: o.WebhookSecret.Reveal(),
		FileSize: int64(c.Files.MaxSize), Find: finder(s),
		Bookmark: store.Bookmark{Store: s, Name: "telegram"}, Leftovers: store.Bookmark{Store: s, Name: "telegram leftovers"},
		Logger: log, Now: time.Now, Wait: wait,
	})
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

func newSlack(c *config.Config, s *store.Store, log *slog.Logger) (platform.Platform, error) {
	o := c.Platforms.Slack
	return slack.New(slack.Options{
		BotToken: o.BotToken.Reveal(), AppToken: o.AppToken.Reveal(), SigningSecret: o.SigningSecret.Reveal(), APIURL: o.APIURL.Reveal(),
		Rooms: o.Rooms, FileSize: int64(c.Files.MaxSize), Bookmark: store.Bookmark{Store: s, Name: "slack"}, Threads: store.Threads{Store: s},
		Logger: log, Now: time.Now, Wait: wait,
	})
}

// hooks are the routes to which platforms have something brought. They look after
// themselves: whoever brings something proves who it is.
func hooks(all []platform.Platform) map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{}
	for _, p := range all {
		if hooked, ok := p.(platform.Hooked); ok {
			if handle := hooked.Hook(); handle != nil {
				routes["/hooks/"+p.Name()] = handle
			}
		}
	}
	return routes
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
