package doctor

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/config"
)

const slackHome = "https://slack.com/api"

// slackAuth are the errors that say that Slack does not take a token.
var slackAuth = []string{"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "no_permission", "org_login_required", "not_allowed_token_type"}

// checkSlack asks Slack whose token it is.
func (d *Doctor) checkSlack(ctx context.Context, c *config.Slack) {
	const check = "slack"
	const another = "copy the Bot User OAuth Token, xoxb-…, from the app's page, OAuth & Permissions, and set platforms.slack.bot_token, or the variable that it names"
	token, app := strings.TrimSpace(c.BotToken.Reveal()), strings.TrimSpace(c.AppToken.Reveal())
	switch {
	case token == "" || strings.ContainsAny(token, " \t\r\n"):
		d.bad(check, "what platforms.slack.bot_token holds is no token", another)
		return
	case app != "" && !strings.HasPrefix(app, "xapp-"):
		d.bad(check, "what platforms.slack.app_token holds is no app-level token, which begins with xapp-",
			"make one with connections:write on the app's page, Basic Information, App-Level Tokens, and set platforms.slack.app_token, or the variable that it names")
		return
	case d.Offline:
		d.good(check, "there is a token; Slack was not asked (--offline)")
		return
	}
	var answer struct {
		OK         bool
		Error      string
		User, Team string
	}
	home := cmp.Or(strings.TrimSuffix(c.APIURL.Reveal(), "/"), slackHome)
	status := d.ask(ctx, home+"/auth.test", http.Header{"Authorization": {"Bearer " + token}}, &answer)
	if status == http.StatusOK && slices.Contains(slackAuth, answer.Error) {
		d.bad(check, "Slack does not accept the bot's token", another)
		return
	}
	if d.answered("Slack", check, status, answer.OK && answer.User != "") {
		d.good(check, "the token is that of "+answer.User+", in the workspace "+answer.Team)
	}
}
