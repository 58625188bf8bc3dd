package doctor

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/asidehq/aside/internal/config"
)

const (
	discordHome = "https://discord.com/api/v10"

	// The flags of an application that may read what people write: one that Discord has
	// verified, or one that is in too few guilds to need that.
	mayReadMessages = 1<<18 | 1<<19
)

const portal = "in Discord's developer portal, under Bot"

// checkDiscord asks Discord whose token it is, and whether that bot may read messages.
func (d *Doctor) checkDiscord(ctx context.Context, c *config.Discord) {
	const check = "discord"
	token := strings.TrimPrefix(strings.TrimSpace(c.Token.Reveal()), "Bot ")
	const another = "press Reset Token " + portal + ", and set platforms.discord.token, or the variable that it names"
	switch {
	case token == "" || strings.ContainsAny(token, " \t\r\n"):
		d.bad(check, "what platforms.discord.token holds is no token", another)
		return
	case d.Offline:
		d.good(check, "there is a token; Discord was not asked (--offline)")
		return
	}
	var bot struct{ Username string }
	status := d.askDiscord(ctx, c, token, "/users/@me", &bot)
	if status == http.StatusUnauthorized {
		d.bad(check, "Discord does not accept the token", another)
		return
	}
	if !d.answered("Discord", check, status, bot.Username != "") {
		return
	}
	text := "the token is that of " + bot.Username
	var application struct{ Flags *int64 }
	switch status := d.askDiscord(ctx, c, token, "/applications/@me", &application); {
	case status != http.StatusOK || application.Flags == nil:
		d.good(check, text+"; whether it may read messages could not be found out")
	case *application.Flags&mayReadMessages == 0:
		d.bad(check, text+", and Discord does not let it read messages, so aside run ends", "switch on Message Content Intent "+portal)
	default:
		d.good(check, text+", and it may read messages")
	}
}

// askDiscord is the status of an answer, 0 if there is none.
func (d *Doctor) askDiscord(ctx context.Context, c *config.Discord, token, path string, into any) int {
	return d.ask(ctx, cmp.Or(strings.TrimSuffix(c.APIURL.Reveal(), "/"), discordHome)+path, http.Header{
		"Authorization": {"Bot " + token},
		"User-Agent":    {"DiscordBot (https://github.com/asidehq/aside, 1)"},
	}, into)
}
