package telegram_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/telegram"
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

// at is a chat, or a topic of it, as a room.
func at(c *telegramtest.Chat, thread int) platform.Room {
	id := strconv.FormatInt(c.ID, 10)
	if thread != 0 {
		id += ":" + strconv.Itoa(thread)
	}
	return platform.Room{Platform: "telegram", ID: id}
}

// A fixture is an adapter at a Telegram for tests.
type fixture struct {
	*telegramtest.Server
	*telegram.Telegram
	t        *testing.T
	ctx      context.Context
	clock    *clock
	bookmark *bookmark
	inbox    *inbox
	log      *logged
	stop     func() error // ends Run and gives what it returns

	mu    sync.Mutex
	known map[string]telegram.Found // by chat and message
}

// prepare makes an adapter that does not run yet.
func prepare(t *testing.T, change ...func(*telegram.Options)) *fixture {
	t.Helper()
	f := &fixture{
		Server: telegramtest.New(t), t: t, clock: &clock{}, bookmark: &bookmark{}, inbox: newInbox(), log: &logged{},
		known: map[string]telegram.Found{},
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	f.ctx = ctx
	f.adapter(change...)
	t.Cleanup(func() {
		_, secret, _ := strings.Cut(telegramtest.Token, ":")
		if strings.Contains(f.log.text(), secret) {
			t.Errorf("the token is in the log")
		}
	})
	return f
}

// adapter makes the adapter that a restarted program would have.
func (f *fixture) adapter(change ...func(*telegram.Options)) {
	f.t.Helper()
	o := telegram.Options{
		Token: telegramtest.Token, APIURL: f.URL(), Bookmark: f.bookmark, Find: f.find,
		Logger: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now:    f.clock.now, Wait: f.clock.wait,
	}
	for _, c := range change {
		c(&o)
	}
	a, err := telegram.New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.Telegram = a
}

// find is what the store knows.
func (f *fixture) find(_ context.Context, chat, message string) (*telegram.Found, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found, ok := f.known[chat+"/"+message]; ok {
		return &found, nil
	}
	return nil, nil
}

// knows puts something into what the store knows.
func (f *fixture) knows(c *telegramtest.Chat, m platform.Message, own bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known[strconv.FormatInt(c.ID, 10)+"/"+m.ID] = telegram.Found{Message: m, Own: own}
}

// start starts an adapter and waits until it is connected.
func start(t *testing.T, change ...func(*telegram.Options)) *fixture {
	t.Helper()
	f := prepare(t, change...)
	f.run()
	return f
}

func (f *fixture) run() {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	before := f.Polls()
	var running sync.WaitGroup
	var err error
	running.Go(func() { err = f.Run(ctx, f.inbox) })
	f.stop = func() error {
		cancel()
		running.Wait()
		return err
	}
	f.t.Cleanup(func() { _ = f.stop() })
	if err := errors.Join(f.Until(f.ctx, func() bool {
		hook, _ := f.Webhook()
		return f.Polls() > before || hook != ""
	}), f.Connected(f.ctx)); err != nil {
		f.t.Fatalf("the adapter did not connect: %v\n%s", err, f.log.text())
	}
}

// arrived waits for a message.
func (f *fixture) arrived(id string) platform.Message {
	f.t.Helper()
	return f.until(func(m platform.Message) bool { return m.ID == id })
}

func (f *fixture) until(is func(platform.Message) bool) platform.Message {
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

// posts is a post into a chat.
func (f *fixture) posts(c *telegramtest.Chat, key, text string) platform.Receipt {
	return f.Post(f.ctx, platform.Post{Key: key, Room: at(c, 0), Text: text})
}

// stand checks what the bot has written and what stands in a chat.
func (f *fixture) stand(c *telegramtest.Chat, want ...string) {
	f.t.Helper()
	var got []string
	for _, m := range f.Posts(c) {
		got = append(got, m.Text)
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		f.t.Errorf("there stand %q, want %q", got, want)
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
	key := m.Room.String() + " " + m.ID
	if b.seen[key] {
		return nil
	}
	b.seen[key] = true
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

func texts(text string) func(platform.Message) bool {
	return func(m platform.Message) bool { return m.Text == text }
}
