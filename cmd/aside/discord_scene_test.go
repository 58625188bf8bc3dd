package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
)

// A scene is the real program at a Discord for tests, with a model that says what the
// test wants it to.
type scene struct {
	*victim
	discord *discordtest.Server
	model   *prompter
	ctx     context.Context

	mod        *discordtest.User // may do what the bot may
	moderators *discordtest.Role
}

// newScene starts everything. more are further lines of the configuration.
func newScene(t *testing.T, more string) *scene {
	t.Helper()
	s := prepareScene(t, more)
	s.begin()
	return s
}

// prepareScene is newScene without starting the program. Scenes have nothing in common, and
// wait most of the time: they run beside each other.
func prepareScene(t *testing.T, more string) *scene {
	t.Helper()
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	s := &scene{discord: discordtest.New(t), model: &prompter{}, ctx: ctx}
	server := httptest.NewServer(s.model)
	t.Cleanup(server.Close)
	s.victim = newVictim(t, "sqlite", server.URL)
	s.moderators = s.discord.AddRole(s.discord.Guild, "moderators", discordtest.ManageChannels|discordtest.ManageRoles|
		discordtest.ManageNicknames|discordtest.ManageGuild|discordtest.KickMembers|discordtest.BanMembers|
		discordtest.ModerateMembers|discordtest.PinMessages|discordtest.ManageMessages)
	s.mod = s.discord.AddUser("grace")
	s.discord.AddMember(s.discord.Guild, s.mod, s.moderators)

	s.connect(server.URL, fmt.Sprintf("discord: {token: %s, api_url: %s, gateway_url: %s}",
		discordtest.Token, s.discord.APIURL(), s.discord.GatewayURL()), more)
	return s
}

// reconfigure puts something in the place of a part of the configuration.
func (s *scene) reconfigure(old, with string) {
	s.t.Helper()
	text, err := os.ReadFile(s.config)
	if err != nil || !strings.Contains(string(text), old) {
		s.t.Fatalf("the configuration is %q, %v", text, err)
	}
	if err := os.WriteFile(s.config, []byte(strings.Replace(string(text), old, with, 1)), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// configured adds lines to the configuration, for what has to know the Discord first.
func (s *scene) configured(more string) {
	s.t.Helper()
	text, err := os.ReadFile(s.config)
	if err == nil {
		err = os.WriteFile(s.config, append(text, more...), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// begin starts the program and waits until it is connected.
func (s *scene) begin() {
	s.t.Helper()
	before, _ := s.discord.Starts()
	s.start()
	if err := s.discord.Identified(s.ctx, before+1); err != nil {
		s.t.Fatalf("it does not connect to Discord: %v\n%s", err, s.output.String())
	}
	if err := s.discord.Connected(s.ctx); err != nil {
		s.t.Fatalf("it is not connected to Discord: %v\n%s", err, s.output.String())
	}
}

// is is the same scene for a subtest.
func (s *scene) is(t *testing.T) *scene {
	again := *s
	again.victim = s.in(t)
	return &again
}

// to is a text that mentions the agent.
func (s *scene) to(text string) string { return "<@" + s.discord.Bot().ID + "> " + text }

// ask has somebody ask the agent, which replies with these in turn, and waits until
// everything that follows is settled.
func (s *scene) ask(who *discordtest.User, in *discordtest.Channel, text string, replies ...string) (message string) {
	s.t.Helper()
	s.model.replies(replies...)
	message = s.discord.Write(who, in, s.to(text))
	s.settle(in, message)
	return message
}

// turns are the latest turns of a room, oldest first.
func (s *scene) turns(in *discordtest.Channel) []sceneTurn {
	s.t.Helper()
	return s.turnsIn("discord/" + in.ID)
}

// settle waits until a message has turns and all of them are settled.
func (s *scene) settle(in *discordtest.Channel, message string) []sceneTurn {
	s.t.Helper()
	return s.settleMessage("discord/"+in.ID, message)
}

// settleAll waits until there are turns of a kind in a room, and all are settled.
func (s *scene) settleAll(in *discordtest.Channel, of func(sceneTurn) bool) []sceneTurn {
	s.t.Helper()
	return s.settleIn("discord/"+in.ID, of)
}

// until waits until something is true of Discord.
func (s *scene) until(what string, is func() bool) {
	s.t.Helper()
	if err := s.discord.Until(s.ctx, is); err != nil {
		s.t.Fatalf("%s: %v\n%s", what, err, s.output.String())
	}
}

func (s *scene) streamUntil(w http.ResponseWriter, part string, is func() bool) {
	streamUntil(s.ctx, w, part, s.discord.Until, is)
}

// answers are the agent's posts that reply to a message.
func (s *scene) answers(in *discordtest.Channel, message string) []discordtest.Message {
	var all []discordtest.Message
	for _, p := range s.discord.Posts(in) {
		if p.Reference != nil && p.Reference.MessageID == message {
			all = append(all, p)
		}
	}
	return all
}

// answer is the one post that replies to a message.
func (s *scene) answer(in *discordtest.Channel, message string) discordtest.Message {
	s.t.Helper()
	all := s.answers(in, message)
	if len(all) != 1 {
		s.t.Fatalf("message %s has %d answers: %+v\n%s", message, len(all), all, s.output.String())
	}
	return all[0]
}

// says fails the test if the answer to a message does not hold each of these.
func (s *scene) says(in *discordtest.Channel, message string, want ...string) {
	s.t.Helper()
	got := s.answer(in, message).Content
	for _, w := range want {
		if !strings.Contains(got, w) {
			s.t.Errorf("the answer is %q, want %q in it", got, w)
		}
	}
}

// A prompter is a model that says what it is told to.
type prompter struct {
	mu    sync.Mutex
	reply func(w http.ResponseWriter, asked string)
	asked []string // the last message of every request
}

// replies makes it say these, one after the other, and then the last one for ever.
func (p *prompter) replies(all ...string) {
	p.does(func(w http.ResponseWriter, _ string) {
		p.mu.Lock()
		next := "Hello."
		if len(all) > 0 {
			next = all[0]
		}
		if len(all) > 1 {
			all = all[1:]
		}
		p.mu.Unlock()
		stream(w, next)
		finish(w)
	})
}

// does makes it answer this way.
func (p *prompter) does(reply func(w http.ResponseWriter, asked string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reply, p.asked = reply, nil
}

// heard are the last messages of all requests since it was told what to do.
func (p *prompter) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.asked...)
}

func (p *prompter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request struct {
		Messages []struct{ Content string }
	}
	if err != nil || json.Unmarshal(body, &request) != nil || len(request.Messages) == 0 {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	asked := request.Messages[len(request.Messages)-1].Content
	p.mu.Lock()
	p.asked = append(p.asked, asked)
	reply := p.reply
	p.mu.Unlock()
	if reply == nil {
		http.Error(w, "nobody knows what to say", http.StatusBadRequest)
		return
	}
	reply(w, asked)
}
