package inbox_test

import (
	"testing"
	"time"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A queue notes the sessions that it has to begin with.
type queue struct{ begun []string }

func (q *queue) Enqueue(open func(claim bool) (string, bool, error)) error {
	session, mine, err := open(true)
	if mine {
		q.begun = append(q.begun, session)
	}
	return err
}

type stopped struct {
	session string
	before  int64
}

func newInbox(t *testing.T) (in *inbox.Inbox, q *queue, stops *[]stopped) {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	q, stops = &queue{}, &[]stopped{}
	return &inbox.Inbox{Store: s, Queue: q, Now: time.Now, Stop: func(session string, before int64) {
		*stops = append(*stops, stopped{session, before})
	}}, q, stops
}

func message(id, text string) platform.Message {
	return platform.Message{Room: platform.Room{Platform: "test", ID: "a"}, ID: id, Text: text, At: time.Now()}
}

func TestAMessageIsStoredWhenReceiveReturnsAndItsSessionBegunOnce(t *testing.T) {
	in, q, stops := newInbox(t)
	for _, m := range []platform.Message{message("1", "hi"), message("1", "hi"), message("2", "ho")} {
		if err := in.Receive(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		if turns, err := in.Store.TurnsOf(t.Context(), "test", m.ID); err != nil || len(turns) != 1 {
			t.Errorf("message %s has turns %v, %v", m.ID, turns, err)
		}
	}
	if len(q.begun) != 1 || q.begun[0] != "test/a" {
		t.Errorf("begun are %v", q.begun)
	}
	if len(*stops) != 0 {
		t.Errorf("stopped are %v", *stops)
	}
}

func TestABotIsNotAnswered(t *testing.T) {
	in, q, _ := newInbox(t)
	m := message("1", "I am a bot, too")
	m.Author.Bot = true
	if err := in.Receive(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if turns, err := in.Store.TurnsOf(t.Context(), "test", "1"); err != nil || len(turns) != 0 || len(q.begun) != 0 {
		t.Errorf("it has turns %v, %v", turns, err)
	}
}

func TestStopCancelsAtOnceWhatCameBeforeItAndOnlyOnce(t *testing.T) {
	in, _, stops := newInbox(t)
	for range 2 { // the platform delivers it again
		if err := in.Receive(t.Context(), message("1", " /stop\n")); err != nil {
			t.Fatal(err)
		}
	}
	turns, err := in.Store.TurnsOf(t.Context(), "test", "1")
	if err != nil || len(turns) != 1 {
		t.Fatalf("it has turns %v, %v", turns, err)
	}
	if want := (stopped{"test/a", turns[0].ID}); len(*stops) != 1 || (*stops)[0] != want {
		t.Errorf("stopped are %v, want %v", *stops, want)
	}
}

func TestAMessageThatCannotBeStoredIsNotReceived(t *testing.T) {
	in, q, stops := newInbox(t)
	if err := in.Store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := in.Receive(t.Context(), message("1", "/stop")); err == nil {
		t.Error("it was received")
	}
	if len(q.begun) != 0 || len(*stops) != 0 {
		t.Errorf("begun are %v, stopped are %v", q.begun, *stops)
	}
}

func TestWhatIsAnsweredInSilenceWhereTheAgentListens(t *testing.T) {
	reacted := func(toAgent bool) platform.Message {
		m := message("1", "")
		m.Reaction = &platform.Reaction{Emoji: "👍", ToAgent: toAgent, To: platform.Message{At: time.Now()}}
		return m
	}
	mentions := message("1", "hi")
	mentions.Mentioned = true
	direct := message("1", "hi")
	direct.Direct = true
	for _, test := range []struct {
		name   string
		m      platform.Message
		silent bool
	}{
		{"a message", message("1", "hi"), true},
		{"no mention", mentions, false},
		{"no direct message", direct, false},
		{"a reaction to somebody else", reacted(false), true},
		{"no reaction to the agent", reacted(true), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, _, _ := newInbox(t)
			in.Rules = inbox.Rules{Mode: func(platform.Message) inbox.Mode { return inbox.Listen }, Reactions: true}
			if err := in.Receive(t.Context(), test.m); err != nil {
				t.Fatal(err)
			}
			turns, err := in.Store.TurnsOf(t.Context(), "test", "1")
			if err != nil || len(turns) != 1 || turns[0].Silent != test.silent {
				t.Errorf("the turns are %+v, %v", turns, err)
			}
		})
	}
}

func TestWhichMessagesStartATurn(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	group := func(mode inbox.Mode) inbox.Rules {
		return inbox.Rules{Mode: func(platform.Message) inbox.Mode { return mode }, Reactions: true, ReactionAge: 24 * time.Hour}
	}
	direct := func(m platform.Message) platform.Message { m.Direct = true; return m }
	mention := func(m platform.Message) platform.Message { m.Mentioned = true; return m }
	reaction := func(emoji string, change func(*platform.Reaction)) platform.Message {
		m := message("1", "")
		m.Reaction = &platform.Reaction{Emoji: emoji, ToAgent: true, To: platform.Message{At: noon.Add(-time.Hour)}}
		if change != nil {
			change(m.Reaction)
		}
		return m
	}
	tests := []struct {
		name  string
		rules inbox.Rules
		m     platform.Message
		turns int  // that begin
		known bool // the message is stored
		stops int
	}{
		{"everything in a direct chat", group(inbox.Off), direct(message("1", "hi")), 1, true, 0},
		{"everything in an open room", group(inbox.Open), message("1", "hi"), 1, true, 0},
		{"everything where a model judges", group(inbox.Judge), message("1", "hi"), 1, true, 0},
		{"a mention in a room that listens", group(inbox.Listen), mention(message("1", "hi")), 1, true, 0},
		{"the rest there, in silence", group(inbox.Listen), message("1", "hi"), 1, true, 0},
		{"but a command that is meant for somebody else", group(inbox.Listen), message("1", "/stop"), 0, true, 0},
		{"a mention", group(inbox.Mention), mention(message("1", "hi")), 1, true, 0},
		{"the rest is not even read", group(inbox.Mention), message("1", "hi"), 0, false, 0},
		{"nothing where it is off", group(inbox.Off), mention(message("1", "hi")), 0, false, 0},
		{"a reaction", group(inbox.Mention), reaction("👍", nil), 1, true, 0},
		{"a reaction that was taken off", group(inbox.Mention), reaction("👍", func(r *platform.Reaction) { r.Removed = true }), 0, false, 0},
		{"unless that is wanted", inbox.Rules{Reactions: true, OnRemove: true}, reaction("👍", func(r *platform.Reaction) { r.Removed = true }), 1, true, 0},
		{"no reaction to something old", group(inbox.Mention), reaction("👍", func(r *platform.Reaction) { r.To.At = noon.Add(-25 * time.Hour) }), 0, false, 0},
		{"no reaction where they are off", inbox.Rules{}, reaction("👍", nil), 0, false, 0},
		{"no reaction in a direct chat", group(inbox.Mention), direct(reaction("👍", nil)), 0, false, 0},
		{"a stop sign stops", group(inbox.Mention), reaction("🛑", nil), 0, false, 1},
		{"a stop sign on a person's message does not", group(inbox.Mention), reaction("🛑", func(r *platform.Reaction) { r.ToAgent = false }), 1, true, 0},
		{"a tick that answers nothing is a reaction like any other", inbox.Rules{}, reaction("✅", nil), 0, false, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in, q, stops := newInbox(t)
			in.Rules, in.Now = test.rules, func() time.Time { return noon }
			if err := in.Receive(t.Context(), test.m); err != nil {
				t.Fatal(err)
			}
			turns, err := in.Store.TurnsOf(t.Context(), "test", "1")
			if err != nil || (len(turns) == 1) != test.known || len(q.begun) != test.turns || len(*stops) != test.stops {
				t.Errorf("turns are %v, %v; begun are %v, stopped are %v", turns, err, q.begun, *stops)
			}
		})
	}
}
