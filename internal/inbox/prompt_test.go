package inbox_test

import (
	"testing"
	"time"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func addPrompt(t *testing.T, in *inbox.Inbox, key, post string, listed bool, choices ...string) {
	t.Helper()
	err := in.Store.AddPrompt(t.Context(), store.Prompt{
		Key: key, Room: platform.Room{Platform: "test", ID: "a"}, Post: post, Person: "ada", Question: "Ship it?",
		Choices: choices, Listed: listed, Expires: noon.Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func reaction(id, post, emoji string) platform.Message {
	m := message(id, "")
	m.ReplyTo, m.Mentioned = post, true
	m.Reaction = &platform.Reaction{Emoji: emoji, ToAgent: true, To: platform.Message{At: noon.Add(-48 * time.Hour)}}
	return m
}

func TestPromptAnswersComeFirst(t *testing.T) {
	off := inbox.Rules{Mode: func(platform.Message) inbox.Mode { return inbox.Off }, ReactionAge: time.Hour}
	on := inbox.Rules{Reactions: true}
	changed := func(m platform.Message, change func(*platform.Message)) platform.Message { change(&m); return m }
	tests := []struct {
		name  string
		rules inbox.Rules
		m     platform.Message
		now   time.Time
		flow  string // "" if there is no turn
		stops int
	}{
		{"a choice, though reactions are off, the post is old and the room is off", off, reaction("1", "p1", "👍"), noon, store.PromptAnswer, 0},
		{"a choice in a direct chat", off, changed(reaction("1", "p1", "👍"), func(m *platform.Message) { m.Direct = true }), noon, store.PromptAnswer, 0},
		{"a choice as another platform writes it", off, reaction("1", "p1", "❤"), noon, store.PromptAnswer, 0},
		{"a choice that stops elsewhere", on, reaction("1", "p1", "🛑"), noon, store.PromptAnswer, 0},
		{"an emoji that is none of the choices is a reaction like any other", on, reaction("1", "p1", "🎉"), noon, "reaction", 0},
		{"and is ignored where those are", off, reaction("1", "p1", "🎉"), noon, "", 0},
		{"a choice on another post is a reaction like any other", on, reaction("1", "p9", "👍"), noon, "reaction", 0},
		{"a choice that is taken back", on, changed(reaction("1", "p1", "👍"), func(m *platform.Message) { m.Reaction.Removed = true }), noon, "", 0},
		{"a choice that comes too late", on, reaction("1", "p1", "👍"), noon.Add(time.Hour), "", 0},
		{"a choice of a bot", on, changed(reaction("1", "p1", "👍"), func(m *platform.Message) { m.Author.Bot = true }), noon, "", 0},
		{"a choice of somebody who is not allowed", inbox.Rules{Allowed: func(platform.Message) bool { return false }}, reaction("1", "p1", "👍"), noon, "", 0},
		{"a number, where the choices have one", off, message("1", " 2\n"), noon, store.PromptAnswer, 0},
		{"the emoji itself", off, message("1", "👎"), noon, store.PromptAnswer, 0},
		{"a number that none has", on, message("1", "3"), noon, "message", 0},
		{"a number in a sentence", on, message("1", "2 of them"), noon, "message", 0},
		{"a number that comes too late", on, message("1", "2"), noon.Add(time.Hour), "message", 0},
		{"a number with a file", on, changed(message("1", "2"), func(m *platform.Message) { m.Files = []platform.File{{Name: "x"}} }), noon, "message", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in, _, stops := newInbox(t)
			in.Rules, in.Now = test.rules, func() time.Time { return test.now }
			addPrompt(t, in, "k1", "p1", false, "👍", "❤️", "🛑")
			addPrompt(t, in, "k2", "p2", true, "👍", "👎")
			if err := in.Receive(t.Context(), test.m); err != nil {
				t.Fatal(err)
			}
			turns, err := in.Store.TurnsOf(t.Context(), "test", "1")
			flow := ""
			if len(turns) == 1 {
				flow = turns[0].Flow
			}
			if err != nil || flow != test.flow || len(*stops) != test.stops {
				t.Errorf("the flow is %q, %v; stopped are %v", flow, err, *stops)
			}
		})
	}
}

func TestOnlyTheFirstChoiceCounts(t *testing.T) {
	in, q, _ := newInbox(t)
	in.Rules, in.Now = inbox.Rules{Reactions: true}, func() time.Time { return noon }
	addPrompt(t, in, "k1", "p1", true, "👍", "👎")
	// The platform delivers the first one twice.
	for _, m := range []platform.Message{reaction("1", "p1", "👍"), reaction("1", "p1", "👍"), reaction("2", "p1", "👎"), reaction("3", "p1", "👍"), message("4", "1")} {
		if err := in.Receive(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[string]string{
		"1": `prompt answer (chose 👍 to answer your question "Ship it?")`, "2": "", "3": "", "4": "message 1",
	} {
		turns, err := in.Store.TurnsOf(t.Context(), "test", id)
		got := ""
		if len(turns) == 1 {
			got = turns[0].Flow + " " + turns[0].Message.Text
		}
		if err != nil || got != want {
			t.Errorf("message %s has %q, %v, want %q", id, got, err, want)
		}
	}
	if len(q.begun) != 1 {
		t.Errorf("begun are %v", q.begun)
	}
}
