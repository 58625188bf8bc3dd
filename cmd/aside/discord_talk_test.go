package main

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

func TestDiscordAMessageThatMentionsTheAgentIsAnsweredByAReplyThatGrows(t *testing.T) {
	s := newScene(t, "")
	room := s.discord.General
	shows := func(text string) bool {
		return slices.ContainsFunc(s.discord.Posts(room), func(m discordtest.Message) bool { return strings.Contains(m.Content, text) })
	}
	s.model.does(func(w http.ResponseWriter, _ string) {
		for _, part := range []string{"The first half", " The second half"} {
			s.streamUntil(w, part, func() bool { return shows(part) })
		}
		stream(w, " The end.")
		finish(w)
	})
	question := s.discord.Write(s.discord.Ada, room, s.to("tell me"))
	s.settle(room, question)
	post := s.answer(room, question)
	if len(post.Seen) < 3 || !strings.HasPrefix(post.Seen[0], "The first half") || !strings.HasSuffix(post.Content, "The end.") {
		t.Errorf("%d versions: %q", len(post.Seen), post.Seen)
	}
	for i, seen := range post.Seen[1:] {
		if !strings.HasPrefix(seen, post.Seen[i]) {
			t.Errorf("%q was shown after %q", seen, post.Seen[i])
		}
	}
	if all := s.discord.Everything(room); len(all) != 2 || post.Pinged {
		t.Errorf("there are %d messages, the reply has notified somebody: %v", len(all), post.Pinged)
	}
}

func TestDiscordOnlyWhatIsForTheAgentIsAnswered(t *testing.T) {
	s := newScene(t, "")
	d := s.discord
	robot := d.AddUser("robot")
	robot.Bot = true
	d.AddMember(d.Guild, robot)
	stranger := d.AddUser("stranger")
	direct := d.Direct(stranger)
	s.model.replies("Hello.")
	earlier := s.discord.Write(d.Ada, d.General, s.to("hi"))
	s.settle(d.General, earlier)
	ours := s.answer(d.General, earlier).ID

	for _, test := range []struct {
		name     string
		who      *discordtest.User
		in       *discordtest.Channel
		line     discordtest.Line
		answered bool
	}{
		{"a mention", d.Ada, d.General, discordtest.Line{Text: s.to("a")}, true},
		{"a mention in the middle", d.Ada, d.General, discordtest.Line{Text: "well " + s.to("b")}, true},
		{"the agent's role", d.Ada, d.General, discordtest.Line{Text: "<@&" + d.BotRole.ID + "> c"}, true},
		{"a reply to the agent", d.Ada, d.General, discordtest.Line{Text: "d", ReplyTo: ours}, true},
		{"something among people", d.Ada, d.General, discordtest.Line{Text: "e"}, false},
		{"a mention of somebody else", d.Ada, d.General, discordtest.Line{Text: "<@" + d.Owner.ID + "> f"}, false},
		{"a mention of everyone", d.Ada, d.General, discordtest.Line{Text: "@everyone g"}, false},
		{"a reply to a person", d.Ada, d.General, discordtest.Line{Text: "h", ReplyTo: earlier}, false},
		{"a direct message", stranger, direct, discordtest.Line{Text: "i"}, true},
		{"a bot that mentions the agent", robot, d.General, discordtest.Line{Text: s.to("j")}, false},
		{"a bot that replies to the agent", robot, d.General, discordtest.Line{Text: "k", ReplyTo: ours}, false},
		{"a bot's direct message", robot, d.Direct(robot), discordtest.Line{Text: "l"}, false},
		{"a webhook that mentions the agent", d.Ada, d.General, discordtest.Line{Text: s.to("m"), Webhook: true}, false},
		{"a notice of Discord's", d.Ada, d.General, discordtest.Line{Text: s.to("n"), Type: 6}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := s.is(t)
			s.model.replies("Hello.")
			id := d.WriteLine(test.who, test.in, test.line)
			// Events are handled in order: what comes before a message that is answered
			// was looked at before.
			after := d.Write(d.Owner, d.General, s.to("next"))
			s.settle(d.General, after)
			if test.answered {
				s.settle(test.in, id)
				s.answer(test.in, id)
				return
			}
			if got := s.answers(test.in, id); len(got) > 0 || len(s.model.heard()) != 1 {
				t.Errorf("it was answered with %+v; the model was asked %q", got, s.model.heard())
			}
		})
	}
}

func TestDiscordAThreadIsInTheRoomThatItBelongsTo(t *testing.T) {
	s := prepareScene(t, "")
	d := s.discord
	other := d.AddChannel(d.Guild, "other", discordtest.Text)
	quiet := d.AddChannel(d.Guild, "quiet", discordtest.Text)
	forum := d.AddChannel(d.Guild, "forum", discordtest.Forum)
	s.reconfigure("gateway_url:", fmt.Sprintf("rooms: [%s, %s, %s], gateway_url:", d.General.ID, quiet.ID, forum.ID))
	s.reconfigure("groups: {", fmt.Sprintf("groups: {mode: open, rooms: {discord/%s: mention}, ", quiet.ID))
	s.begin()
	for _, test := range []struct {
		name     string
		in       *discordtest.Channel
		text     string
		answered bool
	}{
		{"a listed room", d.General, "a", true},
		{"a thread in it", d.AddThread(d.General, "a thread", discordtest.PublicThread), "b", true},
		{"a post in a listed forum", d.AddThread(forum, "a post", discordtest.PublicThread), "c", true},
		{"a room that is not listed", other, "d", false},
		{"a thread in it", d.AddThread(other, "a thread", discordtest.PublicThread), "e", false},
		{"a thread in a room with a mode of its own", d.AddThread(quiet, "a thread", discordtest.PublicThread), "f", false},
		{"the same, when it is mentioned", d.AddThread(quiet, "a thread", discordtest.PublicThread), s.to("g"), true},
		{"a direct chat", d.Direct(d.Ada), "h", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := s.is(t)
			s.model.replies("Hello.")
			id := d.Write(d.Ada, test.in, test.text)
			s.settle(d.General, d.Write(d.Ada, d.General, "next"))
			if test.answered {
				s.settle(test.in, id)
				s.answer(test.in, id)
				return
			}
			if got := s.answers(test.in, id); len(got) > 0 || len(s.model.heard()) != 1 {
				t.Errorf("it was answered with %+v; the model was asked %q", got, s.model.heard())
			}
		})
	}
}

func TestDiscordABurstIsAnsweredInOrderAndOnce(t *testing.T) {
	s := newScene(t, "")
	room := s.discord.General
	number := regexp.MustCompile(`question (\d+)`)
	s.model.does(func(w http.ResponseWriter, asked string) {
		stream(w, "Answer "+number.FindStringSubmatch(asked)[1]+".")
		finish(w)
	})
	var questions []string
	for i := range 15 {
		questions = append(questions, s.discord.Write(s.discord.Ada, room, s.to(fmt.Sprintf("question %d", i))))
	}
	for _, q := range questions {
		s.settle(room, q)
	}
	posts := s.discord.Posts(room)
	if len(posts) != len(questions) {
		t.Fatalf("there are %d answers", len(posts))
	}
	for i, post := range posts {
		if post.Content != fmt.Sprintf("Answer %d.", i) || post.Reference == nil || post.Reference.MessageID != questions[i] {
			t.Errorf("answer %d is %q to %+v", i, post.Content, post.Reference)
		}
	}
}
