package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
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
	if !strings.Contains(more, "groups:") {
		more += "groups: {debounce: 0s}\n" // nobody here says one thing in several messages
	}
	text := fmt.Sprintf("data: %s\nlisten: %s\nmodels:\n  chat: {provider: openai, model: test, base_url: %s, api_key: none}\n"+
		"platforms:\n  slack: {bot_token: %s, %s, api_url: %s}\n%s",
		s.data, strings.TrimPrefix(s.url, "http://"), server.URL, slacktest.BotToken, way, s.slack.APIURL(), more)
	if err := os.WriteFile(s.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
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
	var page struct{ Turns []sceneTurn }
	body := s.get("/api/v1/turns?limit=100&room=slack/" + room)
	if err := json.Unmarshal([]byte(body), &page); err != nil {
		s.t.Fatalf("the turns are %q\n%s", body, s.output.String())
	}
	slices.Reverse(page.Turns)
	return page.Turns
}

// settle waits until a message has turns and all of them are settled.
func (s *slackScene) settle(room, message string) []sceneTurn {
	s.t.Helper()
	return s.settleAll(room, func(t sceneTurn) bool { return t.Message == message })
}

func (s *slackScene) settleAll(room string, of func(sceneTurn) bool) []sceneTurn {
	s.t.Helper()
	var all []sceneTurn
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(25 * time.Millisecond) {
		all = slices.DeleteFunc(s.turns(room), func(t sceneTurn) bool { return !of(t) })
		if len(all) > 0 && !slices.ContainsFunc(all, func(t sceneTurn) bool { return t.State != "settled" }) {
			return all
		}
	}
	s.t.Fatalf("the turns in %s are not settled: %+v\n%s", room, all, s.output.String())
	return nil
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

// streamUntil sends a part of a reply, and dots behind it until something is true.
func (s *slackScene) streamUntil(w http.ResponseWriter, part string, is func() bool) {
	stream(w, part)
	for !is() && s.ctx.Err() == nil {
		stream(w, ".")
		moment, cancel := context.WithTimeout(s.ctx, 20*time.Millisecond)
		_ = s.slack.Until(moment, is)
		cancel()
	}
}
