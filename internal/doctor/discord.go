package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/config"
)

const (
	discordHome     = "https://discord.com/api/v10"
	discordPatience = 10 * time.Second
	mostAnswered    = 1 << 20

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
	switch status := d.askDiscord(ctx, c, token, "/users/@me", &bot); {
	case status == http.StatusUnauthorized:
		d.bad(check, "Discord does not accept the token", another)
		return
	case status == 0:
		d.bad(check, "Discord cannot be reached", "check the network, and platforms.discord.api_url if it is set")
		return
	case status == http.StatusTooManyRequests || status >= 500:
		d.warn(check, fmt.Sprintf("Discord answers with %d %s", status, http.StatusText(status)), "try again later; aside run does so by itself")
		return
	case status != http.StatusOK || bot.Username == "":
		d.bad(check, fmt.Sprintf("what answers (%d) is not Discord", status), "check platforms.discord.api_url")
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

// askDiscord is the status of an answer, 0 if there is none. What went wrong on the way is
// not told: it may hold the address, and that a password.
func (d *Doctor) askDiscord(ctx context.Context, c *config.Discord, token, path string, into any) int {
	ctx, cancel := context.WithTimeout(ctx, discordPatience)
	defer cancel()
	home := strings.TrimSuffix(c.APIURL.Reveal(), "/")
	if home == "" {
		home = discordHome
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, home+path, nil)
	if err != nil {
		return 0
	}
	r.Header.Set("Authorization", "Bot "+token)
	r.Header.Set("User-Agent", "DiscordBot (https://github.com/asidehq/aside, 1)")
	answer, err := d.Client.Do(r)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		_ = json.NewDecoder(io.LimitReader(answer.Body, mostAnswered)).Decode(into) // what is not there is missed
	}
	return answer.StatusCode
}
