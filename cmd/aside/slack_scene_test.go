package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
)

// A slackScene is the real program at a Slack for tests, with a model that says what the
// test wants it to.
type slackScene struct {
	*victim
	slack *slacktest.Server
	model *prompter
	ctx   context.Context
}

// newSlackScene starts everything. more are further lines of the configuration.
func newSlackScene(t *testing.T, more string) *slackScene {
	t.Helper()
	s := prepareSlackScene(t, "app_token: "+slacktest.AppToken, more)
	s.begin()
	return s
}

// prepareSlackScene is newSlackScene without starting the program. way is how Slack's
// events come in.
func prepareSlackScene(t *testing.T, way, more string) *slackScene {
	t.Helper()
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	s := &slackScene{slack: slacktest.New(t), model: &prompter{}, ctx: ctx}
	server := httptest.NewServer(s.model)
	t.Cleanup(server.Close)
	s.victim = newVictim(t, "sqlite", server.URL)
	s.connect(server.URL, fmt.Sprintf("slack: {bot_token: %s, %s, api_url: %s}", slacktest.BotToken, way, s.slack.APIURL()), more)
	t.Cleanup(func() {
		for _, secret := range slacktest.Secrets() {
			if strings.Contains(s.output.String(), secret) {
				t.Errorf("a secret is in the log:\n%s", s.output.String())
			}
		}
	})
	return s
}

// begin starts the program and waits until it is connected.
func (s *slackScene) begin() {
	s.t.Helper()
	before := s.slack.Opened()
	s.start()
	s.until("it does not connect to Slack", func() bool { return s.slack.Opened() > before && s.slack.Connections() > 0 })
}

// until waits until something is true of Slack.
func (s *slackScene) until(what string, is func() bool) {
	s.t.Helper()
	if err := s.slack.Until(s.ctx, is); err != nil {
		s.t.Fatalf("%s: %v\n%s", what, err, s.output.String())
	}
}

// to is a text that mentions the agent.
func (s *slackScene) to(text string) string { return "<@" + s.slack.Bot().ID + "> " + text }

func roomIn(c *slacktest.Channel, thread string) string {
	if thread == "" {
		return c.ID
	}
	return c.ID + ":" + thread
}

// turns are the latest turns of a room, oldest first.
func (s *slackScene) turns(room string) []sceneTurn {
	s.t.Helper()
	return s.turnsIn("slack/" + room)
}

// settle waits until a message has turns and all of them are settled.
func (s *slackScene) settle(room, message string) []sceneTurn {
	s.t.Helper()
	return s.settleMessage("slack/"+room, message)
}

func (s *slackScene) settleAll(room string, of func(sceneTurn) bool) []sceneTurn {
	s.t.Helper()
	return s.settleIn("slack/"+room, of)
}

// says fails the test if the posts in a place are not these.
func (s *slackScene) says(in *slacktest.Channel, thread string, want ...string) {
	s.t.Helper()
	var got []string
	for _, m := range s.slack.Posts(in, thread) {
		got = append(got, m.Text)
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("the agent has said %q, want %q\n%s", got, want, s.output.String())
	}
}

func (s *slackScene) streamUntil(w http.ResponseWriter, part string, is func() bool) {
	streamUntil(s.ctx, w, part, s.slack.Until, is)
}
