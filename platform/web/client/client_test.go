package client_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
	"github.com/asidehq/aside/platform/web/client"
)

// A server is the real web platform over TCP. What it does is answered by the test.
type server struct {
	*web.Web
	t     *testing.T
	store *store.Store
	http  *httptest.Server

	mu       sync.Mutex
	before   func(http.ResponseWriter, *http.Request) bool // false: it was answered
	requests int
}

type inbox struct{ *store.Store }

func (in inbox) Receive(ctx context.Context, m platform.Message) error {
	_, err := in.Store.Receive(ctx, m, true)
	return err
}

// settle ends the turn of a message and tells the page so.
func (s *server) settle(id string) int64 {
	s.t.Helper()
	ctx := s.t.Context()
	turns, err := s.store.TurnsOf(ctx, "web", id)
	if err != nil || len(turns) != 1 {
		s.t.Fatalf("message %s has turns %v, %v", id, turns, err)
	}
	t := turns[0]
	if err := errors.Join(s.store.SaveReply(ctx, t, store.Reply{}), s.store.Settle(ctx, t, nil)); err != nil {
		s.t.Fatal(err)
	}
	s.Settled(ctx, t.Message.Room, id, t.ID)
	return t.ID
}

const token = "a-token-of-more-than-16"

func newServer(t *testing.T) *server {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	page, err := web.New(web.Options{Log: store.Web{Store: s}, Listen: "127.0.0.1:0", Token: token, Turns: turns{}})
	if err != nil {
		t.Fatal(err)
	}
	srv := &server{Web: page, t: t, store: s}
	srv.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		srv.mu.Lock()
		srv.requests++
		before := srv.before
		srv.mu.Unlock()
		if before == nil || before(w, r) {
			page.Handler().ServeHTTP(w, r)
		}
	}))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- page.Run(ctx, inbox{s}) }()
	t.Cleanup(func() {
		page.EndStreams()
		cancel()
		<-ended
		srv.http.Close()
	})
	c := srv.client(client.Options{Patience: 30 * time.Second})
	for c.Ready(t.Context()) != nil && t.Context().Err() == nil {
	}
	return srv
}

// faults makes the server do something else first.
func (s *server) faults(before func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before, s.requests = before, 0
}

// turns knows the turn of one message.
type turns struct{}

func (turns) Turn(context.Context, int64) (any, error)            { return nil, nil }
func (turns) Turns(context.Context, web.TurnQuery) ([]any, error) { return nil, nil }

func (turns) TurnsOf(_ context.Context, _, message string) ([]any, error) {
	if message != "m1" {
		return nil, nil
	}
	return []any{map[string]any{
		"id": 7, "state": "settled", "reply": "[LIKE]", "failure": "Stopped.",
		"actions":  []any{map[string]any{"type": "react", "outcome": "done", "summary": "reacted"}},
		"receipts": []any{map[string]any{"post": "a1", "state": "delivered"}},
		"problems": []any{map[string]any{"kind": "unclosed", "raw": "<", "explanation": "no end"}},
	}}, nil
}

func (s *server) client(o client.Options) *client.Client {
	s.t.Helper()
	o.URL = s.http.URL
	if o.Token == "" {
		o.Token = token
	}
	if o.Wait == nil {
		o.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	c, err := client.New(o)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func patient(s *server) *client.Client { return s.client(client.Options{Patience: time.Hour}) }

var lobby = platform.Room{Platform: "web", ID: "lobby"}

func TestAMessageIsWrittenOnceHoweverOftenItIsSent(t *testing.T) {
	hangUp := func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
	tests := []struct {
		name  string
		fault func(s *server) func(http.ResponseWriter, *http.Request) bool
	}{
		{"the connection is cut before it arrives", func(*server) func(http.ResponseWriter, *http.Request) bool { return hangUp }},
		{"the answer gets lost", func(s *server) func(http.ResponseWriter, *http.Request) bool {
			return func(_ http.ResponseWriter, r *http.Request) bool {
				s.Handler().ServeHTTP(httptest.NewRecorder(), r)
				panic(http.ErrAbortHandler)
			}
		}},
		{"it is not taken now", func(*server) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, _ *http.Request) bool {
				http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
				return false
			}
		}},
		{"the answer breaks off", func(s *server) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, r *http.Request) bool {
				s.Handler().ServeHTTP(httptest.NewRecorder(), r)
				w.Header().Set("Content-Length", "1000")
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusAccepted)
				_, _ = w.Write([]byte(`{"id":`))
				return false
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t)
			c := patient(s)
			var times atomic.Int32
			fault := test.fault(s)
			s.faults(func(w http.ResponseWriter, r *http.Request) bool {
				return times.Add(1) > 3 || fault(w, r)
			})
			id, err := c.Write(t.Context(), "lobby", client.Draft{Text: "Hi", User: "ada", Key: "1"})
			if err != nil || id == "" {
				t.Fatalf("got %q, %v", id, err)
			}
			got, err := c.Messages(t.Context(), "lobby", "", 10)
			if err != nil || len(got) != 1 || got[0].ID != id || got[0].Text != "Hi" || got[0].Author != "ada" {
				t.Errorf("the room has %+v, %v", got, err)
			}
		})
	}
}

func TestWhatDoesNotPassIsNotTriedAgain(t *testing.T) {
	s := newServer(t)
	page := func(status int, kind, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
			return false
		}
	}
	noise := func(w http.ResponseWriter, _ *http.Request) bool {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = connection.Write([]byte("SSH-2.0-OpenSSH_9.7\r\n"))
			connection.Close()
		}
		return false
	}
	tests := []struct {
		name  string
		fault func(http.ResponseWriter, *http.Request) bool
		token string
		room  string
		want  func(error) bool
	}{
		{name: "a wrong token", token: "another-token-of-16", want: func(err error) bool { return client.Refused(err, http.StatusUnauthorized) }},
		{name: "a room that cannot be", room: "a b", want: func(err error) bool { return client.Refused(err, http.StatusBadRequest) }},
		{name: "a room that is a way to another", room: "..", want: func(err error) bool { return client.Refused(err, http.StatusBadRequest) }},
		{name: "a room with a slash", room: "lobby/messages", want: func(err error) bool { return client.Refused(err, http.StatusBadRequest) }},
		{name: "a web page", fault: page(200, "text/html", "<h1>It works!</h1>"), want: notAside},
		{name: "a page that is missing", fault: page(404, "text/html", "<h1>Not found</h1>"), want: notAside},
		{name: "another API", fault: page(200, "application/json", `{"ok":true}`), want: notAside},
		{name: "JSON without end", fault: page(200, "application/json", `{"id":`), want: notAside},
		{name: "a redirect", fault: func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
			return false
		}, want: notAside},
		{name: "something that is not HTTP", fault: noise, want: notAside},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := s.client(client.Options{Patience: time.Hour, Token: test.token})
			room := test.room
			if room == "" {
				room = "lobby"
			}
			s.faults(test.fault)
			if _, err := c.Write(t.Context(), room, client.Draft{Text: "Hi", Key: "1"}); !test.want(err) {
				t.Errorf("writing is %v", err)
			}
			if _, err := c.Messages(t.Context(), room, "", 1); !test.want(err) {
				t.Errorf("reading is %v", err)
			}
			for _, err := range c.Follow(t.Context(), room) {
				if !test.want(err) {
					t.Errorf("following is %v", err)
				}
				break
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.requests != 3 {
				t.Errorf("there were %d requests", s.requests)
			}
		})
	}
}

func notAside(err error) bool { return errors.Is(err, client.ErrNotAside) }

func TestPatienceEnds(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	listener.Close()
	now := time.Unix(0, 0)
	tries := 0
	c, err := client.New(client.Options{
		URL: address, Patience: 10 * time.Second, Now: func() time.Time { return now },
		Wait: func(_ context.Context, d time.Duration) error { tries++; now = now.Add(d); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Write(t.Context(), "lobby", client.Draft{Text: "Hi", Key: "1"})
	if !errors.Is(err, client.ErrUnreachable) || !client.NobodyListens(err) || tries < 5 || tries > 20 || now.Unix() > 10 {
		t.Errorf("after %d tries until %s: %v", tries, now, err)
	}
	for _, err := range c.Follow(t.Context(), "lobby") {
		if !errors.Is(err, client.ErrUnreachable) {
			t.Errorf("following is %v", err)
		}
	}
	if err := c.Ready(t.Context()); err == nil || !client.NobodyListens(err) {
		t.Errorf("ready is %v", err)
	}
}

func TestTheContextEndsWaiting(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	c := s.client(client.Options{Patience: time.Hour, Wait: func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }})
	s.faults(func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) })
	if _, err := c.Write(ctx, "lobby", client.Draft{Text: "Hi", Key: "1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTurns(t *testing.T) {
	s := newServer(t)
	c := patient(s)
	got, err := c.Turns(t.Context(), "m1")
	if err != nil || len(got) != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	turn := got[0]
	if turn.ID != 7 || turn.State != client.Settled || turn.Failure != "Stopped." || !turn.Actions[0].Done() || turn.Receipts[0].Post != "a1" || turn.Problems[0].Kind != "unclosed" {
		t.Errorf("got %+v", turn)
	}
	if _, err := c.Turns(t.Context(), "m2"); !client.Refused(err, http.StatusNotFound) {
		t.Errorf("a message without turns is %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"", "127.0.0.1:8787", "localhost", "ftp://localhost", "http://", "http://me:secret@localhost", "http://localhost?x=1", "http://localhost#x", "http://local host"} {
		if _, err := client.New(client.Options{URL: address}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
	for _, address := range []string{"http://127.0.0.1:8787", "https://aside.example.com/", "http://[::1]:8787/below/"} {
		if _, err := client.New(client.Options{URL: address}); err != nil {
			t.Errorf("%q is %v", address, err)
		}
	}
}
