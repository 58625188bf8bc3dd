package discord_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
)

// A clock goes by itself, and further when somebody waits: nobody has to wait for long.
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

func at(c *discordtest.Channel) platform.Room {
	return platform.Room{Platform: "discord", ID: c.ID}
}

// A fixture is an adapter at a Discord for tests.
type fixture struct {
	*discordtest.Server
	*discord.Discord
	t        *testing.T
	ctx      context.Context
	clock    *clock
	bookmark *bookmark
	inbox    *inbox
	log      *logged
	stop     func() error // ends Run and gives what it returns
}

// prepare makes an adapter that does not run yet.
func prepare(t *testing.T, change ...func(*discord.Options)) *fixture {
	t.Helper()
	f := &fixture{Server: discordtest.New(t), t: t, clock: &clock{}, bookmark: &bookmark{}, inbox: newInbox(), log: &logged{}}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	f.ctx = ctx
	f.adapter(change...)
	t.Cleanup(func() {
		for _, secret := range []string{discordtest.Token, "interaction-secret"} {
			if strings.Contains(f.log.text(), secret) {
				t.Errorf("a secret is in the log")
			}
		}
	})
	return f
}

// adapter makes the adapter that a restarted program would have.
func (f *fixture) adapter(change ...func(*discord.Options)) {
	f.t.Helper()
	o := discord.Options{
		Token: discordtest.Token, APIURL: f.APIURL(), GatewayURL: f.GatewayURL(), Bookmark: f.bookmark,
		Logger: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now:    f.clock.now, Wait: f.clock.wait,
	}
	for _, c := range change {
		c(&o)
	}
	d, err := discord.New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.Discord = d
}

// start starts an adapter and waits until it is connected.
func start(t *testing.T, change ...func(*discord.Options)) *fixture {
	t.Helper()
	f := prepare(t, change...)
	f.run()
	return f
}

func (f *fixture) run() {
	f.t.Helper()
	f.run0()
	// What the gateway tells first has been handled when what it tells next has.
	f.sync()
}

// run0 is run without waiting until everything has been handled.
func (f *fixture) run0() {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	before, _ := f.Starts()
	var running sync.WaitGroup
	var err error
	running.Go(func() { err = f.Run(ctx, f.inbox) })
	f.stop = func() error {
		cancel()
		running.Wait()
		return err
	}
	f.t.Cleanup(func() { _ = f.stop() })
	if err := errors.Join(f.Identified(f.ctx, before+1), f.Connected(f.ctx)); err != nil {
		f.t.Fatalf("the adapter did not connect: %v\n%s", err, f.log.text())
	}
}

// sync waits until everything that has happened so far is handled. It does not write a
// message: that might be fetched before its event comes.
func (f *fixture) sync() {
	f.t.Helper()
	id := f.Invoke(f.Ada, f.General, "sync", nil)
	f.arrived(id)
	f.inbox.forget(id)
}

// arrived waits for a message, or for a reaction to one.
func (f *fixture) arrived(id string) platform.Message {
	f.t.Helper()
	return f.wait(func(m platform.Message) bool { return m.ID == id })
}

func (f *fixture) wait(is func(platform.Message) bool) platform.Message {
	f.t.Helper()
	for {
		news, all := f.inbox.look()
		for _, m := range all {
			if is(m) {
				return m
			}
		}
		select {
		case <-news:
		case <-f.ctx.Done():
			f.t.Fatalf("it did not arrive; what did: %+v\n%s", all, f.log.text())
		}
	}
}

// An inbox keeps each message once, as the store does.
type inbox struct {
	mu   sync.Mutex
	all  []platform.Message
	seen map[string]bool
	fail int // how many are not to be stored
	news chan struct{}

	panics string // at this text
}

func newInbox() *inbox { return &inbox{news: make(chan struct{}), seen: map[string]bool{}} }

func (b *inbox) Receive(_ context.Context, m platform.Message) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.panics != "" && m.Text == b.panics {
		panic("a mistake")
	}
	if b.fail > 0 {
		b.fail--
		return errors.New("the disk is full")
	}
	if b.seen[m.ID] {
		return nil
	}
	b.seen[m.ID] = true
	b.all = append(b.all, m)
	close(b.news)
	b.news = make(chan struct{})
	return nil
}

func (b *inbox) look() (<-chan struct{}, []platform.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.news, append([]platform.Message(nil), b.all...)
}

func (b *inbox) forget(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, m := range b.all {
		if m.ID == id {
			b.all = append(b.all[:i:i], b.all[i+1:]...)
			return
		}
	}
}

func (b *inbox) texts() []string {
	_, all := b.look()
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Text)
	}
	return texts
}

// logged keeps what is logged.
type logged struct {
	mu   sync.Mutex
	data []byte
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.data = append(l.data, p...)
	return len(p), nil
}

func (l *logged) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.data)
}

// refused checks that an error is a refusal with some words in it.
func refused(t *testing.T, err error, words string) {
	t.Helper()
	var p *platform.Problem
	if !errors.As(err, &p) || p.Outcome != platform.Refused || !strings.Contains(p.Reason, words) {
		t.Errorf("got %v, want a refusal with %q", err, words)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func page(most int) platform.Page { return platform.Page{Most: most} }

func texts(text string) func(platform.Message) bool {
	return func(m platform.Message) bool { return m.Text == text }
}
