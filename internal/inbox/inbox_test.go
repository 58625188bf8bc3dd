package inbox_test

import (
	"testing"
	"time"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
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
	s, err := store.Open(t.Context(), "sqlite", t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	q, stops = &queue{}, &[]stopped{}
	return &inbox.Inbox{Store: s, Queue: q, Stop: func(session string, before int64) {
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
