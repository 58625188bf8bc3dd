package discord_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
	"github.com/asidehq/aside/platform/platformtest"
)

func at(c *discordtest.Channel) platform.Room {
	return platform.Room{Platform: "discord", ID: c.ID}
}

// A fixture is an adapter at a Discord for tests.
type fixture struct {
	*discordtest.Server
	*discord.Discord
	t        *testing.T
	ctx      context.Context
	clock    *platformtest.Clock
	bookmark *platformtest.Bookmark
	inbox    *platformtest.Inbox
	log      *platformtest.Log
	stop     func() error // ends Run and gives what it returns
}

// prepare makes an adapter that does not run yet.
func prepare(t *testing.T, change ...func(*discord.Options)) *fixture {
	t.Helper()
	f := &fixture{Server: discordtest.New(t), t: t, clock: &platformtest.Clock{}, bookmark: &platformtest.Bookmark{}, inbox: platformtest.NewInbox(), log: &platformtest.Log{}}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	f.ctx = ctx
	f.adapter(change...)
	t.Cleanup(func() {
		for _, secret := range []string{discordtest.Token, "interaction-secret"} {
			if strings.Contains(f.log.String(), secret) {
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
		Logger: f.log.Logger(),
		Now:    f.clock.Now, Wait: f.clock.Wait,
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
		f.t.Fatalf("the adapter did not connect: %v\n%s", err, f.log.String())
	}
}

// sync waits until everything that has happened so far is handled. It does not write a
// message: that might be fetched before its event comes.
func (f *fixture) sync() {
	f.t.Helper()
	id := f.Invoke(f.Ada, f.General, "sync", nil)
	f.inbox.Take(f.arrived(id))
}

// arrived waits for a message, or for a reaction to one.
func (f *fixture) arrived(id string) platform.Message {
	f.t.Helper()
	return f.wait(func(m platform.Message) bool { return m.ID == id })
}

func (f *fixture) wait(is func(platform.Message) bool) platform.Message {
	f.t.Helper()
	m, err := f.inbox.Wait(f.ctx, is)
	if err != nil {
		f.t.Fatalf("it did not arrive; what did: %+v\n%s", f.inbox.Messages(), f.log)
	}
	return m
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
