package doctor

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/asidehq/aside/internal/config"
)

const telegramHome = "https://api.telegram.org"

// checkTelegram asks Telegram whose token it is, and whether that bot sees enough of groups.
func (d *Doctor) checkTelegram(ctx context.Context, c *config.Telegram) {
	const check = "telegram"
	const another = "send /token to @BotFather in Telegram, and set platforms.telegram.token, or the variable that it names"
	token := strings.TrimPrefix(strings.TrimSpace(c.Token.Reveal()), "bot")
	number, word, two := strings.Cut(token, ":")
	switch {
	case !two || number == "" || word == "" || strings.ContainsAny(token, "/?#% \t\r\n"):
		d.bad(check, "what platforms.telegram.token holds is no token, which looks like 123456:ABC-DEF", another)
		return
	case d.Offline:
		d.good(check, "there is a token; Telegram was not asked (--offline)")
		return
	}
	var answer struct {
		OK     bool
		Result struct {
			Username string
			SeesAll  bool `json:"can_read_all_group_messages"`
		}
	}
	home := cmp.Or(strings.TrimSuffix(c.APIURL.Reveal(), "/"), telegramHome)
	status := d.ask(ctx, home+"/bot"+token+"/getMe", http.Header{}, &answer)
	if status == http.StatusUnauthorized || status == http.StatusNotFound { // the token is a part of the address
		d.bad(check, "Telegram does not accept the token", another)
		return
	}
	if !d.answered("Telegram", check, status, answer.OK && answer.Result.Username != "") {
		return
	}
	text := "the token is that of @" + answer.Result.Username
	mode := d.Config.Groups.Mode
	if reads := mode != config.ModeMention && mode != config.ModeOff; reads && !answer.Result.SeesAll {
		d.warn(check, text+"; groups.mode is "+string(mode)+", and in groups Telegram shows it only what calls it",
			"send /setprivacy to @BotFather, choose Disable, and add the bot to its groups anew")
		return
	}
	d.good(check, text)
}
