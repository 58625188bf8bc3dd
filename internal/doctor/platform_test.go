package doctor

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/internal/telegramtest"
)

func TestAPlatformThatThisVersionDoesNotKnowIsFound(t *testing.T) {
	d := newDoctor(t, func(c *config.Config) { c.Platforms.Signal = &config.Signal{Account: "+15550100"} })
	found := d.examine(t, "platforms")
	if len(found) != 2 || found[0].Level != Bad || found[0].Text != "this version cannot connect to signal, so aside run does not start" ||
		found[0].Do != "take platforms.signal out of aside.yaml" || found[1].Level != Good || found[1].Text != "web" {
		t.Errorf("found %+v", found)
	}
}

// onDiscord is a doctor of a bot at an address.
func onDiscord(t *testing.T, token, url string) *Doctor {
	t.Helper()
	return newDoctor(t, func(c *config.Config) {
		c.Platforms.Discord = &config.Discord{Token: config.NewSecret(token), APIURL: config.NewURL(url)}
	})
}

func TestDiscordIsAskedWhoseTokenItIs(t *testing.T) {
	s := discordtest.New(t)
	finds(t, onDiscord(t, discordtest.Token, s.APIURL()), "discord", Good, "the token is that of aside, and it may read messages")
	finds(t, onDiscord(t, " Bot "+discordtest.Token+"\n", s.APIURL()+"/"), "discord", Good, "the token is that of aside")
	finds(t, onDiscord(t, secret, s.APIURL()), "discord", Bad, "Discord does not accept the token", "press Reset Token")
	finds(t, onDiscord(t, secret+" and more", s.APIURL()), "discord", Bad, "is no token", "press Reset Token")
	s.RefuseWith(4014)
	finds(t, onDiscord(t, discordtest.Token, s.APIURL()), "discord", Bad, "does not let it read messages", "switch on Message Content Intent")
}

// onTelegram is a doctor of a bot at an address.
func onTelegram(t *testing.T, token, url string) *Doctor {
	t.Helper()
	return newDoctor(t, func(c *config.Config) {
		c.Platforms.Telegram = &config.Telegram{Token: config.NewSecret(token), APIURL: config.NewURL(url)}
	})
}

func TestTelegramIsAskedWhoseTokenItIs(t *testing.T) {
	s := telegramtest.New(t)
	finds(t, onTelegram(t, telegramtest.Token, s.URL()), "telegram", Good, "the token is that of @aside_bot")
	finds(t, onTelegram(t, " bot"+telegramtest.Token+"\n", s.URL()+"/"), "telegram", Good, "the token is that of @aside_bot")
	finds(t, onTelegram(t, "1:"+secret, s.URL()), "telegram", Bad, "Telegram does not accept the token", "send /token to @BotFather")
	for _, none := range []string{secret, "1:" + secret + " and more", "1:../" + secret, ":" + secret, "1:" + secret + "?x"} {
		finds(t, onTelegram(t, none, s.URL()), "telegram", Bad, "is no token", "send /token to @BotFather")
	}
	d := onTelegram(t, telegramtest.Token, s.URL())
	d.Config.Groups.Mode = config.ModeOpen
	finds(t, d, "telegram", Warn, "groups.mode is open, and in groups Telegram shows it only what calls it", "/setprivacy")
	d.Config.Groups.Mode = config.ModeOff
	finds(t, d, "telegram", Good, "the token is that of @aside_bot")
}

// onSlack is a doctor of an app at an address.
func onSlack(t *testing.T, token, url string) *Doctor {
	t.Helper()
	return newDoctor(t, func(c *config.Config) {
		c.Platforms.Slack = &config.Slack{BotToken: config.NewSecret(token), AppToken: config.NewSecret("xapp-1"), APIURL: config.NewURL(url)}
	})
}

func TestSlackIsAskedWhoseTokenItIs(t *testing.T) {
	s := slacktest.New(t)
	finds(t, onSlack(t, slacktest.BotToken, s.APIURL()), "slack", Good, "the token is that of aside, in the workspace Workshop")
	finds(t, onSlack(t, slacktest.BotToken+"\n", strings.TrimSuffix(s.APIURL(), "/")), "slack", Good, "the token is that of aside")
	finds(t, onSlack(t, "xoxb-"+secret, s.APIURL()), "slack", Bad, "Slack does not accept the bot's token", "OAuth & Permissions")
	finds(t, onSlack(t, secret+" and more", s.APIURL()), "slack", Bad, "bot_token holds is no token", "OAuth & Permissions")
	d := onSlack(t, slacktest.BotToken, s.APIURL())
	d.Config.Platforms.Slack.AppToken = config.NewSecret(secret)
	finds(t, d, "slack", Bad, "app_token holds is no app-level token", "App-Level Tokens")
}

// platforms are doctors of a bot at an address, by the name of the platform.
var platforms = map[string]func(t *testing.T, url string) *Doctor{
	"Discord":  func(t *testing.T, url string) *Doctor { return onDiscord(t, secret, url) },
	"Telegram": func(t *testing.T, url string) *Doctor { return onTelegram(t, "1:"+secret, url) },
	"Slack":    func(t *testing.T, url string) *Doctor { return onSlack(t, "xoxb-"+secret, url) },
}

func TestWhatAPlatformSaysInstead(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("it went elsewhere: %s", r.URL.Path) }))
	t.Cleanup(elsewhere.Close)
	answers := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	for name, on := range platforms {
		check := strings.ToLower(name)
		for _, test := range []struct {
			name   string
			answer http.HandlerFunc
			level  Level
			want   []string
		}{
			{"that it is busy", answers(429, `{"retry_after":1}`), Warn, []string{name + " answers with 429 Too Many Requests", "try again later"}},
			{"that it is broken", answers(502, "<html>"), Warn, []string{name + " answers with 502 Bad Gateway"}},
			{"to ask elsewhere", answers(302, "{}"), Bad, []string{"what answers (302) is not " + name, "check platforms." + check + ".api_url"}},
			{"a page of somebody else", answers(200, "<html>"), Bad, []string{"what answers (200) is not " + name}},
		} {
			t.Run(name+" says "+test.name, func(t *testing.T) {
				server := httptest.NewServer(test.answer)
				t.Cleanup(server.Close)
				finds(t, on(t, server.URL), check, test.level, test.want...)
			})
		}
		t.Run(name+" says nothing at all", func(t *testing.T) {
			server := httptest.NewServer(http.NotFoundHandler())
			server.Close()
			finds(t, on(t, strings.Replace(server.URL, "://", "://"+secret+"@", 1)), check, Bad, name+" cannot be reached", "check the network")
		})
		t.Run(name+" is not asked offline", func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
			t.Cleanup(server.Close)
			d := on(t, server.URL)
			d.Offline = true
			finds(t, d, check, Good, name+" was not asked (--offline)")
		})
	}
	t.Run("Discord says nothing about the application", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/users/@me") {
				io.WriteString(w, `{"username":"aside"}`)
				return
			}
			w.WriteHeader(http.StatusForbidden)
		}))
		t.Cleanup(server.Close)
		finds(t, onDiscord(t, secret, server.URL), "discord", Good, "the token is that of aside; whether it may read messages could not be found out")
	})
}

func TestRoomsOnPlatformsThatDoNotRunAreFound(t *testing.T) {
	d := newDoctor(t, func(c *config.Config) {
		c.Actions.RoomsElsewhere = []config.Room{"web/lobby", "telegram/1"}
		c.Social.Reposts = "slack/C1"
	})
	found := d.examine(t, "rooms")
	if len(found) != 2 || found[0].Level != Warn || !strings.HasPrefix(found[0].Text, "actions.rooms_elsewhere names telegram/1, and telegram is not configured") ||
		found[1].Level != Warn || !strings.HasPrefix(found[1].Text, "social.reposts names slack/C1, ") {
		t.Errorf("found %+v", found)
	}
}

func TestWhoSpeaksIsLookedFor(t *testing.T) {
	speech := func(s *config.Speech) *Doctor { return newDoctor(t, func(c *config.Config) { c.Speech = s }) }
	if found := speech(nil).examine(t, "speech"); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
	finds(t, speech(&config.Speech{Provider: config.SpeechOpenAI, Model: "tts", APIKey: config.NewSecret(secret)}), "speech", Good, "openai tts is configured")
	finds(t, speech(&config.Speech{Provider: config.SpeechCommand, Command: []string{"go", "version"}}), "speech", Good, "speaks")
	finds(t, speech(&config.Speech{Provider: config.SpeechCommand, Command: []string{"there-is-no-such-program"}}), "speech", Bad, "everything is said in writing", "install it")
}
