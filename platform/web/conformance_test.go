package web_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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

func TestPlatform(t *testing.T) {
	platformtest.Run(t, platformtest.Harness{
		Start: startPeople,
		Edit:  platformtest.Can, Delete: platformtest.Can, React: platformtest.Can, Type: platformtest.Can,
		Open: platformtest.Cannot, Choose: platformtest.Cannot,
		Upload: platformtest.Can, Attach: platformtest.Can,
		IDs: platformtest.Can, Keys: platformtest.Can, Acks: platformtest.Can,
		Refuse: platformtest.Cannot, // the page keeps its own rooms; TestReceipts has what can go wrong
	})
}

// people are what the web page has in place of a platform's server: clients that
// send each message with a key, in order, again and again until it is accepted.
type people struct {
	t       *testing.T
	store   *store.Store
	log     *losingLog
	server  *httptest.Server
	handler atomic.Pointer[http.Handler]
	queue   chan written

	mu    sync.Mutex
	texts []written
}

type written struct {
	room, key, id, text string
	files               []platform.File
	accepted            chan struct{}
	once                *sync.Once
}

func startPeople(suite platformtest.T) platformtest.Server {
	t := suite.(*testing.T)
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	p := &people{t: t, store: s, log: &losingLog{Log: store.Web{Store: s}}, queue: make(chan written, 100)}
	p.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		(*p.handler.Load()).ServeHTTP(rw, r)
	}))
	ctx, cancel := context.WithCancel(context.Background())
	var sending sync.WaitGroup
	sending.Go(func() { p.send(ctx) })
	t.Cleanup(func() {
		cancel()
		sending.Wait()
		p.server.Close()
		s.Close()
	})
	return p
}

func (p *people) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-p.queue:
			for ctx.Err() == nil && !p.try(ctx, m) {
			}
		}
	}
}

// try sends a message and reports whether it was accepted.
func (p *people) try(ctx context.Context, m written) bool {
	body, kind := p.body(m)
	r, _ := http.NewRequestWithContext(ctx, "POST", p.server.URL+"/api/v1/rooms/"+m.room+"/messages", strings.NewReader(body))
	r.Header.Set("Idempotency-Key", m.key)
	r.Header.Set("Content-Type", kind)
	response, err := p.server.Client().Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	if response.StatusCode != http.StatusAccepted {
		return false
	}
	m.once.Do(func() { close(m.accepted) })
	return true
}

// body is a message as JSON, or as a form if it has files.
func (p *people) body(m written) (body, kind string) {
	if m.files == nil {
		b, _ := json.Marshal(map[string]string{"text": m.text})
		return string(b), "application/json"
	}
	parts := []part{field("text", m.text)}
	for _, f := range m.files {
		parts = append(parts, file(f.Name, f.Type, string(f.Data)))
	}
	return form(p.t, parts...)
}

func (p *people) Adapter() platform.Platform {
	w, err := web.New(web.Options{Log: p.log, Listen: "127.0.0.1:0", FileSize: 64 << 10, Now: func() time.Time { return noon }})
	if err != nil {
		p.t.Fatal(err)
	}
	handler := w.Handler()
	p.handler.Store(&handler)
	return stored{w, p.store}
}

// stored is a page whose inbox also stores what it takes, as the log wants it.
type stored struct {
	*web.Web
	store *store.Store
}

func (s stored) Run(ctx context.Context, in platform.Inbox) error {
	return s.Web.Run(ctx, both{in, &inbox{store: s.store, patient: true}})
}

type both [2]platform.Inbox

func (b both) Receive(ctx context.Context, m platform.Message) error {
	if err := b[0].Receive(ctx, m); err != nil {
		return err
	}
	return b[1].Receive(ctx, m)
}

func (p *people) Room() platform.Room { return lobby }

func (p *people) Connected(ctx context.Context) error {
	for {
		r, err := http.NewRequestWithContext(ctx, "GET", p.server.URL+"/readyz", nil)
		if err != nil {
			return err
		}
		response, err := p.server.Client().Do(r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // Drop
		}
		response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
	}
}

func (p *people) Write(room platform.Room, text string) string { return p.Attach(room, text) }

func (p *people) Attach(room platform.Room, text string, files ...platform.File) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := fmt.Sprint(len(p.texts))
	sum := sha256.Sum256([]byte(room.ID + "\x00" + key))
	m := written{
		room: room.ID, key: key, id: "k" + base64.RawURLEncoding.EncodeToString(sum[:])[:22], text: text, files: files,
		accepted: make(chan struct{}), once: new(sync.Once),
	}
	p.texts = append(p.texts, m)
	p.queue <- m
	return m.id
}

func (p *people) find(id string) written {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.texts {
		if m.id == id {
			return m
		}
	}
	p.t.Errorf("nobody wrote %s", id)
	return written{}
}

func (p *people) Repeat(_ platform.Room, id string) { p.queue <- p.find(id) }

func (p *people) Received(_ platform.Room, id string) <-chan struct{} { return p.find(id).accepted }

func (p *people) entries(room platform.Room) []web.Entry {
	entries, err := p.log.Entries(context.Background(), room.ID, "", 1000)
	if err != nil {
		p.t.Error(err)
	}
	return entries
}

func (p *people) Posts(room platform.Room) []platformtest.Post {
	var posts []platformtest.Post
	for _, e := range p.entries(room) {
		if e.Kind == "agent" {
			posts = append(posts, platformtest.Post{ID: e.ID, Text: e.Text, Files: p.files(e)})
		}
	}
	return posts
}

// files are downloaded as people do it.
func (p *people) files(e web.Entry) (files []platform.File) {
	for _, f := range e.Files {
		response, err := p.server.Client().Get(p.server.URL + "/api/v1/files/" + f.ID)
		if err != nil {
			p.t.Error(err)
			continue
		}
		data, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			p.t.Errorf("%s, %v", response.Status, err)
		}
		files = append(files, platform.File{Name: f.Name, Data: data})
	}
	return files
}

func (p *people) Reactions(room platform.Room, message string) []string {
	for _, e := range p.entries(room) {
		if e.ID == message {
			return e.Reactions
		}
	}
	return nil
}

func (p *people) Fail(fault platformtest.Fault) {
	if fault != platformtest.Lose {
		p.t.Errorf("the web page neither refuses nor asks to wait")
	}
	p.log.lose.Store(true)
}

func (p *people) Drop() { p.server.CloseClientConnections() }

// A losingLog does what it is asked and loses the answer, once.
type losingLog struct {
	web.Log
	lose atomic.Bool
}

func (l *losingLog) Add(ctx context.Context, e web.Entry) error {
	err := l.Log.Add(ctx, e)
	if l.lose.Swap(false) {
		return errors.Join(err, context.DeadlineExceeded)
	}
	return err
}
