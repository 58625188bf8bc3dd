package main

import (
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

// Killed while Discord has the request and nobody has the answer: whatever may be repeated
// is there once, and whatever may not is not tried again and is said to be uncertain.
func TestDiscordKilledBetweenTheLedgerAndTheEffect(t *testing.T) {
	t.Parallel()
	channel := func(s *scene, name string) *discordtest.Channel {
		all := s.discord.Channels()
		return &all[slices.IndexFunc(all, func(c discordtest.Channel) bool { return c.Name == name })]
	}
	named := func(name string) func(*scene, string) int {
		return func(s *scene, _ string) int {
			return len(slices.DeleteFunc(s.discord.Channels(), func(c discordtest.Channel) bool { return c.Name != name }))
		}
	}
	inNews := func(text string) func(*scene, string) int {
		return func(s *scene, _ string) int {
			all := s.discord.Messages(channel(s, "news"))
			return len(slices.DeleteFunc(all, func(m discordtest.Message) bool { return m.Content != text }))
		}
	}
	pins := func(s *scene, message string) int {
		all := s.discord.Messages(s.discord.General)
		return len(slices.DeleteFunc(all, func(m discordtest.Message) bool { return m.ID != message || !m.Pinned }))
	}
	for _, test := range []struct {
		name, json   string
		method, path string
		done         bool   // before the process was killed
		outcome      string // of the action
		says         string
		times        int // there it is
		count        func(s *scene, message string) int
	}{
		{
			"a channel is not made again", `{"type":"channelCreate","name":"one"}`, "POST", "/guilds/{Workshop}/channels", false,
			"unknown", "Unclear: channelCreate was interrupted; it may or may not have happened", 0, named("one"),
		},
		{
			"a channel that was made is not made again", `{"type":"channelCreate","name":"two"}`, "POST", "/guilds/{Workshop}/channels", true,
			"unknown", "Unclear: channelCreate was interrupted; it may or may not have happened", 1, named("two"),
		},
		{
			"a thread that was begun is not begun again", `{"type":"threadCreate","name":"three"}`, "POST", "/threads", true,
			"unknown", "Unclear: threadCreate was interrupted; it may or may not have happened", 1, named("three"),
		},
		{
			"a message is sent again", `{"type":"sendMessage","channel":"news","text":"four"}`, "POST", "/channels/{news}/messages", false,
			"done", "Right away.", 1, inNews("four"),
		},
		{
			"a message that was sent stands there once", `{"type":"sendMessage","channel":"news","text":"five"}`, "POST", "/channels/{news}/messages", true,
			"done", "Right away.", 1, inNews("five"),
		},
		{
			"a message is pinned again", `{"type":"pinMessage"}`, "PUT", "/pins/", false,
			"done", "Done: pinned a message", 1, pins,
		},
		{
			"the answer that was posted stands there once", `{"type":"sendMessage","channel":"news","text":"six"}`, "POST", "/channels/{general}/messages", true,
			"done", "Right away.", 1, inNews("six"),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, everythingOn)
			d := s.discord
			news := d.AddChannel(d.Guild, "news", discordtest.Text)
			s.model.replies(block(test.json), "I am not sure.")
			path := strings.NewReplacer("{Workshop}", d.Guild.ID, "{general}", d.General.ID, "{news}", news.ID).Replace(test.path)
			arrived := d.Hold(test.method, path, test.done)
			message := d.Write(s.mod, d.General, s.to("do it"))
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("Discord was not asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			s.begin()
			turns := s.settle(d.General, message)
			if a := turns[0].Actions; len(a) != 1 || a[0].Outcome != test.outcome {
				t.Errorf("it came to %+v", a)
			}
			s.says(d.General, message, test.says)
			if got := test.count(s, message); got != test.times {
				t.Errorf("it is there %d times, want %d", got, test.times)
			}
			asked := slices.DeleteFunc(s.model.heard(), func(text string) bool { return strings.HasPrefix(text, "[results]") })
			if len(asked) != 1 {
				t.Errorf("the model was asked %q", asked)
			}
		})
	}

	t.Run("a deletion that was confirmed is not tried again", func(t *testing.T) {
		s := newScene(t, "")
		d := s.discord
		room := guarded(s)
		s.ask(s.mod, d.General, "delete it", block(`{"type":"channelDelete","channel":"treasure"}`))
		s.model.replies("I am not sure.")
		arrived := d.Hold(http.MethodDelete, "/channels/"+room.ID, false)
		id := d.Invoke(s.mod, d.General, "confirm", nil)
		select {
		case <-arrived:
		case <-s.ctx.Done():
			t.Fatalf("Discord was not asked\n%s", s.output.String())
		}
		s.kill(syscall.SIGKILL)
		s.begin()
		turns := s.settle(d.General, id)
		if turns[0].Actions[0].Outcome != "unknown" || !strings.Contains(turns[0].Shown, "Unclear: channelDelete was interrupted") || d.Channel(room.ID) == nil {
			t.Errorf("%+v", turns)
		}
		if got := s.confirm(s.mod, d.General); got != "Nothing waits to be confirmed." {
			t.Errorf("after that the answer is %q", got)
		}
	})
}
