package telegram_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
)

func personID(u *telegramtest.User) string { return strconv.FormatInt(u.ID, 10) }

// refused checks that an error is a refusal with some words in it.
func refused(t *testing.T, err error, words string) {
	t.Helper()
	var p *platform.Problem
	if !errors.As(err, &p) || p.Outcome != platform.Refused || !strings.Contains(p.Reason, words) {
		t.Errorf("got %v, want a refusal with %q", err, words)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAReactionTakesThePlaceOfTheOneBefore(t *testing.T) {
	f := prepare(t)
	id := f.Write(f.Ada, f.Private, "hi")
	room := at(f.Private, 0)
	for _, step := range []struct {
		name string
		do   func() platform.Receipt
		want string
		ok   bool
	}{
		{"put on", func() platform.Receipt { return f.Telegram.React(f.ctx, room, id, "👀") }, "👀", true},
		{"in place of it", func() platform.Receipt { return f.Telegram.React(f.ctx, room, id, "❤️") }, "❤", true},
		{"one that is near", func() platform.Receipt { return f.Telegram.React(f.ctx, room, id, "✅") }, "👍", true},
		{"one that is far", func() platform.Receipt { return f.Telegram.React(f.ctx, room, id, "🐙") }, "👍", false},
		{"a mark", func() platform.Receipt { return f.Mark(f.ctx, room, id, "👌") }, "👌", true},
		{"the same mark", func() platform.Receipt { return f.Mark(f.ctx, room, id, "👌") }, "👌", true},
		{"no mark", func() platform.Receipt { return f.Mark(f.ctx, room, id, "") }, "", true},
		{"no mark on what is gone", func() platform.Receipt { return f.Mark(f.ctx, room, "99", "") }, "", true},
		{"a mark on what is gone", func() platform.Receipt { return f.Mark(f.ctx, room, "99", "👌") }, "", false},
	} {
		r := step.do()
		if got := f.ReactionOf(f.Bot(), f.Private, id); got != step.want || (r.Outcome == platform.Delivered) != step.ok || !step.ok && r.Reason == "" {
			t.Errorf("%s: there is %q, and %+v", step.name, got, r)
		}
	}
}

func TestPeoplesReactionsComeIn(t *testing.T) {
	f := start(t)
	ours := f.posts(f.Workshop, "key", "Hello.").ID
	theirs := f.Write(f.Owner, f.Workshop, "hi")
	f.arrived(theirs)
	at1 := time.Now().Add(-time.Minute)
	f.knows(f.Workshop, platform.Message{Room: at(f.Workshop, 0), ID: ours, Text: "Hello.", At: at1}, true)
	f.Server.React(f.Ada, f.Workshop, ours, "🎉")
	m := f.until(func(m platform.Message) bool { return m.Reaction != nil })
	if r := m.Reaction; r.Emoji != "🎉" || r.Removed || !r.ToAgent || r.To.Text != "Hello." || !r.To.At.Equal(at1) || m.ReplyTo != ours || m.Stands() != ours || !m.Mentioned || m.Author.Name != "Ada" {
		t.Errorf("%+v to %+v", m, r)
	}
	// Another one in its place is one off and one on.
	f.Server.React(f.Ada, f.Workshop, ours, "👍")
	f.until(func(m platform.Message) bool {
		return m.Reaction != nil && m.Reaction.Emoji == "🎉" && m.Reaction.Removed
	})
	f.until(func(m platform.Message) bool {
		return m.Reaction != nil && m.Reaction.Emoji == "👍" && !m.Reaction.Removed
	})
	f.Server.React(f.Ada, f.Workshop, theirs, "👎")
	m = f.until(func(m platform.Message) bool { return m.Reaction != nil && m.Reaction.Emoji == "👎" })
	if m.Reaction.ToAgent || m.Mentioned {
		t.Errorf("%+v", m)
	}
}

// Telegram does not say in which topic the message with a reaction stands.
func TestAReactionInATopicIsInTheTopic(t *testing.T) {
	f := start(t)
	forum := f.AddChat("supergroup", "Forum", f.Owner)
	topic := f.AddTopic(forum, "plans")
	ours := f.Post(f.ctx, platform.Post{Key: "key", Room: at(forum, topic), Text: "Hello."}).ID
	f.Server.React(f.Owner, forum, ours, "🎉")
	m := f.until(func(m platform.Message) bool { return m.Reaction != nil })
	if m.Room != at(forum, topic) || m.Parent != strconv.FormatInt(forum.ID, 10) || !m.Reaction.ToAgent {
		t.Errorf("%+v", m)
	}
	// And after a restart, when only the store knows.
	_ = f.stop()
	f.knows(forum, platform.Message{Room: at(forum, topic), ID: ours, Text: "Hello."}, true)
	f.adapter()
	f.run()
	f.Server.React(f.Owner, forum, ours, "👍")
	m = f.until(func(m platform.Message) bool { return m.Reaction != nil && m.Reaction.Emoji == "👍" })
	if m.Room != at(forum, topic) || !m.Reaction.ToAgent {
		t.Errorf("%+v", m)
	}
}

func TestButtonsArePressedOnceAndAnswered(t *testing.T) {
	f := start(t)
	room := at(f.Workshop, 0)
	r := f.Post(f.ctx, platform.Post{Key: "key", Room: room, Text: "Sure?", Choices: []string{"✅", "❌"}})
	if got := strings.Join(f.Message(f.Workshop, r.ID).Buttons, ""); got != "✅❌" {
		t.Fatalf("the buttons are %q", got)
	}
	callback := f.Press(f.Ada, f.Workshop, r.ID, "✅")
	m := f.arrived("button-" + callback)
	if x := m.Reaction; m.Room != room || m.ReplyTo != r.ID || m.Author.Name != "Ada" || x == nil || x.Emoji != "✅" || !x.ToAgent || x.Removed || x.To.Text != "Sure?" {
		t.Errorf("%+v", m)
	}
	must(t, f.Until(f.ctx, func() bool { return f.Answers(callback) == 1 }))
	// Other buttons, and none.
	if r := f.EditChoices(f.ctx, room, r.ID, "Sure?", []string{"👍"}); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	if got := f.Message(f.Workshop, r.ID).Buttons; len(got) != 1 {
		t.Errorf("the buttons are %q", got)
	}
	f.Telegram.Edit(f.ctx, room, r.ID, "Sure?")
	if got := f.Message(f.Workshop, r.ID).Buttons; len(got) != 0 {
		t.Errorf("the buttons are %q", got)
	}
}

func TestAButtonIsNotAnsweredBeforeItIsStored(t *testing.T) {
	f := prepare(t)
	id := f.posts(f.Private, "key", "Sure?").ID
	f.inbox.FailNext(2)
	f.run()
	callback := f.Press(f.Ada, f.Private, id, "✅")
	f.arrived("button-" + callback)
	must(t, f.Until(f.ctx, func() bool { return f.Answers(callback) == 1 }))
}

func TestPinsAndPolls(t *testing.T) {
	f := prepare(t)
	room := at(f.Workshop, 0)
	id := f.Write(f.Ada, f.Workshop, "hi")
	must(t, f.Pin(f.ctx, room, id))
	must(t, f.Pin(f.ctx, room, id))
	pins, err := f.Pins(f.ctx, room)
	if err != nil || len(pins) != 1 || pins[0].ID != id || pins[0].Text != "hi" || pins[0].Author.Name != "Ada" {
		t.Errorf("%+v, %v", pins, err)
	}
	must(t, f.Unpin(f.ctx, room, id))
	must(t, f.Unpin(f.ctx, room, "99"))
	if pins, err := f.Pins(f.ctx, room); err != nil || len(pins) != 0 {
		t.Errorf("%+v, %v", pins, err)
	}
	refused(t, f.Pin(f.ctx, room, "99"), "no such message")
	f.SetMember(f.Workshop, f.Bot(), telegramtest.Member{Status: "administrator"})
	refused(t, f.Pin(f.ctx, room, id), "make it an administrator")

	poll := platform.Poll{Key: "poll", Room: room, Question: "When?", Answers: []string{"Monday", "Tuesday"}, Several: true, For: 24 * time.Hour}
	first, again := f.Poll(f.ctx, poll), f.Poll(f.ctx, poll)
	posts := f.Posts(f.Workshop)
	if first.Outcome != platform.Delivered || again.ID != first.ID || len(posts) != 1 || posts[0].Poll == nil || !posts[0].Poll.Several || len(posts[0].Poll.Options) != 2 {
		t.Errorf("%+v, %+v: %+v", first, again, posts)
	}
	poll.Key = "lost"
	f.Fail(telegramtest.Fault{Done: true})
	if r := f.Poll(f.ctx, poll); r.Outcome != platform.Unknown || !strings.Contains(r.Reason, "may or may not") {
		t.Errorf("a poll whose answer was lost is %+v", r)
	}
	poll.Key, poll.Answers = "short", []string{"Monday"}
	if r := f.Poll(f.ctx, poll); r.Outcome != platform.Refused {
		t.Errorf("%+v", r)
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	f := prepare(t)
	c := f.Workshop
	c.Permissions = map[string]bool{"can_pin_messages": false, "can_manage_topics": false, "can_change_info": false}
	boss := f.AddUser("Boss", "")
	f.SetMember(c, boss, telegramtest.Member{Status: "administrator", Rights: map[string]bool{"can_delete_messages": true}})
	guest := f.AddUser("Guest", "")
	f.SetMember(c, guest, telegramtest.Member{Status: "restricted", Rights: map[string]bool{"can_send_messages": true}})
	gone := f.AddUser("Gone", "")
	f.SetMember(c, gone, telegramtest.Member{Status: "kicked"})
	stranger := f.AddUser("Stranger", "")
	private := at(f.Private, 0)
	for _, test := range []struct {
		name  string
		who   string
		right platform.Right
		room  platform.Room
		want  bool
	}{
		{"a member writes", personID(f.Ada), platform.SendMessages, at(c, 0), true},
		{"a member sees", personID(f.Ada), platform.ViewRoom, at(c, 0), true},
		{"a member writes in a topic", personID(f.Ada), platform.SendInThreads, at(c, 7), true},
		{"a member reacts", personID(f.Ada), platform.AddReactions, at(c, 0), true},
		{"a member does not pin if the group says so", personID(f.Ada), platform.PinMessages, at(c, 0), false},
		{"a member does not ban", personID(f.Ada), platform.BanMembers, at(c, 0), false},
		{"a member does not delete", personID(f.Ada), platform.ManageMessages, at(c, 0), false},
		{"the owner bans", personID(f.Owner), platform.BanMembers, at(c, 0), true},
		{"the owner pins", personID(f.Owner), platform.PinMessages, at(c, 0), true},
		{"nobody keeps events", personID(f.Owner), platform.ManageEvents, at(c, 0), false},
		{"an administrator does what they may", personID(boss), platform.ManageMessages, at(c, 0), true},
		{"and nothing else", personID(boss), platform.BanMembers, at(c, 0), false},
		{"an administrator writes", personID(boss), platform.SendMessages, at(c, 0), true},
		{"somebody restricted writes if they may", personID(guest), platform.SendMessages, at(c, 0), true},
		{"and posts no polls if they may not", personID(guest), platform.CreatePolls, at(c, 0), false},
		{"somebody who was thrown out", personID(gone), platform.ViewRoom, at(c, 0), false},
		{"somebody who is not there", personID(stranger), platform.ViewRoom, at(c, 0), false},
		{"in their own private chat", personID(f.Ada), platform.SendMessages, private, true},
		{"but no moderation there", personID(f.Ada), platform.BanMembers, private, false},
		{"in somebody else's private chat", personID(f.Owner), platform.SendMessages, private, false},
		{"who writes as the group", strconv.FormatInt(c.ID, 10), platform.SendMessages, at(c, 0), true},
		{"who writes as another one", "-1009999", platform.SendMessages, at(c, 0), false},
	} {
		if got, err := f.May(f.ctx, test.who, test.right, test.room); err != nil || got != test.want {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
	for name, who := range map[string]string{"what is nobody": "ada", "who writes as the group": strconv.FormatInt(c.ID, 10)} {
		if got, err := f.May(f.ctx, who, platform.BanMembers, at(c, 0)); err == nil || got {
			t.Errorf("%s may ban: %v, %v", name, got, err)
		}
	}
	f.Fail(telegramtest.Fault{Method: "getChatMember"})
	if got, err := f.May(f.ctx, personID(f.Owner), platform.BanMembers, at(c, 0)); err == nil || got {
		t.Errorf("what nobody knows is %v, %v", got, err)
	}
	for _, test := range []struct {
		who, other *telegramtest.User
		want       bool
	}{{f.Owner, boss, true}, {boss, f.Ada, true}, {boss, f.Owner, false}, {f.Ada, boss, false}, {f.Ada, f.Ada, false}, {f.Owner, f.Owner, false}} {
		if got, err := f.Outranks(f.ctx, at(c, 0), personID(test.who), personID(test.other)); err != nil || got != test.want {
			t.Errorf("%s above %s: %v, %v", test.who.Name, test.other.Name, got, err)
		}
	}
}

func TestPeopleAreSilencedAndSentAway(t *testing.T) {
	f := prepare(t)
	room := at(f.Workshop, 0)
	must(t, f.Timeout(f.ctx, room, personID(f.Ada), time.Hour, "too loud"))
	if m := f.MemberOf(f.Workshop, f.Ada); m.Status != "restricted" || m.Rights["can_send_messages"] || time.Until(time.Unix(m.Until, 0)) < 50*time.Minute {
		t.Errorf("%+v", m)
	}
	must(t, f.Timeout(f.ctx, room, personID(f.Ada), 0, ""))
	if m := f.MemberOf(f.Workshop, f.Ada); m.Status != "member" {
		t.Errorf("%+v", m)
	}
	must(t, f.Kick(f.ctx, room, personID(f.Ada), ""))
	if m := f.MemberOf(f.Workshop, f.Ada); m.Status != "left" {
		t.Errorf("%+v", m)
	}
	must(t, f.Ban(f.ctx, room, personID(f.Ada), "", 1))
	if m := f.MemberOf(f.Workshop, f.Ada); m.Status != "kicked" {
		t.Errorf("%+v", m)
	}
	refused(t, f.Ban(f.ctx, room, personID(f.Owner), "", 0), "owner")
	refused(t, f.Kick(f.ctx, at(f.Private, 0), personID(f.Ada), ""), "private chat")
	refused(t, f.Kick(f.ctx, room, "ada", ""), "not the id of a person")
}

func TestTopicsAreBegunAndClosed(t *testing.T) {
	f := prepare(t)
	refusedIn := platform.NewThread{Room: at(f.Workshop, 0), Name: "plans"}
	_, err := f.CreateThread(f.ctx, refusedIn)
	refused(t, err, "topics are off")
	forum := f.AddChat("supergroup", "Forum", f.Owner)
	f.AddTopic(forum, "first")
	_, err = f.CreateThread(f.ctx, platform.NewThread{Room: at(forum, 0), Name: "plans", Text: "Let us begin."})
	refused(t, err, "a post of its own")
	info, err := f.CreateThread(f.ctx, platform.NewThread{Room: at(forum, 0), Name: "plans"})
	must(t, err)
	topic := f.Topics(forum)["plans"]
	if info.Room != at(forum, topic) || info.Parent != strconv.FormatInt(forum.ID, 10) || info.Name != "plans" {
		t.Errorf("%+v", info)
	}
	name, yes := "done", true
	if _, err := f.EditThread(f.ctx, info.Room, platform.ThreadChange{Name: &name, Archived: &yes}); err != nil {
		t.Error(err)
	}
	if got := f.Topic(forum, topic); got.Name != "done" || !got.Closed {
		t.Errorf("%+v", got)
	}
	_, err = f.EditThread(f.ctx, at(forum, 0), platform.ThreadChange{Name: &name})
	refused(t, err, "no topic")
	_, err = f.ArchivedThreads(f.ctx, at(forum, 0), 10)
	refused(t, err, "does not tell")
}

func TestPeopleAndRoomsAreFound(t *testing.T) {
	f := start(t)
	f.arrived(f.Write(f.Ada, f.Workshop, "hi"))
	room := at(f.Workshop, 0)
	for _, name := range []string{"@ada", "ADA", personID(f.Ada)} {
		if p, err := f.FindPerson(f.ctx, room, name); err != nil || p.ID != personID(f.Ada) || p.Name != "Ada" {
			t.Errorf("%s is %+v, %v", name, p, err)
		}
	}
	_, err := f.FindPerson(f.ctx, room, "@nobody")
	refused(t, err, "use the person's id")
	if got, err := f.FindRoom(f.ctx, room, room.ID); err != nil || got != room {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = f.FindRoom(f.ctx, room, "general")
	refused(t, err, "by its id")
	_, err = f.FindRole(f.ctx, room, "editors")
	refused(t, err, "no roles")
}

func TestTheCommandsAreOffered(t *testing.T) {
	f := start(t)
	must(t, f.Until(f.ctx, func() bool { return len(f.Commands()) > 0 }))
	if got := strings.Join(f.Commands(), " "); got != "start stop confirm missed" {
		t.Errorf("they are %q", got)
	}
	g := prepare(t)
	g.Fail(telegramtest.Fault{Method: "setMyCommands", Status: 400, Description: "Bad Request"})
	g.run() // which works without them
}
