package inbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

const evesCode = "EVES2345"

// newGuarded is an inbox with a door at which eve waits and ada was let in.
func newGuarded(t *testing.T) (*inbox.Inbox, *queue, *[]stopped, *access.Door) {
	t.Helper()
	in, q, stops := newInbox(t)
	codes, made := []string{"ADAS2345", evesCode}, 0
	door := access.NewDoor(access.Door{
		Store: in.Store, Logger: slog.New(slog.DiscardHandler),
		Entry: func(string) access.Entry { return access.Entry{Closed: true, List: []string{"owner"}, Pairing: true} },
		NewCode: func() string {
			if made++; made <= len(codes) {
				return codes[made-1]
			}
			return fmt.Sprintf("MORE%04d", made)
		},
	})
	in.Rules = inbox.Rules{Door: door, Reactions: true}
	for _, who := range []string{"ada", "eve"} {
		if err := in.Receive(t.Context(), from(who, "knock-"+who, "let me in")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := in.Store.Approve(t.Context(), "ADAS2345"); err != nil {
		t.Fatal(err)
	}
	return in, q, stops, door
}

func from(who, id, text string) platform.Message {
	return platform.Message{
		Room: platform.Room{Platform: "test", ID: "dm-" + who}, ID: id, Text: text, At: time.Now(), Direct: true,
		Author: platform.Person{ID: who, Name: who},
	}
}

func TestNobodyElseGetsIn(t *testing.T) {
	group := platform.Room{Platform: "test", ID: "a"}
	changed := func(text string, change func(*platform.Message)) platform.Message {
		m := from("eve", "1", text)
		change(&m)
		return m
	}
	reacts := func(emoji, to string) func(*platform.Message) {
		return func(m *platform.Message) {
			m.Room, m.Direct, m.ReplyTo, m.Mentioned = group, false, to, true
			m.Reaction = &platform.Reaction{Emoji: emoji, ToAgent: true, To: platform.Message{At: time.Now()}}
		}
	}
	// Nothing comes of any of them, so they can share an inbox.
	in, q, stops, _ := newGuarded(t)
	addPrompt(t, in, "k1", "p1", true, "👍", "👎")
	for _, test := range []struct {
		name string
		m    platform.Message
	}{
		{"by writing again", from("eve", "1", "hello?")},
		{"by the display name of somebody who was let in", changed("hi", func(m *platform.Message) { m.Author.Name = "ada" })},
		{"by the display name of the owner", changed("hi", func(m *platform.Message) { m.Author.Name = "owner" })},
		{"by an id that looks like another one", changed("hi", func(m *platform.Message) { m.Author.ID = "ADA" })},
		{"by an id with white space", changed("hi", func(m *platform.Message) { m.Author.ID = " ada" })},
		{"by no id", changed("hi", func(m *platform.Message) { m.Author.ID = "" })},
		{"by the id on another platform", changed("hi", func(m *platform.Message) { m.Author.ID, m.Room.Platform = "ada", "other" })},
		{"by their code", from("eve", "1", evesCode)},
		{"by the code of somebody who was let in", from("eve", "1", "ADAS2345")},
		{"by saying that it was approved", from("eve", "1", "aside pairing approve "+evesCode)},
		{"by a slash command", from("eve", "1", "/pairing approve "+evesCode)},
		{"by a command that there is", from("eve", "1", "/confirm")},
		{"by a sign to stop", from("eve", "1", "/stop")},
		{"by an edit of what they wrote", changed("hi", func(m *platform.Message) { m.Edits = "knock-eve" })},
		{"by delivering the message of somebody who was let in again", changed("let me in", func(m *platform.Message) { m.ID, m.Room = "knock-ada", platform.Room{Platform: "test", ID: "dm-ada"} })},
		{"by a mention in a group", changed("hi", func(m *platform.Message) { m.Room, m.Direct, m.Mentioned = group, false, true })},
		{"by an answer in a group", changed("hi", func(m *platform.Message) { m.Room, m.Direct, m.ReplyTo, m.Mentioned = group, false, "p1", true })},
		{"by a reaction", changed("", reacts("👍", "p9"))},
		{"by a button below a question", changed("", reacts("👍", "p1"))},
		{"by the number of a choice", changed("1", func(m *platform.Message) { m.Room, m.Direct, m.Mentioned = group, false, true })},
		{"by a stop sign", changed("", reacts("🛑", "p1"))},
		{"by a file", changed("", func(m *platform.Message) {
			m.Files = []platform.File{platform.NewFile("approve.txt", "", []byte(evesCode))}
		})},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 2 { // and again
				if err := in.Receive(t.Context(), test.m); err != nil {
					t.Fatal(err)
				}
			}
			all, err := in.Store.Turns(t.Context(), store.TurnQuery{Limit: 100})
			if err != nil || len(all) != 0 || len(q.begun) != 0 || len(*stops) != 0 {
				t.Errorf("there are turns %v, %v; begun are %v, stopped are %v", all, err, q.begun, *stops)
			}
			for _, who := range []string{"eve", test.m.Author.ID} {
				if in, err := in.Store.Approved(t.Context(), test.m.Room.Platform, who); in || err != nil {
					t.Errorf("%q is in: %v, %v", who, in, err)
				}
			}
			if p, err := in.Store.PromptOf(t.Context(), group, "p1"); err != nil || p.Answered {
				t.Errorf("the prompt is %+v, %v", p, err)
			}
		})
	}
}

func TestWhoWasLetInIsAnsweredFromThenOnAndWhatTheyWroteBeforeIsNot(t *testing.T) {
	in, q, _, _ := newGuarded(t)
	for _, who := range []string{"ada", "owner"} {
		if err := in.Receive(t.Context(), from(who, "2", "now?")); err != nil {
			t.Fatal(err)
		}
	}
	all, err := in.Store.Turns(t.Context(), store.TurnQuery{Limit: 100})
	if err != nil || len(all) != 2 || all[1].Message.Text != "now?" || len(q.begun) != 2 {
		t.Errorf("there are turns %+v, %v; begun are %v", all, err, q.begun)
	}
	if err := in.Store.Revoke(t.Context(), "test", "ada"); err != nil {
		t.Fatal(err)
	}
	if err := in.Receive(t.Context(), from("ada", "3", "still?")); err != nil {
		t.Fatal(err)
	}
	if turns, err := in.Store.TurnsOf(t.Context(), "test", "3"); err != nil || len(turns) != 0 {
		t.Errorf("after revoking there are turns %v, %v", turns, err)
	}
}

func TestWithoutTheStoreNobodyIsKnownAndNothingIsReceived(t *testing.T) {
	in, q, _, _ := newGuarded(t)
	if err := in.Store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"ada", "eve"} {
		if err := in.Receive(context.Background(), from(who, "2", "hi")); err == nil {
			t.Errorf("a message of %s was received", who)
		}
	}
	if len(q.begun) != 0 {
		t.Errorf("begun are %v", q.begun)
	}
}
