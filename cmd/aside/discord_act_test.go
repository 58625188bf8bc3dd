package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

// everythingOn switches on what is off unless somebody wants it.
const everythingOn = "actions:\n  categories: {moderation: true, voice: true}\n"

// block is a reply with an action in it.
func block(json string) string {
	return "Right away.\n<discord-action>" + json + "</discord-action>"
}

// One action of each category, from what a person writes to what Discord has.
func TestDiscordActionsOfEveryCategoryHappen(t *testing.T) {
	s := newScene(t, everythingOn)
	d := s.discord
	bob := d.AddUser("bob")
	d.AddMember(d.Guild, bob)
	d.ChangeRole(d.Guild, d.BotRole, func(r *discordtest.Role) { r.Position = 100 })
	editors := d.AddRole(d.Guild, "editors", 0)
	d.ChangeRole(d.Guild, editors, func(r *discordtest.Role) { r.Position = 1 })
	lounge := d.AddChannel(d.Guild, "Lounge", discordtest.Voice)
	news := d.AddChannel(d.Guild, "news", discordtest.Text)
	d.Write(d.Ada, news, "The release is on Friday.")
	byName := func(name string) *discordtest.Channel {
		for _, c := range d.Channels() {
			if c.Name == name {
				return &c
			}
		}
		return nil
	}
	last := func(c *discordtest.Channel) discordtest.Message {
		all := d.Messages(c)
		return all[len(all)-1]
	}

	for _, test := range []struct {
		name    string
		replies []string
		said    []string
		happens func(t *testing.T, message string)
	}{
		{
			"channels: a channel is made",
			[]string{block(`{"type":"channelCreate","name":"plans","topic":"What comes"}`)},
			[]string{"Right away.", "Done: created #plans"},
			func(t *testing.T, _ string) {
				if c := byName("plans"); c == nil || c.Topic == nil || *c.Topic != "What comes" {
					t.Errorf("%+v", c)
				}
			},
		},
		{
			"messaging: a message is sent to another room",
			[]string{block(`{"type":"sendMessage","channel":"news","text":"Hear, hear."}`)},
			[]string{"Right away."},
			func(t *testing.T, _ string) {
				if m := last(news); m.Content != "Hear, hear." || m.Author.ID != d.Bot().ID {
					t.Errorf("%+v", m)
				}
			},
		},
		{
			"messaging: a reaction",
			[]string{`Fine. <actions><react emoji="👍"/></actions>`},
			[]string{"Fine."},
			func(t *testing.T, message string) {
				if got := d.Reactions(d.Bot(), d.General, message); !slices.Contains(got, "👍") {
					t.Errorf("%q", got)
				}
			},
		},
		{
			"messaging: a thread is begun",
			[]string{block(`{"type":"threadCreate","name":"Release","content":"What is left?"}`)},
			[]string{"Done: began the thread Release"},
			func(t *testing.T, _ string) {
				c := byName("Release")
				if c == nil || !c.IsThread() || *c.ParentID != d.General.ID || last(c).Content != "What is left?" {
					t.Errorf("%+v", c)
				}
			},
		},
		{
			"messaging: the message is pinned",
			[]string{block(`{"type":"pinMessage"}`)},
			[]string{"Done: pinned a message"},
			func(t *testing.T, message string) {
				for _, m := range d.Messages(d.General) {
					if m.ID == message && !m.Pinned {
						t.Error("it is not pinned")
					}
				}
			},
		},
		{
			"messaging: messages are read, and the answer follows from them",
			[]string{block(`{"type":"readMessages","channel":"news"}`), "The release is on Friday, says Ada."},
			[]string{"Right away.", "on Friday, says Ada"},
			func(t *testing.T, _ string) {
				heard := s.model.heard()
				if len(heard) != 2 || !strings.Contains(heard[1], "[results]") || !strings.Contains(heard[1], "The release is on Friday.") {
					t.Errorf("the model was told %q", heard)
				}
			},
		},
		{
			"guild: a role is given",
			[]string{block(`{"type":"roleAdd","userId":"@bob","role":"editors"}`)},
			[]string{"Done: gave bob the role editors"},
			func(t *testing.T, _ string) {
				if m := d.Member(d.Guild, bob); !slices.Contains(m.Roles, editors.ID) {
					t.Errorf("%+v", m)
				}
			},
		},
		{
			"polls: people are asked",
			[]string{block(`{"type":"poll","question":"When?","answers":["Monday","Tuesday"]}`)},
			[]string{"Right away."},
			func(t *testing.T, _ string) {
				if !slices.ContainsFunc(d.Posts(d.General), func(m discordtest.Message) bool {
					return m.Poll != nil && m.Poll.Question.Text == "When?" && len(m.Poll.Answers) == 2
				}) {
					t.Error("there is no poll")
				}
			},
		},
		{
			"profile: the agent's nickname",
			[]string{block(`{"type":"botSetNickname","nickname":"Librarian"}`)},
			[]string{"Done: set the nickname to Librarian"},
			func(t *testing.T, _ string) {
				if m := d.Member(d.Guild, d.Bot()); m.Nick == nil || *m.Nick != "Librarian" {
					t.Errorf("%+v", m)
				}
			},
		},
		{
			"profile: the agent's status",
			[]string{block(`{"type":"botSetStatus","status":"idle"}`)},
			[]string{"Done: set the status to idle"},
			func(t *testing.T, _ string) {
				all := d.Presences(s.ctx, 2)
				if all[len(all)-1]["status"] != "idle" {
					t.Errorf("%+v", all)
				}
			},
		},
		{
			"voice: a voice room is joined",
			[]string{block(`{"type":"voiceJoin","channel":"Lounge"}`)},
			[]string{"Done: joined Lounge"},
			func(t *testing.T, _ string) {
				if in := d.VoiceOf(d.Guild, d.Bot()); in != lounge.ID {
					t.Errorf("it is in %q", in)
				}
			},
		},
		{
			"social: a like",
			[]string{block(`{"type":"like"}`)},
			[]string{"Right away."},
			func(t *testing.T, message string) {
				if got := d.Reactions(d.Bot(), d.General, message); len(got) == 0 {
					t.Error("there is no reaction")
				}
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := s.is(t)
			message := s.ask(s.mod, d.General, test.name, test.replies...)
			s.says(d.General, message, test.said...)
			test.happens(t, message)
		})
	}

	t.Run("moderation: somebody is timed out once it is confirmed", func(t *testing.T) {
		s := s.is(t)
		message := s.ask(s.mod, d.General, "silence bob", block(`{"type":"timeout","userId":"@bob","durationMinutes":30}`))
		s.says(d.General, message, "Confirm: timeout")
		if m := d.Member(d.Guild, bob); m.Silent != nil {
			t.Fatal("it was not confirmed")
		}
		d.React(s.mod, d.General, s.answer(d.General, message).ID, "✅")
		s.settleAll(d.General, func(t sceneTurn) bool { return strings.HasPrefix(t.Message, "reaction-") })
		if m := d.Member(d.Guild, bob); m.Silent == nil {
			t.Error("nothing happened")
		}
	})
}
