package web_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

var lobby = platform.Room{Platform: "web", ID: "lobby"}

func TestEverythingThatHappensIsAnEvent(t *testing.T) {
	p := newRunningPage(t, nil)
	p.post("lobby", `{"text":"before"}`)
	stream := p.follow("lobby", "")
	p.post("attic", `{"text":"elsewhere"}`)
	p.post("lobby", `{"text":"Hi <b>\n\r\nthere</b>"}`)
	ctx := t.Context()
	post := p.Post(ctx, platform.Post{Key: "1", Room: lobby, Text: "Hel", ReplyTo: "m3"})
	p.Edit(ctx, lobby, post.ID, "Hello")
	p.React(ctx, lobby, "m3", "👍")
	p.Unreact(ctx, lobby, "m3", "👍")
	p.Delete(ctx, lobby, post.ID)
	p.settle("m3")

	const agent = `"room":"lobby","author":"Aside","kind":"agent"`
	const person = `{"id":"m3","room":"lobby","author":"you","kind":"person","text":"Hi \u003cb\u003e\n\r\nthere\u003c/b\u003e","reply_to":"","mark":""`
	const at = `"files":[],"at":"2026-03-01T12:00:00Z"}`
	want := []event{
		{kind: "post", data: person + `,"reactions":[],` + at},
		{kind: "post", data: `{"id":"` + post.ID + `",` + agent + `,"text":"Hel","reply_to":"m3","mark":"","reactions":[],` + at},
		{kind: "edit", data: `{"id":"` + post.ID + `",` + agent + `,"text":"Hello","reply_to":"m3","mark":"","reactions":[],` + at},
		{kind: "react", data: person + `,"reactions":["👍"],` + at},
		{kind: "react", data: person + `,"reactions":[],` + at},
		{kind: "delete", data: `{"id":"` + post.ID + `",` + agent + `,"text":"","reply_to":"m3","mark":"","reactions":[],` + at},
		{kind: "settled", data: `{"message":"m3","turn":3}`},
	}
	for i, want := range want {
		want.id = strconv.Itoa(i + 3) // one event before, one elsewhere
		if got := stream.next(); got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestWhereAStreamBegins(t *testing.T) {
	p := newRunningPage(t, nil)
	for i := range 3 {
		p.post("lobby", fmt.Sprintf(`{"text":"%d"}`, i+1))
	}
	tests := []struct {
		name, query string
		headers     []string
		want        string
	}{
		{"now, if it does not say", "", nil, "new"},
		{"at the first event, after 0", "?after=0", nil, "1"},
		{"behind the number in the address", "?after=2", nil, "3"},
		{"behind the number in the header", "", []string{"Last-Event-ID", "1"}, "2"},
		{"behind the header's number rather than the address's", "?after=0", []string{"Last-Event-ID", "2"}, "3"},
		{"now, if the log was begun anew", "?after=999", nil, "new"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stream := p.follow("lobby", test.query, test.headers...)
			if test.want == "new" {
				p.post("lobby", `{"text":"new"}`)
			}
			if got := stream.next().entry(t); got.Text != test.want {
				t.Errorf("got %q, want %q", got.Text, test.want)
			}
		})
	}
	t.Run("where it would have begun, if it is cut off before the first event", func(t *testing.T) {
		stream := p.follow("lobby", "")
		stream.closed()
		p.post("lobby", `{"text":"missed"}`)
		stream = p.follow("lobby", "", "Last-Event-ID", stream.last)
		if got := stream.next().entry(t); got.Text != "missed" {
			t.Errorf("got %q", got.Text)
		}
	})
}

func TestWhoComesBackGetsEveryEventOnce(t *testing.T) {
	const writers, each = 4, 25
	p := newRunningPage(t, nil)
	stream := p.follow("lobby", "")
	var writing sync.WaitGroup
	defer writing.Wait()
	for writer := range writers {
		writing.Go(func() {
			for i := range each {
				body := fmt.Sprintf(`{"text":"%d/%d"}`, writer, i)
				if status, got := p.do("POST", "/api/v1/rooms/lobby/messages", body); status != http.StatusAccepted {
					t.Errorf("%d %s", status, got)
				}
			}
		})
	}
	seen := map[string]bool{}
	last := 0
	for n := range writers * each {
		if n%7 == 6 {
			stream.closed()
			stream = p.follow("lobby", "", "Last-Event-ID", stream.last)
		}
		e := stream.next()
		id, _ := strconv.Atoi(e.id)
		text := e.entry(t).Text
		if id <= last || seen[text] {
			t.Fatalf("event %d (%s) comes after %d", id, text, last)
		}
		last, seen[text] = id, true
	}
}

func TestALongAbsenceIsMadeUpFor(t *testing.T) {
	p := newRunningPage(t, nil)
	const missed = 250 // more than is read at once
	for i := range missed {
		if err := p.log.Add(t.Context(), web.Entry{ID: strconv.Itoa(i), Room: "lobby"}); err != nil {
			t.Fatal(err)
		}
	}
	stream := p.follow("lobby", "?after=0")
	for i := range missed {
		if e := stream.next(); e.entry(t).ID != strconv.Itoa(i) {
			t.Fatalf("got %+v, want %d", e, i)
		}
	}
}

func TestTypingIsShownAndNotKept(t *testing.T) {
	p := newRunningPage(t, nil)
	if err := p.Typing(t.Context(), lobby); err != nil { // nobody is looking
		t.Fatal(err)
	}
	stream := p.follow("lobby", "?after=0")
	if err := p.Typing(t.Context(), lobby); err != nil {
		t.Fatal(err)
	}
	if got, want := stream.next(), (event{kind: "typing", data: `{"room":"lobby"}`}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if last, err := p.log.Last(t.Context(), "lobby"); last != 0 || err != nil {
		t.Errorf("the log has event %d, %v", last, err)
	}
}

func TestKeepAlive(t *testing.T) {
	p := newRunningPage(t, nil)
	stream := p.follow("lobby", "")
	p.tick <- noon
	if e := stream.next(); e.comment != "still here" || e.kind != "" {
		t.Errorf("got %+v", e)
	}
	// Nobody is woken: as if another process had written it.
	if err := p.log.Add(t.Context(), web.Entry{ID: "x", Room: "lobby"}); err != nil {
		t.Fatal(err)
	}
	p.tick <- noon
	stream.next()
	if e := stream.next(); e.entry(t).ID != "x" {
		t.Errorf("what woke nobody does not come with the keep-alive, but %+v", e)
	}
}

func TestAStreamEnds(t *testing.T) {
	t.Run("when Run's context ends", func(t *testing.T) {
		p := newRunningPage(t, nil)
		stream := p.follow("lobby", "")
		p.endRun()
		stream.ends()
	})
	t.Run("when the server shuts down", func(t *testing.T) {
		p := newRunningPage(t, nil)
		p.server.Config.RegisterOnShutdown(p.EndStreams)
		stream := p.follow("lobby", "")
		if err := p.server.Config.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		stream.ends()
	})
	t.Run("when the client goes", func(t *testing.T) {
		p := newRunningPage(t, nil)
		p.follow("lobby", "").closed()
		<-p.stopped
	})
	t.Run("at once, after EndStreams", func(t *testing.T) {
		p := newRunningPage(t, nil)
		p.EndStreams()
		if status, _ := p.do("GET", "/api/v1/rooms/lobby/events", ""); status != http.StatusServiceUnavailable {
			t.Errorf("got %d", status)
		}
	})
	t.Run("when the log cannot be read", func(t *testing.T) {
		p := newRunningPage(t, func(o *web.Options) { o.Log = noEvents{o.Log} })
		p.follow("lobby", "").ends()
		if !strings.Contains(p.logged.String(), "an event stream ended early") {
			t.Errorf("the log says %q", p.logged)
		}
	})
	t.Run("after its head, if that is all that is asked for", func(t *testing.T) {
		p := newRunningPage(t, nil)
		if status, _ := p.do("HEAD", "/api/v1/rooms/lobby/events", ""); status != http.StatusOK {
			t.Errorf("got %d", status)
		}
	})
}

// noEvents is a log whose events cannot be read.
type noEvents struct{ web.Log }

func (noEvents) Events(context.Context, string, int64, int) ([]web.Event, error) {
	return nil, errors.New("disk on fire")
}

func TestASlowClientHoldsUpNobody(t *testing.T) {
	p := newRunningPage(t, nil)
	address := p.server.Listener.Addr().String()
	slow, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slow.Close() })
	if err := slow.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(slow, "GET /api/v1/rooms/lobby/events?after=0 HTTP/1.1\r\nHost: %s\r\n\r\n", address)
	if _, err := slow.Read(make([]byte, 1)); err != nil { // it has begun, and is not read any further
		t.Fatal(err)
	}
	stream := p.follow("lobby", "")
	large := strings.Repeat("x", 1<<20-100)
	for range 6 { // more than the network holds
		p.post("lobby", `{"text":"`+large+`"}`)
		if got := stream.next().entry(t); got.Text != large {
			t.Fatalf("got %.20q", got.Text)
		}
	}
}

// A deadlineWriter remembers the deadlines that were set.
type deadlineWriter struct {
	*httptest.ResponseRecorder
	read, write []time.Time
	flushed     func()
}

func (d *deadlineWriter) SetReadDeadline(t time.Time) error { d.read = append(d.read, t); return nil }

func (d *deadlineWriter) SetWriteDeadline(t time.Time) error {
	d.write = append(d.write, t)
	return nil
}
func (d *deadlineWriter) FlushError() error { d.flushed(); return nil }

func TestTheServersTimeLimitsDoNotEndAStream(t *testing.T) {
	p := newRunningPage(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	before := time.Now()
	d := &deadlineWriter{ResponseRecorder: httptest.NewRecorder(), flushed: cancel}
	r := httptest.NewRequestWithContext(context.WithValue(ctx, http.LocalAddrContextKey, p.server.Listener.Addr()), "GET", p.server.URL+"/api/v1/rooms/lobby/events", nil)
	p.Handler().ServeHTTP(d, r)
	if len(d.read) != 1 || !d.read[0].IsZero() {
		t.Errorf("the read deadline is %v, want none", d.read)
	}
	if len(d.write) != 2 || !d.write[0].After(before) || !d.write[1].IsZero() {
		t.Errorf("the write deadlines are %v, want one for what was written and none in the end", d.write)
	}
}
