package discord_test

import (
	"slices"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
)

func TestWhatAMessageSays(t *testing.T) {
	f := start(t)
	post := f.Discord.Post(f.ctx, platform.Post{Key: "a", Room: at(f.General), Text: "I am here."})
	other := f.Write(f.Owner, f.General, "So am I.")
	robot := f.AddUser("robot")
	robot.Bot = true
	nick := "Countess"
	f.ChangeMember(f.Guild, f.Owner, func(m *discordtest.Member) { m.Nick = &nick })
	thread := f.AddThread(f.General, "a thread", discordtest.PublicThread)
	forum := f.AddThread(f.AddChannel(f.Guild, "forum", discordtest.Forum), "a post", discordtest.PublicThread)
	for _, test := range []struct {
		name string
		who  *discordtest.User
		in   *discordtest.Channel
		line discordtest.Line
		want platform.Message
	}{
		{"plain", f.Ada, f.General, discordtest.Line{Text: "hello"}, platform.Message{Text: "hello"}},
		{"under a nickname", f.Owner, f.General, discordtest.Line{Text: "hello"}, platform.Message{Text: "hello", Author: platform.Person{Name: nick}}},
		{"directly", f.Ada, f.Direct(f.Ada), discordtest.Line{Text: "psst"}, platform.Message{Text: "psst", Direct: true}},
		{"in a thread", f.Ada, thread, discordtest.Line{Text: "aside"}, platform.Message{Text: "aside", Parent: f.General.ID}},
		{"in a forum", f.Ada, forum, discordtest.Line{Text: "a question"}, platform.Message{Text: "a question", Parent: *forum.ParentID}},
		{"with the bot's name", f.Ada, f.General, discordtest.Line{Text: "<@" + f.Bot().ID + "> hi"}, platform.Message{Text: "hi", Mentioned: true}},
		{"with the bot's name in the old way", f.Ada, f.General, discordtest.Line{Text: " <@!" + f.Bot().ID + ">/stop <@" + f.Bot().ID + ">"}, platform.Message{Text: "/stop <@" + f.Bot().ID + ">", Mentioned: true}},
		{"with the bot's name and nothing else", f.Ada, f.General, discordtest.Line{Text: "<@" + f.Bot().ID + ">"}, platform.Message{Text: "<@" + f.Bot().ID + ">", Mentioned: true}},
		{"with the bot's name at the end", f.Ada, f.General, discordtest.Line{Text: "hi <@" + f.Bot().ID + ">"}, platform.Message{Text: "hi <@" + f.Bot().ID + ">", Mentioned: true}},
		{"with what looks like a name", f.Ada, f.General, discordtest.Line{Text: "<@x> hi"}, platform.Message{Text: "<@x> hi"}},
		{"with the bot's role", f.Ada, f.General, discordtest.Line{Text: "<@&" + f.BotRole.ID + "> hi"}, platform.Message{Text: "hi", Mentioned: true}},
		{"with somebody else's name", f.Ada, f.General, discordtest.Line{Text: "<@" + f.Owner.ID + "> hi"}, platform.Message{Text: "<@" + f.Owner.ID + "> hi"}},
		{"to everyone", f.Ada, f.General, discordtest.Line{Text: "@everyone hi"}, platform.Message{Text: "@everyone hi"}},
		{"an answer to the bot", f.Ada, f.General, discordtest.Line{Text: "good", ReplyTo: post.ID}, platform.Message{Text: "good", ReplyTo: post.ID, Mentioned: true}},
		{"an answer to somebody else", f.Ada, f.General, discordtest.Line{Text: "good", ReplyTo: other}, platform.Message{Text: "good", ReplyTo: other}},
		{"of a bot", robot, f.General, discordtest.Line{Text: "beep"}, platform.Message{Text: "beep", Author: platform.Person{Name: "robot", Bot: true}}},
		{"of a webhook", f.Ada, f.General, discordtest.Line{Text: "beep", Webhook: true}, platform.Message{Text: "beep", Author: platform.Person{Name: "ada", Bot: true}}},
		{"forwarded", f.Ada, f.General, discordtest.Line{Forward: "what she said"}, platform.Message{Text: "what she said"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := f.arrived(f.WriteLine(test.who, test.in, test.line))
			want := test.want
			want.ID, want.Room, want.At, want.Author.ID = got.ID, at(test.in), got.At, test.who.ID
			if want.Author.Name == "" {
				want.Author.Name = test.who.Username
			}
			if got.At.IsZero() {
				t.Errorf("it has no time")
			}
			if got.Author != want.Author || got.Text != want.Text || got.Room != want.Room || got.ReplyTo != want.ReplyTo ||
				got.Direct != want.Direct || got.Parent != want.Parent || got.Mentioned != want.Mentioned || got.Reaction != nil {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// A room that is in a category is in no other room. Of a thread that the gateway has not
// told of, Discord is asked once.
func TestTheRoomOfAThreadIsKnownWhereverSomethingHappensInIt(t *testing.T) {
	f := start(t)
	category := f.AddChannel(f.Guild, "plans", discordtest.Category)
	inside := f.AddChannel(f.Guild, "inside", discordtest.Text)
	f.ChangeChannel(inside, func(c *discordtest.Channel) { c.ParentID = &category.ID })
	known := f.AddThread(f.General, "known", discordtest.PublicThread)
	var unheard *discordtest.Channel
	f.Mute(func() { unheard = f.AddThread(f.General, "unheard of", discordtest.PublicThread) })
	for _, test := range []struct {
		name string
		in   *discordtest.Channel
		want string
	}{
		{"a room", f.General, ""},
		{"a room in a category", inside, ""},
		{"a thread", known, f.General.ID},
		{"a thread that nobody has told of", unheard, f.General.ID},
		{"a direct chat", f.Direct(f.Ada), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			message := f.Write(f.Ada, test.in, "hello")
			all := []platform.Message{f.arrived(message), f.arrived(f.Invoke(f.Ada, test.in, "stop", nil))}
			f.Server.React(f.Ada, test.in, message, "👍")
			all = append(all, f.wait(func(m platform.Message) bool { return m.Reaction != nil && m.ReplyTo == message }))
			for _, m := range all {
				if m.Parent != test.want {
					t.Errorf("%q is in %q, want %q", m.ID, m.Parent, test.want)
				}
			}
		})
	}
	if asked := f.Requests("GET", "/channels/"+unheard.ID); len(asked)-len(f.Requests("GET", "/channels/"+unheard.ID+"/")) != 1 {
		t.Errorf("Discord was asked %d times", len(asked))
	}
}

func TestWhatNobodyHasWrittenDoesNotArrive(t *testing.T) {
	f := start(t)
	f.Discord.Post(f.ctx, platform.Post{Key: "a", Room: at(f.General), Text: "my own"})
	f.WriteLine(f.Ada, f.General, discordtest.Line{Type: 7})  // she has joined
	f.WriteLine(f.Ada, f.General, discordtest.Line{Type: 6})  // she has pinned something
	f.WriteLine(f.Ada, f.General, discordtest.Line{Type: 18}) // she has begun a thread
	f.sync()
	if got := f.inbox.Texts(); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

func TestReactions(t *testing.T) {
	f := start(t)
	message := f.Write(f.Owner, f.General, "a proposal")
	post := f.Discord.Post(f.ctx, platform.Post{Key: "a", Room: at(f.General), Text: "an answer"}).ID
	direct := f.Direct(f.Ada)
	psst := f.Write(f.Ada, direct, "psst")
	gone := f.Write(f.Ada, f.General, "gone soon")
	f.sync()
	for _, test := range []struct {
		name string
		do   func()
		to   string
		want platform.Reaction
	}{
		{"on somebody's message", func() { f.Server.React(f.Ada, f.General, message, "👍") }, "a proposal", platform.Reaction{Emoji: "👍"}},
		{"taken off", func() { f.Server.Unreact(f.Ada, f.General, message, "👍") }, "a proposal", platform.Reaction{Emoji: "👍", Removed: true}},
		{"put on again", func() { f.Server.React(f.Ada, f.General, message, "👍") }, "a proposal", platform.Reaction{Emoji: "👍"}},
		{"of the server's own", func() { f.Server.React(f.Ada, f.General, message, "party:1234567890123456789") }, "a proposal", platform.Reaction{Emoji: "party:1234567890123456789"}},
		{"on the bot's post", func() { f.Server.React(f.Ada, f.General, post, "🎉") }, "an answer", platform.Reaction{Emoji: "🎉", ToAgent: true}},
		{"taken off the bot's post", func() { f.Server.Unreact(f.Ada, f.General, post, "🎉") }, "an answer", platform.Reaction{Emoji: "🎉", ToAgent: true, Removed: true}},
		{"in a direct chat", func() { f.Server.React(f.Ada, direct, psst, "👀") }, "psst", platform.Reaction{Emoji: "👀"}},
		{"on what cannot be fetched", func() {
			f.Dispatch("MESSAGE_REACTION_ADD", map[string]any{
				"user_id": f.Ada.ID, "channel_id": f.General.ID, "guild_id": f.Guild.ID, "message_id": "1234567890123456789", "emoji": map[string]any{"name": "👀"},
			})
		}, "", platform.Reaction{Emoji: "👀"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := f.inbox.Messages()
			test.do()
			f.sync()
			after := f.inbox.Messages()
			if len(after) != len(before)+1 {
				t.Fatalf("%d things arrived, want one", len(after)-len(before))
			}
			m := after[len(after)-1]
			if m.Reaction == nil {
				t.Fatalf("what arrived is %+v", m)
			}
			if m.Reaction.Emoji != test.want.Emoji || m.Reaction.Removed != test.want.Removed || m.Reaction.ToAgent != test.want.ToAgent || m.Mentioned != test.want.ToAgent {
				t.Errorf("the reaction is %+v, want %+v", *m.Reaction, test.want)
			}
			if m.Reaction.To.Text != test.to || m.ReplyTo != m.Reaction.To.ID || m.ReplyTo == "" {
				t.Errorf("it is on %+v, and answers %q", m.Reaction.To, m.ReplyTo)
			}
			if m.Author.ID != f.Ada.ID || m.Author.Name != "ada" || m.ID == "" || m.Text != "" {
				t.Errorf("what arrived is %+v", m)
			}
		})
	}
	ids := map[string]bool{}
	all := f.inbox.Messages()
	for _, m := range all {
		if ids[m.ID] {
			t.Errorf("two have the id %s", m.ID)
		}
		ids[m.ID] = true
	}

	before := len(f.inbox.Texts())
	f.Discord.React(f.ctx, at(f.General), gone, "👀")
	f.Discord.Unreact(f.ctx, at(f.General), gone, "👀")
	f.sync()
	if len(f.inbox.Texts()) != before {
		t.Errorf("the bot's own reactions arrive")
	}
}

func TestSlashCommands(t *testing.T) {
	f := start(t)
	var names []string
	for _, c := range f.Commands() {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"stop", "confirm"}) {
		t.Errorf("registered are %q", names)
	}
	for _, test := range []struct {
		name, command string
		options       map[string]string
		in            *discordtest.Channel
		want          string
	}{
		{"stop", "stop", nil, f.General, "/stop"},
		{"stop in a direct chat", "stop", nil, f.Direct(f.Ada), "/stop"},
		{"confirm", "confirm", nil, f.General, "/confirm"},
		{"say no", "confirm", map[string]string{"answer": "no"}, f.General, "/confirm no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			id := f.Invoke(f.Ada, test.in, test.command, test.options)
			m := f.arrived(id)
			if m.Text != test.want || m.Author.ID != f.Ada.ID || m.Room != at(test.in) || !m.Mentioned || m.Direct != (test.in.GuildID == "") {
				t.Errorf("what arrived is %+v", m)
			}
			f.sync()
			answers := f.Answers(id)
			if len(answers) != 1 {
				t.Fatalf("it was answered %d times", len(answers))
			}
			data, _ := answers[0]["data"].(map[string]any)
			if data["content"] != "OK" || data["flags"] != float64(1<<6) {
				t.Errorf("the answer is %v, want one that only they see", answers[0])
			}
		})
	}
	// They are there, and are not made once more; what else there is stays.
	f.again()
	f.run()
	if posts := f.Requests("POST", "/commands"); len(posts) != 2 {
		t.Errorf("commands were made %d times", len(posts))
	}
}
