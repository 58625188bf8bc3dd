package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/telegramtest"
)

// markIs waits until the agent has this emoji on a message, or none.
func (s *telegramScene) markIs(in *telegramtest.Chat, message, want string) {
	s.t.Helper()
	err := s.telegram.Until(s.ctx, func() bool { return s.telegram.ReactionOf(s.telegram.Bot(), in, message) == want })
	if err != nil {
		s.t.Fatalf("on message %s is %q, want %q: %v\n%s", message, s.telegram.ReactionOf(s.telegram.Bot(), in, message), want, err, s.output.String())
	}
}

// reactions are the emoji that the agent has put on a message, in order.
func (s *telegramScene) reactions(message string) (all []string) {
	for _, r := range s.telegram.Requests("setMessageReaction") {
		if fmt.Sprint(r.Params["message_id"]) != message {
			continue
		}
		emoji := ""
		for _, part := range r.Params["reaction"].([]any) {
			emoji += part.(map[string]any)["emoji"].(string)
		}
		all = append(all, emoji)
	}
	return all
}

// waiting makes the model wait with its answer until the channel is closed.
func (p *prompter) waiting(onward <-chan struct{}, done <-chan struct{}, reply string) (asked <-chan struct{}) {
	began := make(chan struct{}, 100)
	p.does(func(w http.ResponseWriter, _ string) {
		began <- struct{}{}
		select {
		case <-onward:
		case <-done:
		}
		stream(w, reply)
		finish(w)
	})
	return began
}

func TestTelegramMarksTellHowFarAMessageIs(t *testing.T) {
	s := newTelegramScene(t, "", "")
	g := s.telegram
	onward := make(chan struct{})
	asked := s.model.waiting(onward, s.ctx.Done(), "It is ready.")
	first := g.Write(g.Ada, g.Private, "is it ready?")
	<-asked
	s.markIs(g.Private, first, "🤔")
	second := g.Write(g.Ada, g.Private, "and this?")
	s.markIs(g.Private, second, "👀")
	again := make(chan struct{})
	asked = s.model.waiting(again, s.ctx.Done(), "This as well.")
	close(onward)
	s.markIs(g.Private, first, "🏆")
	<-asked
	s.markIs(g.Private, second, "🤔")
	close(again)
	s.markIs(g.Private, second, "🏆")
	s.settle(g.Private, second)
	if got := s.reactions(second); !slices.Equal(got, []string{"👀", "🤔", "🏆"}) {
		t.Errorf("it had %q", got)
	}
}

func TestTelegramMarksTellHowItEnded(t *testing.T) {
	s := newTelegramScene(t, "", everythingOn+"\n")
	g := s.telegram
	own := s.ask(g.Ada, g.Private, "look at this", `Nice.<actions><react emoji="🎉"/></actions>`)
	s.markIs(g.Private, own, "🎉")
	quiet := s.ask(g.Ada, g.Private, "be quiet", "<no-reply/>")
	s.markIs(g.Private, quiet, "👍")
	command := g.Write(g.Ada, g.Private, "/stop") // which stands in the chat
	s.markIs(g.Private, command, "🏆")
	question := s.ask(g.Ada, g.Private, "and now?", "Which of the two do you want?")
	s.markIs(g.Private, question, "")
	s.model.does(func(w http.ResponseWriter, _ string) {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
	})
	failed := g.Write(g.Ada, g.Private, "fail")
	s.markIs(g.Private, failed, "😱")
	if emoji := g.ReactionOf(g.Bot(), g.Private, own); emoji != "🎉" {
		t.Errorf("what the agent has put there itself has become %q", emoji)
	}
	if got := s.reactions(own); slices.Contains(got, "🏆") {
		t.Errorf("it had %q", got)
	}
}

func TestTelegramMarksAreRightInTheEndThoughTheProcessWasKilled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, method string
		answered     bool // by the model, when it is killed
		done         bool
	}{
		{"before the first mark stands", "setMessageReaction", false, false},
		{"when the first mark stands and nobody knows", "setMessageReaction", false, true},
		{"before 🏆 stands", "setMessageReaction", true, false},
		{"when 🏆 stands and nobody knows", "setMessageReaction", true, true},
		{"before the reply stands", "editMessageText", true, false},
		{"when the reply stands and nobody knows", "editMessageText", true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newTelegramScene(t, "", "")
			g := s.telegram
			onward := make(chan struct{})
			asked := s.model.waiting(onward, s.ctx.Done(), "Hello.")
			var arrived <-chan struct{}
			if !test.answered {
				arrived = g.Hold(test.method, test.done)
			}
			message := g.Write(g.Ada, g.Private, "hello")
			if test.answered {
				<-asked
				s.markIs(g.Private, message, "🤔")
				arrived = g.Hold(test.method, test.done)
				close(onward)
			}
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("Telegram was not asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			if !test.answered {
				close(onward)
			}
			s.begin()
			s.settle(g.Private, message)
			s.markIs(g.Private, message, "🏆")
			if text := s.answer(g.Private, message).Text; text != "Hello." {
				t.Errorf("the answer is %q", text)
			}
		})
	}
}

func TestTelegramRefusesToStartWithAnEmojiThatWouldNeverArrive(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, glyph, want string }{
		{"with one that has a near one", "complete: 🥇", "the nearest one that it takes is 🏆"},
		{"with one that has none", "received: 👂", "choose one that it offers"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepareTelegramScene(t, "", "reactions: {glyphs: {"+test.glyph+"}}\n")
			check := exec.CommandContext(s.ctx, "aside", "config", "check", "--config", s.config)
			check.Env = append(os.Environ(), noWaitAtExit)
			checked, err := check.CombinedOutput()
			if err == nil {
				t.Error("the configuration is said to be right")
			}
			for _, said := range []string{string(checked), runUntilItEnds(t, s.config)} {
				if !strings.Contains(said, "telegram does not take") || !strings.Contains(said, test.want) || strings.Contains(said, "panic") {
					t.Errorf("it says %q", said)
				}
			}
			if n := len(s.telegram.Requests("setMessageReaction")); n > 0 {
				t.Errorf("it has asked for %d reactions", n)
			}
		})
	}
}
