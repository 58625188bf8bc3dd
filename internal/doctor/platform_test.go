package doctor

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/discordtest"
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

func TestWhatDiscordSaysInstead(t *testing.T) {
	answers := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		level  Level
		want   []string
	}{
		{"that it is busy", answers(429, `{"retry_after":1}`), Warn, []string{"Discord answers with 429 Too Many Requests", "try again later"}},
		{"that it is broken", answers(502, "<html>"), Warn, []string{"Discord answers with 502 Bad Gateway"}},
		{"that there is nothing", answers(404, "{}"), Bad, []string{"what answers (404) is not Discord", "check platforms.discord.api_url"}},
		{"a page of somebody else", answers(200, "<html>"), Bad, []string{"what answers (200) is not Discord"}},
		{"nothing about the application", func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/users/@me") {
				io.WriteString(w, `{"username":"aside"}`)
				return
			}
			w.WriteHeader(http.StatusForbidden)
		}, Good, []string{"the token is that of aside; whether it may read messages could not be found out"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.answer)
			t.Cleanup(server.Close)
			finds(t, onDiscord(t, secret, server.URL), "discord", test.level, test.want...)
		})
	}
	t.Run("nothing at all", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		server.Close()
		finds(t, onDiscord(t, secret, strings.Replace(server.URL, "://", "://"+secret+"@", 1)), "discord", Bad, "Discord cannot be reached", "check the network")
	})
}

func TestNobodyIsAskedOffline(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("Discord was asked") }))
	t.Cleanup(server.Close)
	d := onDiscord(t, secret, server.URL)
	d.Offline = true
	finds(t, d, "discord", Good, "Discord was not asked (--offline)")
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
