package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/web"
)

// TestMain looks whether anything still runs when all tests are over.
func TestMain(m *testing.M) {
	code := m.Run()
	if left := goroutinesOf("platform/web."); left != "" {
		fmt.Fprintf(os.Stderr, "goroutines are left:\n%s\n", left)
		code = max(code, 1)
	}
	os.Exit(code)
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A page is a Web that is served over TCP and keeps its rooms in a store of its own.
type page struct {
	*web.Web
	t       *testing.T
	server  *httptest.Server
	log     web.Log
	inbox   *inbox
	tick    chan time.Time // to every stream's keep-alive
	stopped chan struct{}  // gets one for every stream that ended
	logged  *platformtest.Log
	endRun  func()
	host    string // to call it by, if it believes to be somewhere else
}

// An inbox stores what it receives.
type inbox struct {
	store   *store.Store
	before  func(platform.Message) error
	after   func(platform.Message)
	patient bool // stores even if the context has ended
	givenUp bool // waits until the context has ended

	mu  sync.Mutex
	got []platform.Message
}

func (in *inbox) Receive(ctx context.Context, m platform.Message) error {
	if in.before != nil {
		if err := in.before(m); err != nil {
			return err
		}
	}
	if in.givenUp {
		<-ctx.Done()
	}
	if in.patient {
		ctx = context.WithoutCancel(ctx)
	}
	if _, err := in.store.Receive(ctx, m, true); err != nil {
		return err
	}
	in.mu.Lock()
	in.got = append(in.got, m)
	in.mu.Unlock()
	if in.after != nil {
		in.after(m)
	}
	return nil
}

func (in *inbox) received() []platform.Message {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]platform.Message(nil), in.got...)
}

// newPage is a page whose Run has not been called.
func newPage(t *testing.T, change func(*web.Options)) *page {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	p := &page{
		t: t, log: store.Web{Store: s}, inbox: &inbox{store: s},
		tick: make(chan time.Time), stopped: make(chan struct{}, 1000), logged: &platformtest.Log{},
	}
	var ids atomic.Int64
	o := web.Options{
		Log: p.log, Listen: "127.0.0.1:0", Now: func() time.Time { return noon },
		NewID:  func() string { return strconv.FormatInt(ids.Add(1), 10) },
		Logger: slog.New(slog.NewTextHandler(p.logged, nil)),
		Every: func(time.Duration) (<-chan time.Time, func()) {
			return p.tick, func() { p.stopped <- struct{}{} }
		},
	}
	if change != nil {
		change(&o)
	}
	if p.Web, err = web.New(o); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(o.Listen, ":0") {
		p.host = o.Listen
	}
	p.server = httptest.NewServer(p.Handler())
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		p.EndStreams()
		p.server.Close()
	})
	return p
}

// newRunningPage is a page that takes messages.
func newRunningPage(t *testing.T, change func(*web.Options)) *page {
	t.Helper()
	p := newPage(t, change)
	p.start()
	return p
}

func (p *page) start() {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx, p.inbox) }()
	p.endRun = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			p.t.Errorf("Run: %v", err)
		}
	})
	p.t.Cleanup(p.endRun)
	p.awaitReady(http.StatusOK)
}

// awaitReady asks /readyz until it answers with a status.
func (p *page) awaitReady(status int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 30*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		if got, _ := p.do("GET", "/readyz", ""); got == status {
			return
		}
	}
	p.t.Fatalf("/readyz does not become %d", status)
}

// goroutinesOf returns the stacks of the goroutines that are in a package.
func goroutinesOf(name string) string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var left []string
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(stack, name) {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

func (p *page) request(method, path, body string, headers ...string) *http.Request {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.server.URL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if p.host != "" {
		r.Host = p.host
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// do makes a request with headers in pairs and returns the status and the body.
func (p *page) do(method, path, body string, headers ...string) (int, string) {
	p.t.Helper()
	a := p.answer(p.request(method, path, body, headers...))
	return a.status, a.body
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (p *page) answer(r *http.Request) answer {
	p.t.Helper()
	response, err := p.server.Client().Do(r)
	if err != nil {
		p.t.Error(err)
		return answer{}
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Error(err)
	}
	return answer{response.StatusCode, response.Header, string(b)}
}

// post writes a message and returns its id.
func (p *page) post(room, body string, headers ...string) string {
	p.t.Helper()
	status, got := p.do("POST", "/api/v1/rooms/"+room+"/messages", body, headers...)
	var told struct{ ID, Room string }
	if err := json.Unmarshal([]byte(got), &told); status != http.StatusAccepted || err != nil || told.Room != room {
		p.t.Fatalf("POST %s: %d %s", body, status, got)
	}
	return told.ID
}

// settle ends the turn of a message and tells the page so.
func (p *page) settle(id string) {
	p.t.Helper()
	ctx := p.t.Context()
	turns, err := p.inbox.store.TurnsOf(ctx, "web", id)
	if err != nil || len(turns) != 1 {
		p.t.Fatalf("message %s has turns %v, %v", id, turns, err)
	}
	t := turns[0]
	if err := errors.Join(p.inbox.store.SaveReply(ctx, t, store.Reply{}), p.inbox.store.Settle(ctx, t, nil)); err != nil {
		p.t.Fatal(err)
	}
	p.Settled(ctx, t.Message.Room, id, t.ID)
}

type message struct {
	web.Entry
	Outcomes []json.RawMessage `json:"outcomes"`
}

func (p *page) messages(room, query string) []message {
	p.t.Helper()
	status, body := p.do("GET", "/api/v1/rooms/"+room+"/messages"+query, "")
	var told struct{ Messages []message }
	if err := json.Unmarshal([]byte(body), &told); status != http.StatusOK || err != nil {
		p.t.Fatalf("GET messages: %d %s", status, body)
	}
	return told.Messages
}

// A client reads an event stream.
type client struct {
	t      *testing.T
	lines  *bufio.Reader
	closed func()
	last   string // the last id
}

type event struct {
	id, kind, data, comment string
}

// follow opens an event stream and reads its beginning.
func (p *page) follow(room, query string, headers ...string) *client {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 30*time.Second)
	r := p.request("GET", "/api/v1/rooms/"+room+"/events"+query, "", headers...)
	response, err := p.server.Client().Do(r.WithContext(ctx))
	if err != nil {
		p.t.Fatal(err)
	}
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream; charset=utf-8" {
		p.t.Fatalf("GET events: %s, %s", response.Status, kind)
	}
	c := &client{t: p.t, lines: bufio.NewReader(response.Body), closed: func() { cancel(); response.Body.Close() }}
	p.t.Cleanup(c.closed)
	if first, err := c.read(); err != nil || first.kind != "" || first.id == "" {
		p.t.Fatalf("the stream begins with %+v, %v", first, err)
	}
	return c
}

// read reads up to the next blank line.
func (c *client) read() (event, error) {
	var e event
	for {
		line, err := c.lines.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "":
			if line == "" {
				return e, nil
			}
			e.comment = value
		case "id":
			e.id, c.last = value, value
		case "event":
			e.kind = value
		case "data":
			e.data = value
		}
	}
}

func (c *client) next() event {
	c.t.Helper()
	e, err := c.read()
	if err != nil {
		c.t.Fatalf("the stream ended: %v", err)
	}
	return e
}

// ends fails unless the stream ends here.
func (c *client) ends() {
	c.t.Helper()
	if e, err := c.read(); !errors.Is(err, io.EOF) {
		c.t.Fatalf("got %+v, %v; want the end of the stream", e, err)
	}
}

// entry is the entry in an event.
func (e event) entry(t *testing.T) web.Entry {
	t.Helper()
	var entry web.Entry
	if err := json.Unmarshal([]byte(e.data), &entry); err != nil {
		t.Fatalf("%+v: %v", e, err)
	}
	return entry
}

// errorOf is the sentence in an error, which is all that the body is.
func errorOf(t *testing.T, body string) string {
	t.Helper()
	var told map[string]string
	if err := json.Unmarshal([]byte(body), &told); err != nil || len(told) != 1 || told["error"] == "" {
		t.Fatalf("%q is not {\"error\":…}", body)
	}
	return told["error"]
}

// A brokenLog fails.
type brokenLog struct {
	web.Log
	err error
}

func (l brokenLog) Add(context.Context, web.Entry) error { return l.err }
func (l brokenLog) Edit(context.Context, string, string, string) (bool, error) {
	return false, l.err
}
func (l brokenLog) Delete(context.Context, string, string) (bool, error) { return false, l.err }
func (l brokenLog) React(context.Context, string, string, string, bool) (bool, error) {
	return false, l.err
}

func (l brokenLog) Entries(context.Context, string, string, int) ([]web.Entry, error) {
	return nil, l.err
}

func (l brokenLog) Events(context.Context, string, int64, int) ([]web.Event, error) {
	return nil, l.err
}

func (l brokenLog) EntriesBefore(context.Context, string, string, int) ([]web.Entry, error) {
	return nil, l.err
}
func (l brokenLog) Rooms(context.Context, int) ([]web.Room, error)  { return nil, l.err }
func (l brokenLog) File(context.Context, string) (*web.File, error) { return nil, l.err }
func (l brokenLog) Last(context.Context, string) (int64, error)     { return 0, l.err }
