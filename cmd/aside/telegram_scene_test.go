package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
)

// A telegramScene is the real program at a Telegram for tests, with a model that says what
// the test wants it to.
type telegramScene struct {
	*victim
	telegram *telegramtest.Server
	model    *prompter
	modelURL string
	ctx      context.Context
}

// newTelegramScene starts everything. own are further keys of the platform, more further
// lines of the configuration.
func newTelegramScene(t *testing.T, own, more string) *telegramScene {
	t.Helper()
	s := prepareTelegramScene(t, own, more)
	s.begin()
	return s
}

func prepareTelegramScene(t *testing.T, own, more string) *telegramScene {
	t.Helper()
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	s := &telegramScene{telegram: telegramtest.New(t), model: &prompter{}, ctx: ctx}
	server := httptest.NewServer(s.model)
	t.Cleanup(server.Close)
	s.modelURL = server.URL
	s.victim = newVictim(t, "sqlite", server.URL)
	s.configureTelegram(server.URL, own, more)
	return s
}

func (s *telegramScene) configureTelegram(model, own, more string) {
	s.t.Helper()
	s.connect(model, fmt.Sprintf("telegram: {token: %q, api_url: %s%s}", telegramtest.Token, s.telegram.URL(), own), more)
}

// begin starts the program and waits until it is connected.
func (s *telegramScene) begin() {
	s.t.Helper()
	s.start()
	if err := s.telegram.Connected(s.ctx); err != nil {
		s.t.Fatalf("it does not connect to Telegram: %v\n%s", err, s.output.String())
	}
}

// ask has somebody write to the agent, which replies with these in turn, and waits until
// everything that follows is settled.
func (s *telegramScene) ask(who *telegramtest.User, in *telegramtest.Chat, text string, replies ...string) (message string) {
	s.t.Helper()
	s.model.replies(replies...)
	message = s.telegram.Write(who, in, text)
	s.settle(in, message)
	return message
}

// settle waits until a message has turns and all of them are settled.
func (s *telegramScene) settle(in *telegramtest.Chat, message string) []sceneTurn {
	s.t.Helper()
	return s.settleMessage("telegram/"+strconv.FormatInt(in.ID, 10), message)
}

// turns are the turns of a chat, oldest first.
func (s *telegramScene) turns(in *telegramtest.Chat) []sceneTurn {
	s.t.Helper()
	return s.turnsIn("telegram/" + strconv.FormatInt(in.ID, 10))
}

func (s *telegramScene) settleAll(in *telegramtest.Chat, of func(sceneTurn) bool) []sceneTurn {
	s.t.Helper()
	return s.settleIn("telegram/"+strconv.FormatInt(in.ID, 10), of)
}

// answer is the one post that replies to a message.
func (s *telegramScene) answer(in *telegramtest.Chat, message string) telegramtest.Message {
	s.t.Helper()
	all := slices.DeleteFunc(s.telegram.Posts(in), func(m telegramtest.Message) bool { return strconv.Itoa(m.ReplyTo) != message })
	if len(all) != 1 {
		s.t.Fatalf("message %s has %d answers: %+v\n%s", message, len(all), all, s.output.String())
	}
	return all[0]
}

// runUntilItEnds runs the program, which cannot go on, and gives what it says.
func runUntilItEnds(t *testing.T, config string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "aside", "run", "--config", config)
	cmd.Env = append(os.Environ(), noWaitAtExit)
	output, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		t.Fatalf("it ended with %v:\n%s", err, output)
	}
	return string(output)
}
