package slack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
)

func TestWhereAMessageBelongsAndWhetherItIsForTheAgent(t *testing.T) {
	d := newDesk(t).start()
	bot := "<@" + d.Bot().ID + ">"
	direct := d.Direct(d.Ada)
	group := d.AddGroup(d.Ada, d.Owner)
	robot := d.AddBot("robot")
	ours := d.delivered(d.Post(d.ctx, platform.Post{Key: "ours", Room: d.room(d.General, ""), Text: "Hello."}))
	begun := d.Write(d.Ada, d.General, "let us talk")
	called := d.Write(d.Ada, d.General, bot+" hello")
	d.await(called)
	inDirect := d.Write(d.Ada, direct, "hi")
	own := "" // the thread of the message itself
	const self = "its own"
	for _, test := range []struct {
		name      string
		who       *slacktest.User
		in        *slacktest.Channel
		line      slacktest.Line
		thread    string // of the room; self is the message's own
		mentioned bool
		text      string
	}{
		{"at the top level", d.Ada, d.General, slacktest.Line{Text: "hi all"}, own, false, "hi all"},
		{"a mention at the top level", d.Ada, d.General, slacktest.Line{Text: bot + " hi"}, self, true, "hi"},
		{"a mention in the middle", d.Ada, d.General, slacktest.Line{Text: "hi " + bot + "!"}, self, true, "hi @aside!"},
		{"nothing but a mention", d.Ada, d.General, slacktest.Line{Text: bot}, self, true, "@aside"},
		{"a command to the agent", d.Ada, d.General, slacktest.Line{Text: bot + " /stop"}, self, true, "/stop"},
		{"a mention of somebody else", d.Ada, d.General, slacktest.Line{Text: "<@" + d.Owner.ID + "> hi"}, own, false, "@owner hi"},
		{"a mention of everyone", d.Ada, d.General, slacktest.Line{Text: "<!channel> hi"}, own, false, "@channel hi"},
		{"in a thread of people", d.Ada, d.General, slacktest.Line{Text: "hi", Thread: begun}, begun, false, "hi"},
		{"a mention in a thread of people", d.Ada, d.General, slacktest.Line{Text: bot + " hi", Thread: begun}, begun, true, "hi"},
		{"in a thread in which the agent was called", d.Owner, d.General, slacktest.Line{Text: "go on", Thread: called}, called, true, "go on"},
		{"in the thread of a post of the agent", d.Owner, d.General, slacktest.Line{Text: "thanks", Thread: ours}, ours, true, "thanks"},
		{"in a thread, shown to the channel", d.Owner, d.General, slacktest.Line{Text: "see", Thread: called, Broadcast: true}, called, true, "see"},
		{"in a direct chat", d.Ada, direct, slacktest.Line{Text: "hi"}, own, true, "hi"},
		{"a mention in a direct chat", d.Ada, direct, slacktest.Line{Text: bot + " hi"}, own, true, "hi"},
		{"in a thread of a direct chat", d.Ada, direct, slacktest.Line{Text: "hi", Thread: inDirect}, inDirect, true, "hi"},
		{"in a chat of several people", d.Ada, group, slacktest.Line{Text: "hi"}, own, false, "hi"},
		{"a mention in a chat of several people", d.Ada, group, slacktest.Line{Text: bot + " hi"}, self, true, "hi"},
		{"of another bot", robot, d.General, slacktest.Line{Text: bot + " hi"}, self, true, "hi"},
		{"what somebody does", d.Ada, d.General, slacktest.Line{Text: "waves", Subtype: "me_message"}, own, false, "waves"},
	} {
		t.Run(test.name, func(t *testing.T) {
			id := d.WriteLine(test.who, test.in, test.line)
			m := d.await(id)
			thread := test.thread
			if thread == self {
				thread = id
			}
			want := platform.Message{Room: d.room(test.in, thread), Text: test.text, Mentioned: test.mentioned, Direct: test.in == direct}
			if thread != "" {
				want.Parent = test.in.ID
			}
			if m.Room != want.Room || m.Text != want.Text || m.Mentioned != want.Mentioned || m.Direct != want.Direct || m.Parent != want.Parent {
				t.Errorf("it is %+v\nwant %+v", m, want)
			}
			if m.Author.ID != test.who.ID || m.Author.Name != test.who.Name || m.Author.Bot != test.who.IsBot || time.Since(m.At).Abs() > time.Minute {
				t.Errorf("it is of %+v at %v", m.Author, m.At)
			}
		})
	}
}

func TestWhatSlackWritesBetweenBracketsBecomesReadable(t *testing.T) {
	d := newDesk(t).start()
	for _, test := range []struct{ name, text, want string }{
		{"a channel", "in <#" + d.General.ID + "|general>", "in #general"},
		{"a channel without a name", "in <#" + d.General.ID + ">", "in #general"},
		{"somebody", "ask <@" + d.Owner.ID + ">", "ask @owner"},
		{"nobody", "ask <@U0NOBODY>", "ask @U0NOBODY"},
		{"a group", "ask <!subteam^S1|@editors>", "ask @editors"},
		{"all who are there", "<!here> hi", "@here hi"},
		{"a date", "on <!date^1392734382^{date}|Feb 18>", "on Feb 18"},
		{"a link", "see <https://x.org/a|the docs>", "see the docs (https://x.org/a)"},
		{"an address", "see <https://x.org/a>", "see https://x.org/a"},
		{"an address as people write it", "see <http://x.org|x.org>", "see http://x.org"},
		{"mail", "to <mailto:a@x.org|a@x.org>", "to a@x.org"},
		{"what was masked", "1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"},
		{"what was masked twice", "&amp;lt;", "&lt;"},
		{"emoji", "great 👍 :party_parrot:", "great 👍 :party_parrot:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := d.await(d.Write(d.Ada, d.General, test.text)).Text; got != test.want {
				t.Errorf("%q is %q, want %q", test.text, got, test.want)
			}
		})
	}
}

// Who mentions a thousand holds up nobody.
func TestOnlySomeNamesOfATextAreLookedUp(t *testing.T) {
	d := newDesk(t).start()
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "<@U0NOBODY%d> <#C0NOWHERE%d> ", i, i)
	}
	m := d.await(d.Write(d.AddBot("robot"), d.General, text.String()))
	if !strings.Contains(m.Text, "@U0NOBODY999 #C0NOWHERE999") {
		t.Errorf("it is %q", m.Text)
	}
	if n := len(d.Requests("users.info")) + len(d.Requests("conversations.info")); n > 12 {
		t.Errorf("Slack was asked %d times", n)
	}
}

func TestWhatIsNoMessageIsNotHandedOver(t *testing.T) {
	d := newDesk(t).start()
	before := d.Write(d.Ada, d.General, "before")
	d.await(before)
	own := d.delivered(d.Post(d.ctx, platform.Post{Key: "own", Room: d.room(d.General, ""), Text: "Mine."}))
	for _, test := range []struct {
		name string
		does func()
	}{
		{"a notice of Slack's", func() { d.WriteLine(d.Ada, d.General, slacktest.Line{Text: "has joined", Subtype: "channel_join"}) }},
		{"a deletion", func() {
			id := d.Write(d.Ada, d.General, "oops")
			d.await(id)
			d.next(func(m platform.Message) bool { return m.ID == id })
			d.Erase(d.General, id)
		}},
		{"the agent's own post", func() {
			d.delivered(d.Post(d.ctx, platform.Post{Key: "other", Room: d.room(d.General, ""), Text: "Mine too."}))
		}},
		{"an edit of the agent's own", func() { d.delivered(d.Edit(d.ctx, d.room(d.General, ""), own, "Still mine.")) }},
		{"a link that Slack looks behind", func() { d.Unfurl(d.General, before) }},
		{"an event of a kind that nobody knows", func() { d.Dispatch(map[string]any{"type": "surprise", "channel": map[string]any{"id": 7}}) }},
		{"a message without an id", func() { d.Dispatch(map[string]any{"type": "message", "channel": d.General.ID, "text": "?"}) }},
		{"a message in no channel", func() {
			d.Dispatch(map[string]any{"type": "message", "channel": "../x", "ts": "1.000001", "text": "?"})
		}},
		{"a message of a wrong shape", func() {
			d.Dispatch(map[string]any{"type": "message", "channel": []int{1}, "ts": 7, "text": map[string]any{}})
		}},
		{"a change of nothing", func() {
			d.Dispatch(map[string]any{"type": "message", "subtype": "message_changed", "channel": d.General.ID})
		}},
		{"a reaction to nothing", func() {
			d.Dispatch(map[string]any{"type": "reaction_added", "user": d.Ada.ID, "reaction": "eyes", "item": "?"})
		}},
		{"no event", func() { d.Garble(`{"type":"events_api","envelope_id":"","payload":7}`) }},
		{"no JSON", func() { d.Garble(`{"type":`) }},
		{"a kind of frame that nobody knows", func() { d.Garble(`{"type":"surprise"}`) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			had := len(d.inbox.Messages())
			test.does()
			after := d.Write(d.Ada, d.General, "after")
			d.await(after)
			if all := d.inbox.Messages(); len(all) != had+1 || all[had].ID != after {
				t.Errorf("received was %+v", all[had:])
			}
		})
	}
	if err := d.Until(d.ctx, func() bool { return d.Unacknowledged() == 0 }); err != nil {
		t.Errorf("not everything was acknowledged: %v", err)
	}
	if d.Opened() != 1 {
		t.Errorf("it has connected %d times", d.Opened())
	}
}

func TestAnEditIsHandedOver(t *testing.T) {
	d := newDesk(t).start()
	bot := "<@" + d.Bot().ID + "> "
	edit := func(ts string) platform.Message {
		t.Helper()
		return d.next(func(m platform.Message) bool { return m.Edits == ts })
	}
	plain := d.Write(d.Ada, d.General, "what is 1+1")
	d.await(plain)
	d.Rewrite(d.General, plain, "what is 1+2")
	if m := edit(plain); m.Text != "what is 1+2" || m.Room != d.room(d.General, "") || m.Mentioned || !strings.HasPrefix(m.ID, plain+"-edit-") || m.Stands() != plain {
		t.Errorf("the edit is %+v", m)
	}
	d.Rewrite(d.General, plain, bot+"what is 1+2")
	if m := edit(plain); m.Room != d.room(d.General, plain) || !m.Mentioned || m.Text != "what is 1+2" {
		t.Errorf("the edit that calls the agent is %+v", m)
	}
	// The agent has answered in the thread; the name is taken out.
	d.delivered(d.Post(d.ctx, platform.Post{Key: "answer", Room: d.room(d.General, plain), Text: "3"}))
	d.Rewrite(d.General, plain, "what is 1+3")
	if m := edit(plain); m.Room != d.room(d.General, plain) || m.Parent != d.General.ID {
		t.Errorf("the edit without the name is %+v", m)
	}
	robot := d.AddBot("robot")
	theirs := d.Write(robot, d.General, "beep")
	d.await(theirs)
	d.Rewrite(d.General, theirs, "boop")
	d.await(d.Write(d.Ada, d.General, "after"))
	if slices.ContainsFunc(d.inbox.Messages(), func(m platform.Message) bool { return m.Edits == theirs }) {
		t.Error("a bot's edit was handed over")
	}
}

func TestAReactionIsHandedOverWithItsMessage(t *testing.T) {
	d := newDesk(t).start()
	bot := "<@" + d.Bot().ID + "> "
	reaction := func(ts string) platform.Message {
		t.Helper()
		return d.next(func(m platform.Message) bool { return m.Reaction != nil && m.ReplyTo == ts })
	}
	call := d.Write(d.Ada, d.General, bot+"hi")
	d.await(call)
	post := d.delivered(d.Post(d.ctx, platform.Post{Key: "a", Room: d.room(d.General, call), Text: "Hello."}))
	top := d.delivered(d.Post(d.ctx, platform.Post{Key: "b", Room: d.room(d.General, ""), Text: "News."}))
	plain := d.Write(d.Owner, d.General, "lunch?")
	for _, test := range []struct {
		name, ts, emoji, want string
		room                  platform.Room
		toAgent               bool
		text                  string
	}{
		{"to a post in a thread", post, "tada", "🎉", d.room(d.General, call), true, "Hello."},
		{"with a colour of skin", post, "wave::skin-tone-6", "👋🏿", d.room(d.General, call), true, "Hello."},
		{"with an emoji of the workspace's own", post, "party_parrot", ":party_parrot:", d.room(d.General, call), true, "Hello."},
		{"to a post at the top level", top, "eyes", "👀", d.room(d.General, ""), true, "News."},
		{"to the message that called the agent", call, "eyes", "👀", d.room(d.General, call), false, "@aside hi"},
		{"to a message of somebody else", plain, "eyes", "👀", d.room(d.General, ""), false, "lunch?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d.Server.React(d.Ada, d.General, test.ts, test.emoji)
			m := reaction(test.ts)
			r := m.Reaction
			if m.Room != test.room || r.Emoji != test.want || r.ToAgent != test.toAgent || r.Removed || r.To.Text != test.text || m.Author.Name != "ada" || r.To.ID != test.ts {
				t.Errorf("it is %+v with %+v", m, r)
			}
			d.Server.Unreact(d.Ada, d.General, test.ts, test.emoji)
			if again := reaction(test.ts); !again.Reaction.Removed || again.ID == m.ID {
				t.Errorf("taken off it is %+v", again)
			}
		})
	}
	// The agent's own are no news.
	d.delivered(d.Slack.React(d.ctx, d.room(d.General, ""), plain, "👍"))
	d.await(d.Write(d.Ada, d.General, "after"))
	if slices.ContainsFunc(d.inbox.Messages(), func(m platform.Message) bool { return m.Reaction != nil }) {
		t.Error("the agent's own reaction was handed over")
	}
}
