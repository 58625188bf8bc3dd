package slack_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/slack"
)

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
	clock    *platformtest.Clock
	bookmark *platformtest.Bookmark
	threads  *threads
	options  slack.Options
	log      *platformtest.Log
	ctx      context.Context

	inbox *platformtest.Inbox

	stop  context.CancelFunc
	ended chan error
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	d := &desk{
		t: t, Server: slacktest.New(t), clock: &platformtest.Clock{}, bookmark: &platformtest.Bookmark{}, threads: &threads{engaged: map[string]bool{}},
		log: &platformtest.Log{}, ctx: ctx, inbox: platformtest.NewInbox(),
	}
	d.options = slack.Options{
		BotToken: slacktest.BotToken, AppToken: slacktest.AppToken, APIURL: d.APIURL(), Bookmark: d.bookmark, Threads: d.threads,
		Now: d.clock.Now, Wait: d.clock.Wait, FileSize: 1 << 20,
		Logger: d.log.Logger(),
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

// Receive stores a message. The agent takes part in the thread in which it is mentioned:
// already when it is stored, because a test that has seen it may go on there at once.
func (d *desk) Receive(ctx context.Context, m platform.Message) error {
	if m.Mentioned {
		d.threads.engage(m.Room.ID)
	}
	return d.inbox.Receive(ctx, m)
}

// await waits for a message.
func (d *desk) await(id string) platform.Message {
	d.t.Helper()
	return d.first(func(m platform.Message) bool { return m.ID == id })
}

// next waits for the next message of a kind.
func (d *desk) next(is func(platform.Message) bool) platform.Message {
	d.t.Helper()
	m := d.first(is)
	d.inbox.Take(m)
	return m
}

func (d *desk) first(is func(platform.Message) bool) platform.Message {
	d.t.Helper()
	m, err := d.inbox.Wait(d.ctx, is)
	if err != nil {
		d.t.Fatalf("it has not arrived; what has: %+v\n%s", d.inbox.Messages(), d.log)
	}
	return m
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
