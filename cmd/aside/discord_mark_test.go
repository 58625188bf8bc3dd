package main

import (
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

// marksOn waits until the agent has exactly these emoji on a message.
func (s *scene) marksOn(in *discordtest.Channel, message string, want ...string) {
	s.t.Helper()
	s.until("the marks are not "+strings.Join(want, " "), func() bool {
		return slices.Equal(s.discord.Reactions(s.discord.Bot(), in, message), want)
	})
}

func TestDiscordMarksTellHowFarAMessageIs(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	asked, answer := make(chan struct{}), make(chan struct{})
	s.model.does(func(w http.ResponseWriter, _ string) {
		asked <- struct{}{}
		<-answer
		stream(w, "It is ready.")
		finish(w)
	})
	first := d.Write(d.Ada, d.General, s.to("is it ready?"))
	<-asked
	s.marksOn(d.General, first, "🤔")
	second := d.Write(d.Ada, d.General, s.to("and this?")) // while the first one is worked on
	s.marksOn(d.General, second, "👀")
	close(answer)
	s.settle(d.General, first)
	s.marksOn(d.General, first, "🏆")
	<-asked
	s.settle(d.General, second)
	s.marksOn(d.General, second, "🏆")
}

func TestDiscordMarksTellHowItEnded(t *testing.T) {
	s := newScene(t, everythingOn+"\n")
	d := s.discord
	t.Run("👍 where the reply has no words", func(t *testing.T) {
		s := s.is(t)
		message := s.ask(d.Ada, d.General, "be quiet", "<no-reply/>")
		s.marksOn(d.General, message, "👍")
	})
	t.Run("what the agent itself has put there stays", func(t *testing.T) {
		s := s.is(t)
		message := s.ask(d.Ada, d.General, "look at this", `Nice.<actions><react emoji="👀"/></actions>`)
		s.until("the marks are not 👀 and 🏆", func() bool {
			got := d.Reactions(d.Bot(), d.General, message)
			return len(got) == 2 && slices.Contains(got, "👀") && slices.Contains(got, "🏆")
		})
	})
	t.Run("😱 where the model fails for good", func(t *testing.T) {
		s := s.is(t)
		s.model.does(func(w http.ResponseWriter, _ string) {
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
		})
		message := d.Write(d.Ada, d.General, s.to("fail"))
		s.settle(d.General, message)
		s.marksOn(d.General, message, "😱")
	})
	t.Run("😱 where Discord refuses the reply", func(t *testing.T) {
		s := s.is(t)
		room := d.AddChannel(d.Guild, "silent", discordtest.Text, discordtest.Overwrite{ID: d.Bot().ID, Type: 1, Deny: discordtest.SendMessages})
		message := s.ask(d.Ada, room, "anybody?", "Hello.")
		s.marksOn(room, message, "😱")
	})
	t.Run("none on a slash command or on what has a reaction", func(t *testing.T) {
		s := s.is(t)
		question := s.ask(d.Ada, d.General, "is it ready?", "It is ready.")
		post := s.answer(d.General, question).ID
		d.React(d.Ada, d.General, post, "🎉")
		s.settleAll(d.General, isReaction)
		s.settle(d.General, d.Invoke(d.Ada, d.General, "stop", nil))
		after := s.ask(d.Ada, d.General, "still there?", "Yes.")
		s.marksOn(d.General, after, "🏆") // what was put there before it would be there by now
		s.marksOn(d.General, post)
		for _, m := range d.Messages(d.General) {
			if m.Author.ID == d.Bot().ID && len(m.Reactions) > 0 && m.ID != post {
				t.Errorf("%q has %v", m.Content, m.Reactions)
			}
		}
	})
}

func TestDiscordNoMarkWhileAPersonIsWaitedFor(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	guarded(s)
	message := s.ask(s.mod, d.General, "delete it", block(`{"type":"channelDelete","channel":"treasure"}`))
	s.marksOn(d.General, message)
	s.model.replies("It is gone.")
	d.React(s.mod, d.General, s.answer(d.General, message).ID, "✅")
	s.marksOn(d.General, message, "🏆")
}

// A message waits behind another one, so that each of its marks is shown, and the process
// is killed at one of them.
func TestDiscordMarksAreRightInTheEndThoughTheProcessWasKilled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		method, path string
		done         bool
	}{
		{"before 👀 stands", http.MethodPut, "/reactions/👀", false},
		{"when 👀 stands and nobody knows", http.MethodPut, "/reactions/👀", true},
		{"before 🤔 stands", http.MethodPut, "/reactions/🤔", false},
		{"between 👀 and 🤔", http.MethodDelete, "/reactions/👀", false},
		{"when the reply is posted and nobody knows", http.MethodPost, "/messages", true},
		{"before 🏆 stands", http.MethodPut, "/reactions/🏆", false},
		{"before the old mark is taken off", http.MethodDelete, "/reactions/🤔", false},
		{"when the old mark is taken off and nobody knows", http.MethodDelete, "/reactions/🤔", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, "")
			d := s.discord
			onward := make(chan struct{})
			s.model.does(func(w http.ResponseWriter, asked string) {
				if strings.Contains(asked, "wait") {
					select {
					case <-onward:
					case <-s.ctx.Done():
					}
					stream(w, "<no-reply/>")
				} else {
					// Until 🤔 is shown, so that it can be killed there.
					_ = d.Until(s.ctx, func() bool {
						all := d.Messages(d.General)
						return slices.Contains(d.Reactions(d.Bot(), d.General, all[len(all)-1].ID), "🤔")
					})
					stream(w, "Hello.")
				}
				finish(w)
			})
			first := d.Write(d.Ada, d.General, s.to("wait"))
			s.marksOn(d.General, first, "🤔")
			arrived := d.Hold(test.method, test.path, test.done)
			message := d.Write(d.Ada, d.General, s.to("hello"))
			early := test.method == http.MethodPut && test.path == "/reactions/👀"
			if !early {
				s.marksOn(d.General, message, "👀")
				close(onward)
			}
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("Discord was not asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			if early {
				close(onward)
			}
			s.begin()
			s.settle(d.General, message)
			s.marksOn(d.General, first, "👍")
			s.marksOn(d.General, message, "🏆")
			if n := len(s.answers(d.General, message)); n != 1 {
				t.Errorf("it has %d answers", n)
			}
		})
	}
}
