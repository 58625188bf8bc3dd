package telegram_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
)

func TestAMessageComesInAsItWasMeant(t *testing.T) {
	f := start(t)
	small := f.AddChat("group", "Small", f.Owner)
	forum := f.AddChat("supergroup", "Forum", f.Owner)
	topic := f.AddTopic(forum, "plans")
	robot := f.AddUser("Robot", "robot_bot")
	robot.Bot = true
	nameless := f.AddUser("Nils", "")
	ours := f.posts(f.Workshop, "ours", "Hello.").ID
	earlier := f.Write(f.Owner, f.Workshop, "earlier")
	f.arrived(earlier)
	ada := platform.Person{ID: strconv.FormatInt(f.Ada.ID, 10), Name: "Ada", Handle: "ada"}

	for _, test := range []struct {
		name string
		who  *telegramtest.User
		in   *telegramtest.Chat
		line telegramtest.Line
		want platform.Message
	}{
		{"in a private chat", f.Ada, f.Private, telegramtest.Line{Text: "hello 👋"}, platform.Message{Text: "hello 👋", Author: ada, Direct: true}},
		{"in a supergroup", f.Ada, f.Workshop, telegramtest.Line{Text: "hello"}, platform.Message{Text: "hello", Author: ada}},
		{"in a small group", f.Ada, small, telegramtest.Line{Text: "hello"}, platform.Message{Text: "hello", Author: ada}},
		{"in a topic", f.Ada, forum, telegramtest.Line{Text: "hello", Thread: topic}, platform.Message{Text: "hello", Author: ada, Parent: strconv.FormatInt(forum.ID, 10)}},
		{"of somebody without a username", nameless, f.Workshop, telegramtest.Line{Text: "hi"}, platform.Message{Text: "hi", Author: platform.Person{ID: strconv.FormatInt(nameless.ID, 10), Name: "Nils"}}},
		{"of a bot", robot, f.Workshop, telegramtest.Line{Text: "beep"}, platform.Message{Text: "beep", Author: platform.Person{ID: strconv.FormatInt(robot.ID, 10), Name: "Robot", Handle: "robot_bot", Bot: true}}},
		{"of an administrator who writes as the group", f.Owner, f.Workshop, telegramtest.Line{Text: "rules", As: f.Workshop}, platform.Message{Text: "rules", Author: platform.Person{ID: strconv.FormatInt(f.Workshop.ID, 10), Name: "Workshop"}}},
		{"that mentions the agent", f.Ada, f.Workshop, telegramtest.Line{Text: "well @aside_bot, go"}, platform.Message{Text: "well @aside_bot, go", Author: ada, Mentioned: true}},
		{"that begins with its name", f.Ada, f.Workshop, telegramtest.Line{Text: "@Aside_Bot /confirm"}, platform.Message{Text: "/confirm", Author: ada, Mentioned: true}},
		{"that is its name", f.Ada, f.Workshop, telegramtest.Line{Text: "@aside_bot"}, platform.Message{Text: "@aside_bot", Author: ada, Mentioned: true}},
		{"that mentions it behind characters that Telegram counts twice", f.Ada, f.Workshop, telegramtest.Line{Text: "👨‍👩‍👧 😀 @aside_bot"}, platform.Message{Text: "👨‍👩‍👧 😀 @aside_bot", Author: ada, Mentioned: true}},
		{"that calls it by its first name", f.Ada, f.Workshop, telegramtest.Line{Text: "Aside do it", Mention: f.Bot()}, platform.Message{Text: "do it", Author: ada, Mentioned: true}},
		{"that mentions somebody else", f.Ada, f.Workshop, telegramtest.Line{Text: "@owner look"}, platform.Message{Text: "@owner look", Author: ada}},
		{"that mentions somebody whose name begins alike", f.Ada, f.Workshop, telegramtest.Line{Text: "@aside_bot2 look"}, platform.Message{Text: "@aside_bot2 look", Author: ada}},
		{"a command for it", f.Ada, f.Workshop, telegramtest.Line{Text: "/stop@aside_bot"}, platform.Message{Text: "/stop", Author: ada, Mentioned: true}},
		{"a command with more", f.Ada, f.Workshop, telegramtest.Line{Text: "/confirm@aside_bot no 👍"}, platform.Message{Text: "/confirm no 👍", Author: ada, Mentioned: true}},
		{"a command for another bot", f.Ada, f.Workshop, telegramtest.Line{Text: "/stop@robot_bot"}, platform.Message{Text: "/stop@robot_bot", Author: ada}},
		{"a reply to a person", f.Ada, f.Workshop, telegramtest.Line{Text: "no", ReplyTo: earlier}, platform.Message{Text: "no", Author: ada, ReplyTo: earlier}},
		{"a reply to the agent", f.Ada, f.Workshop, telegramtest.Line{Text: "yes", ReplyTo: ours}, platform.Message{Text: "yes", Author: ada, ReplyTo: ours, Mentioned: true}},
		{"a reply with a quote", f.Ada, f.Workshop, telegramtest.Line{Text: "this?", ReplyTo: ours, Quote: "Hel"}, platform.Message{Text: `(quoting: "Hel") this?`, Author: ada, ReplyTo: ours, Mentioned: true}},
		{"a command with a quote", f.Ada, f.Workshop, telegramtest.Line{Text: "/stop", ReplyTo: ours, Quote: "Hel"}, platform.Message{Text: "/stop", Author: ada, ReplyTo: ours, Mentioned: true}},
		{"a place", f.Ada, f.Private, telegramtest.Line{More: map[string]any{"location": map[string]any{"latitude": 52.5, "longitude": 13.4}}}, platform.Message{Text: "(location: 52.50000, 13.40000)", Author: ada, Direct: true}},
		{"a contact", f.Ada, f.Private, telegramtest.Line{More: map[string]any{"contact": map[string]any{"first_name": "Bo", "phone_number": "+1"}}}, platform.Message{Text: "(contact: Bo, +1)", Author: ada, Direct: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f.t = t
			id := f.WriteLine(test.who, test.in, test.line)
			got := f.until(func(m platform.Message) bool { return m.ID == id && m.Room == at(test.in, test.line.Thread) })
			want := test.want
			want.ID, want.At = id, got.At
			want.Room = at(test.in, test.line.Thread)
			if got.At.IsZero() || time.Since(got.At) > time.Minute {
				t.Errorf("it was written at %v", got.At)
			}
			if got.Files != nil || got.Reaction != nil || !sameMessage(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func sameMessage(a, b platform.Message) bool {
	return a.Room == b.Room && a.ID == b.ID && a.Author == b.Author && a.Text == b.Text && a.ReplyTo == b.ReplyTo && a.At.Equal(b.At) &&
		a.Direct == b.Direct && a.Parent == b.Parent && a.Edits == b.Edits && a.Mentioned == b.Mentioned
}

func TestAnEditComesInAsAChangeOfWhatWasWritten(t *testing.T) {
	f := start(t)
	id := f.Write(f.Ada, f.Private, "helo")
	f.arrived(id)
	f.Server.Edit(f.Ada, f.Private, id, "hello")
	m := f.until(texts("hello"))
	if m.Edits != id || !strings.HasPrefix(m.ID, id+"-edit-") || m.Stands() != id || !m.Direct || m.Author.Name != "Ada" {
		t.Errorf("%+v", m)
	}
}

func TestChangesInTheSameSecondAllComeInAndEachOnce(t *testing.T) {
	f := start(t)
	id := f.Write(f.Ada, f.Private, "helo")
	f.arrived(id)
	want := []string{"helo"}
	for i := range 6 { // in less than six seconds
		text := fmt.Sprintf("hello %d", i)
		want = append(want, text)
		f.Server.Edit(f.Ada, f.Private, id, text)
	}
	f.until(texts(want[6]))
	if got := f.inbox.Texts(); !slices.Equal(got, want) {
		t.Errorf("what came in is %q, want %q", got, want)
	}
}

func TestWhatNobodyHasWrittenIsPassedOver(t *testing.T) {
	f := start(t)
	for _, more := range []map[string]any{
		{"new_chat_members": []any{map[string]any{"id": 1, "is_bot": false, "first_name": "x"}}},
		{"new_chat_title": "Title"},
		{"pinned_message": map[string]any{"message_id": 1, "date": 0, "chat": map[string]any{"id": 1, "type": "private"}}},
		{"forum_topic_created": map[string]any{"name": "x", "icon_color": 1}},
		{"story": map[string]any{"id": 1}},
	} {
		f.WriteLine(f.Ada, f.Workshop, telegramtest.Line{More: more})
	}
	f.arrived(f.Write(f.Ada, f.Workshop, "after"))
	if got := f.inbox.Texts(); len(got) != 1 {
		t.Errorf("what came in is %q", got)
	}
}

func TestAGroupThatBecomesASupergroupIsFollowed(t *testing.T) {
	f := start(t)
	small := f.AddChat("group", "Small", f.Owner)
	f.arrived(f.Write(f.Owner, small, "before"))
	first := f.posts(small, "one", "First.")
	large := f.Migrate(small)
	id := f.Write(f.Owner, large, "after")
	if m := f.arrived(id); m.Room != at(large, 0) {
		t.Errorf("it is in %s", m.Room)
	}
	// What was meant for the old group goes to the new one, also after a restart.
	if r := f.posts(small, "two", "Second."); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	_ = f.stop()
	f.adapter()
	f.run()
	if r := f.posts(small, "three", "Third."); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	f.stand(large, "Second.", "Third.")
	f.stand(small, "First.")
	// What stands in the old one cannot be changed any more: it is posted anew.
	if r := f.Telegram.Edit(f.ctx, at(small, 0), first.ID, "Changed."); !r.Gone {
		t.Errorf("%+v", r)
	}
	if sent := f.Requests("sendMessage"); len(sent) != 3 {
		t.Errorf("Telegram was asked for %+v", sent)
	}
}

func TestAGroupThatHasMovedUnnoticedIsFollowed(t *testing.T) {
	f := prepare(t)
	small := f.AddChat("group", "Small", f.Owner)
	large := f.Migrate(small)
	if r := f.posts(small, "one", "First."); r.Outcome != platform.Delivered {
		t.Errorf("%+v", r)
	}
	f.stand(large, "First.")
	if sent := len(f.Requests("sendMessage")); sent != 2 {
		t.Errorf("Telegram was asked %d times", sent)
	}
	f.posts(small, "two", "Second.")
	f.stand(large, "First.", "Second.")
	if sent := len(f.Requests("sendMessage")); sent != 3 {
		t.Errorf("Telegram was asked %d times", sent)
	}
}
