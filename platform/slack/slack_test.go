package slack_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/slack"
)

// A clock is the real one, except that nobody waits.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.pass(d)
	return ctx.Err()
}

// A bookmark is what a restarted program finds.
type bookmark struct {
	mu   sync.Mutex
	data []byte
	err  error
}

func (b *bookmark) Load(context.Context) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data, b.err
}

func (b *bookmark) Save(_ context.Context, data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.data = data
	}
	return b.err
}

// threads are those that the agent takes part in, as the store would know.
type threads struct {
	mu      sync.Mutex
	engaged map[string]bool
	latest  string
}

func (t *threads) engage(room string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.engaged[room] = true
}

func (t *threads) Engaged(_ context.Context, room platform.Room) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.engaged[room.ID], nil
}

func (t *threads) Recent(_ context.Context, _ platform.Room, _ time.Time, _ int) ([]platform.Room, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []platform.Room
	for id := range t.engaged {
		all = append(all, platform.Room{Platform: "slack", ID: id})
	}
	return all, nil
}

func (t *threads) Latest(context.Context, platform.Room, string) (platform.Room, bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return platform.Room{Platform: "slack", ID: t.latest}, t.latest != "", nil
}

// A desk is an adapter at a Slack for tests, and what it has received.
type desk struct {
	t *testing.T
	*slacktest.Server
	*slack.Slack
	clock    *clock
	bookmark *bookmark
	threads  *threads
	options  slack.Options
	log      *lockedBuffer
	ctx      context.Context

	mu       sync.Mutex
	received []platform.Message
	news     chan struct{}
	refuse   func(platform.Message) error

	stop  context.CancelFunc
	ended chan error
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	d := &desk{
		t: t, Server: slacktest.New(t), clock: &clock{}, bookmark: &bookmark{}, threads: &threads{engaged: map[string]bool{}},
		log: &lockedBuffer{}, ctx: ctx, news: make(chan struct{}),
	}
	d.options = slack.Options{
		BotToken: slacktest.BotToken, AppToken: slacktest.AppToken, APIURL: d.APIURL(), Bookmark: d.bookmark, Threads: d.threads,
		Now: d.clock.now, Wait: d.clock.wait, FileSize: 1 << 20,
		Logger: slog.New(slog.NewTextHandler(d.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	d.anew()
	return d
}

// anew makes the adapter that a restarted program would have.
func (d *desk) anew() {
	d.t.Helper()
	s, err := slack.New(d.options)
	if err != nil {
		d.t.Fatal(err)
	}
	d.Slack = s
}

// run runs the adapter until the test ends or halt.
func (d *desk) run() {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.ctx)
	ended := make(chan error, 1)
	d.stop, d.ended = cancel, ended
	adapter := d.Slack
	done := make(chan struct{})
	go func() {
		defer close(done)
		ended <- adapter.Run(ctx, d)
	}()
	d.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// start runs the adapter and waits until it is connected.
func (d *desk) start() *desk {
	d.t.Helper()
	d.run()
	if err := d.Connected(d.ctx); err != nil {
		d.t.Fatalf("it does not connect: %v\n%s", err, d.log)
	}
	return d
}

func (d *desk) halt() {
	d.t.Helper()
	d.stop()
	if err := <-d.ended; err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) Receive(_ context.Context, m platform.Message) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuse != nil {
		if err := d.refuse(m); err != nil {
			return err
		}
	}
	for _, old := range d.received {
		if old.Room == m.Room && old.ID == m.ID {
			return nil
		}
	}
	d.received = append(d.received, m)
	if m.Mentioned {
		d.threads.engage(m.Room.ID)
	}
	close(d.news)
	d.news = make(chan struct{})
	return nil
}

var errNotStored = errors.New("the disk is full")

// await waits for a message.
func (d *desk) await(id string) platform.Message {
	d.t.Helper()
	for {
		d.mu.Lock()
		news := d.news
		for _, m := range d.received {
			if m.ID == id {
				d.mu.Unlock()
				return m
			}
		}
		d.mu.Unlock()
		select {
		case <-news:
		case <-d.ctx.Done():
			d.t.Fatalf("%s has not arrived\n%s", id, d.log)
		}
	}
}

// next waits for the next message of a kind.
func (d *desk) next(is func(platform.Message) bool) platform.Message {
	d.t.Helper()
	for {
		d.mu.Lock()
		news := d.news
		for i, m := range d.received {
			if is(m) {
				d.received = append(d.received[:i:i], d.received[i+1:]...)
				d.mu.Unlock()
				return m
			}
		}
		d.mu.Unlock()
		select {
		case <-news:
		case <-d.ctx.Done():
			d.t.Fatalf("it has not arrived\n%s", d.log)
		}
	}
}

// all is everything that was received.
func (d *desk) all() []platform.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]platform.Message(nil), d.received...)
}

func (d *desk) room(c *slacktest.Channel, thread string) platform.Room {
	id := c.ID
	if thread != "" {
		id += ":" + thread
	}
	return platform.Room{Platform: "slack", ID: id}
}

func (d *desk) delivered(r platform.Receipt) string {
	d.t.Helper()
	if r.Outcome != platform.Delivered {
		d.t.Fatalf("it is %s: %s", r.Outcome, r.Reason)
	}
	return r.ID
}
