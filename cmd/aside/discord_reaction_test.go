package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

func isReaction(t sceneTurn) bool { return strings.HasPrefix(t.Message, "reaction-") }

func TestDiscordAReactionToTheAgentsPostStartsATurn(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	question := s.ask(d.Ada, d.General, "is it ready?", "It is ready.")
	post := s.answer(d.General, question).ID
	// It is written for a while, so that it is shown as it grows.
	s.model.does(func(w http.ResponseWriter, _ string) {
		s.streamUntil(w, "Glad to", func() bool { return len(d.Posts(d.General)) == 2 })
		stream(w, ` hear it.<actions><react emoji="👍"/></actions>`)
		finish(w)
	})
	d.React(d.Ada, d.General, post, "🎉")
	turns := s.settleAll(d.General, isReaction)
	heard := s.model.heard()
	if len(turns) != 1 || len(heard) != 1 || !strings.Contains(heard[0], `ada: (reacted with 🎉 to your message: "It is ready."`) {
		t.Errorf("%d turns; the model was told %q", len(turns), heard)
	}
	posts := d.Posts(d.General)
	if len(posts) != 2 || !strings.HasSuffix(posts[1].Content, "hear it.") || len(posts[1].Seen) < 2 || posts[1].Reference != nil {
		t.Errorf("%+v", posts)
	}
	if got := d.Reactions(d.Bot(), d.General, post); !slices.Contains(got, "👍") {
		t.Errorf("the post that has the reaction has %q of the agent", got)
	}
}

func TestDiscordReactionsThatStartNothing(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	robot := d.AddUser("robot")
	robot.Bot = true
	d.AddMember(d.Guild, robot)
	question := s.ask(d.Ada, d.General, "is it ready?", "It is ready.")
	post := s.answer(d.General, question).ID
	for _, test := range []struct {
		name string
		does func()
	}{
		{"a bot's", func() { d.React(robot, d.General, post, "🎉") }},
		{"one that is taken off", func() {
			d.Mute(func() { d.React(d.Ada, d.General, post, "👀") })
			d.Unreact(d.Ada, d.General, post, "👀")
		}},
		{"a stop sign with nothing to stop", func() { d.React(d.Ada, d.General, post, "🛑") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := s.is(t)
			s.model.replies("Hello.")
			test.does()
			s.ask(d.Ada, d.General, "next", "Hello.")
			if heard := s.model.heard(); len(heard) != 1 {
				t.Errorf("the model was asked %q", heard)
			}
		})
	}
}

func TestDiscordARunningTurnIsStopped(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	earlier := s.answer(d.General, s.ask(d.Ada, d.General, "hello", "Hello.")).ID
	for _, test := range []struct {
		name  string
		stop  func(s *scene)
		says  string
		turns bool // it is a message of its own, which is answered
	}{
		{"by a stop sign on its post", func(s *scene) {
			all := d.Posts(d.General)
			d.React(d.Ada, d.General, all[len(all)-1].ID, "🛑")
		}, "", false},
		{"by a stop sign on an earlier post", func(s *scene) { d.React(d.Ada, d.General, earlier, "🛑") }, "", false},
		{"by the slash command", func(s *scene) { d.Invoke(d.Ada, d.General, "stop", nil) }, "Stopped.", true},
		{"by what somebody writes to it", func(s *scene) { d.Write(d.Ada, d.General, s.to("/stop")) }, "Stopped.", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := s.is(t)
			before := len(d.Posts(d.General))
			gone := make(chan struct{})
			s.model.does(func(w http.ResponseWriter, _ string) {
				s.streamUntil(w, "A long story", func() bool { return len(d.Posts(d.General)) > before })
				stream(w, `<discord-action>{"type":"channelCreate","name":"never"}</discord-action>`)
				test.stop(s)
				for s.ctx.Err() == nil { // until nobody listens any more
					if _, err := w.Write([]byte(": still there\n\n")); err != nil {
						break
					}
					w.(http.Flusher).Flush()
				}
				close(gone)
			})
			question := d.Write(d.Ada, d.General, s.to("tell me a story"))
			turns := s.settle(d.General, question)
			<-gone
			s.says(d.General, question, "A long story", "Stopped.")
			if len(turns) != 1 || slices.ContainsFunc(d.Channels(), func(c discordtest.Channel) bool { return c.Name == "never" }) {
				t.Errorf("it was acted on: %+v", turns)
			}
			// What comes after is answered as ever.
			s.says(d.General, s.ask(d.Ada, d.General, "go on", "The end."), "The end.")
			posts := d.Posts(d.General)
			stopped := 0
			for _, p := range posts[before:] {
				if p.Content == "Stopped." {
					stopped++
				}
			}
			if (stopped == 1) != test.turns || len(posts)-before != 2+stopped {
				t.Errorf("%d posts since, %d of them say that it has stopped", len(posts)-before, stopped)
			}
		})
	}
}

func TestDiscordOffersTheCommandsThatItUnderstands(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	s.until("the commands are not registered", func() bool { return len(d.Commands()) == 2 })
	for _, test := range []struct{ command, says string }{
		{"confirm", "Nothing waits to be confirmed."},
		{"stop", "Stopped."},
	} {
		for _, in := range []*discordtest.Channel{d.General, d.Direct(d.Ada)} {
			id := d.Invoke(d.Ada, in, test.command, nil)
			if turns := s.settle(in, id); turns[0].Shown != test.says {
				t.Errorf("/%s is answered with %q", test.command, turns[0].Shown)
			}
			if got := d.Answers(id); len(got) != 1 {
				t.Errorf("/%s has %d answers of its own", test.command, len(got))
			}
		}
	}
}
