package client_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web/client"
)

// A follower reads events one by one.
type follower struct {
	t    *testing.T
	next func() (client.Event, error, bool)
}

func follow(t *testing.T, c *client.Client) *follower {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	next, stop := iter.Pull2(c.Follow(ctx, "lobby"))
	t.Cleanup(stop)
	return &follower{t, next}
}

// want reads an event, leaving signs of life aside.
func (f *follower) want(kind, text string) client.Event {
	f.t.Helper()
	for {
		e, err, ok := f.next()
		if !ok || err != nil {
			f.t.Fatalf("it ended with %v before %s %q", err, kind, text)
		}
		if e.Kind == client.Alive {
			continue
		}
		if e.Kind != kind || e.Message.Text != text {
			f.t.Fatalf("got %+v, want %s %q", e, kind, text)
		}
		return e
	}
}

func TestARoomIsFollowed(t *testing.T) {
	s := newServer(t)
	ctx := t.Context()
	c := patient(s)
	write := func(text string) string {
		t.Helper()
		id, err := c.Write(ctx, "lobby", client.Draft{Text: text, Key: text})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	write("before")
	f := follow(t, c)
	f.want(client.Connected, "")
	id := write("Hi")
	f.want(client.EventPost, "Hi")
	post := s.Post(ctx, platform.Post{Key: "1", Room: lobby, Text: "Hel", ReplyTo: id})
	if e := f.want(client.EventPost, "Hel"); e.Message.Kind != "agent" || e.Message.ReplyTo != id {
		t.Errorf("got %+v", e)
	}
	s.Edit(ctx, lobby, post.ID, "Hello")
	f.want(client.EventEdit, "Hello")
	s.React(ctx, lobby, id, "👍")
	if e := f.want(client.EventReact, "Hi"); len(e.Message.Reactions) != 1 {
		t.Errorf("got %+v", e)
	}
	if err := s.Typing(ctx, lobby); err != nil {
		t.Fatal(err)
	}
	f.want(client.EventTyping, "")
	s.Delete(ctx, lobby, post.ID)
	f.want(client.EventDelete, "")
	turn := s.settle(id)
	if e := f.want(client.EventSettled, ""); e.Settled != id || e.Turn != turn {
		t.Errorf("got %+v", e)
	}
}

func TestNothingIsMissedOrSeenTwiceAcrossConnections(t *testing.T) {
	s := newServer(t)
	c := patient(s)
	f := follow(t, c)
	f.want(client.Connected, "")
	n := 0
	post := func() string {
		n++
		text := fmt.Sprintf("post %d", n)
		s.Post(t.Context(), platform.Post{Key: text, Room: lobby, Text: text})
		return text
	}
	for range 5 {
		f.want(client.EventPost, post())
		s.http.CloseClientConnections()
		away := post()
		f.want(client.Connected, "")
		f.want(client.EventPost, away)
	}
	// Cut off before anything happened: the first connection said where it began.
	f = follow(t, c)
	f.want(client.Connected, "")
	s.http.CloseClientConnections()
	away := post()
	f.want(client.Connected, "")
	f.want(client.EventPost, away)
}

func TestAStreamWithoutASignOfLifeIsGivenUp(t *testing.T) {
	s := newServer(t)
	var times atomic.Int32
	s.faults(func(_ http.ResponseWriter, r *http.Request) bool {
		if times.Add(1) == 1 {
			<-r.Context().Done() // takes the connection and says nothing
			panic(http.ErrAbortHandler)
		}
		return true
	})
	f := follow(t, s.client(client.Options{Patience: time.Hour, Silence: 50 * time.Millisecond}))
	f.want(client.Connected, "")
	if n := times.Load(); n < 2 {
		t.Errorf("there were %d connections", n)
	}
}

func TestWhatIsNotKnownIsLeftAside(t *testing.T) {
	s := newServer(t)
	s.faults(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "retry: 1\nid: 4\n\n: still here\n\nevent: later\ndata: {}\n\nevent: post\ndata: {\"text\":\ndata: \"Hi\"}\n\nevent: edit\ndata: nonsense\n\nunknown\nevent: settled\ndata: {\"message\":\"m1\",\"turn\":3}\n\n")
		return false
	})
	var got []string
	for e, err := range patient(s).Follow(t.Context(), "lobby") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Kind+e.Message.Text)
		if e.Kind == client.EventSettled {
			break
		}
	}
	if want := "[connected alive postHi settled]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestFollowingEndsWithItsContext(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for e, err := range patient(s).Follow(ctx, "lobby") {
		if e.Kind == client.Connected {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("it ended with %v", last)
	}
}
