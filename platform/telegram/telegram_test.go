package telegram_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/telegram"
)

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
	t                   *testing.T
	ctx                 context.Context
	clock               *platformtest.Clock
	bookmark, leftovers *platformtest.Bookmark
	inbox               *platformtest.Inbox
	log                 *platformtest.Log
	stop                func() error // ends Run and gives what it returns

	mu    sync.Mutex
	known map[string]telegram.Found // by chat and message
}

// prepare makes an adapter that does not run yet.
func prepare(t *testing.T, change ...func(*telegram.Options)) *fixture {
	t.Helper()
	f := &fixture{
		Server: telegramtest.New(t), t: t, clock: &platformtest.Clock{}, bookmark: &platformtest.Bookmark{}, leftovers: &platformtest.Bookmark{}, inbox: platformtest.NewInbox(), log: &platformtest.Log{},
		known: map[string]telegram.Found{},
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	f.ctx = ctx
	f.adapter(change...)
	t.Cleanup(func() {
		_, secret, _ := strings.Cut(telegramtest.Token, ":")
		if strings.Contains(f.log.String(), secret) {
			t.Errorf("the token is in the log")
		}
	})
	return f
}

// adapter makes the adapter that a restarted program would have.
func (f *fixture) adapter(change ...func(*telegram.Options)) {
	f.t.Helper()
	o := telegram.Options{
		Token: telegramtest.Token, APIURL: f.URL(), Bookmark: f.bookmark, Leftovers: f.leftovers, Find: f.find,
		Logger: f.log.Logger(),
		Now:    f.clock.Now, Wait: f.clock.Wait,
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
		f.t.Fatalf("the adapter did not connect: %v\n%s", err, f.log.String())
	}
}

// arrived waits for a message.
func (f *fixture) arrived(id string) platform.Message {
	f.t.Helper()
	return f.until(func(m platform.Message) bool { return m.ID == id })
}

func (f *fixture) until(is func(platform.Message) bool) platform.Message {
	f.t.Helper()
	m, err := f.inbox.Wait(f.ctx, is)
	if err != nil {
		f.t.Fatalf("it did not arrive; what did: %+v\n%s", f.inbox.Messages(), f.log)
	}
	return m
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

func texts(text string) func(platform.Message) bool {
	return func(m platform.Message) bool { return m.Text == text }
}
