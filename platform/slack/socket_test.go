package slack_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
	"github.com/asidehq/aside/platform/slack"
)

func TestANewConnectionIsThereBeforeTheOldOneIsClosed(t *testing.T) {
	for _, reason := range []string{"warning", "refresh_requested", "something new"} {
		t.Run(reason, func(t *testing.T) {
			d := newDesk(t).start()
			d.await(d.Server.Write(d.Ada, d.General, "before"))
			d.Disconnect(reason)
			if err := d.Until(d.ctx, func() bool { return d.Opened() == 2 && d.Connections() == 2 }); err != nil {
				t.Fatalf("there are %d connections\n%s", d.Connections(), d.log)
			}
			d.await(d.Server.Write(d.Ada, d.General, "in between"))
			d.HangUp()
			if err := d.Until(d.ctx, func() bool { return d.Opened() == 3 && d.Connections() == 1 }); err != nil {
				t.Fatal(err)
			}
			d.await(d.Server.Write(d.Ada, d.General, "after"))
		})
	}
}

func TestAConnectionThatIsDeadWithoutKnowingItIsGivenUp(t *testing.T) {
	d := newDesk(t)
	d.options.Ping = 20 * time.Millisecond
	d.anew()
	d.start()
	d.await(d.Server.Write(d.Ada, d.General, "before"))
	end := d.Silence()
	// Whoever reads is busy with the next acknowledgement from here on.
	d.Server.Write(d.Ada, d.General, "wakes it up")
	if err := d.Until(d.ctx, func() bool { return d.Opened() >= 2 }); err != nil {
		t.Fatalf("it believes in the connection\n%s", d.log)
	}
	end()
	d.await(d.Server.Write(d.Ada, d.General, "after"))
	if !strings.Contains(d.log.String(), "pings are not answered") {
		t.Errorf("the log is\n%s", d.log)
	}
}

func TestWhatAPersonMustMendEndsRun(t *testing.T) {
	for _, test := range []struct {
		name  string
		setup func(d *desk)
		says  string
	}{
		{"a wrong bot token", func(d *desk) { d.options.BotToken = "xoxb-wrong" }, "platforms.slack.bot_token"},
		{"a wrong app token", func(d *desk) { d.options.AppToken = "xapp-wrong" }, "token"},
		{"Socket Mode that is switched off", func(d *desk) { d.CloseSocketMode() }, "Slack refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			test.setup(d)
			d.anew()
			err := d.Run(d.ctx, d)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("it ended with %v", err)
			}
		})
	}
	t.Run("Socket Mode that is switched off while it runs, and a message cannot be stored", func(t *testing.T) {
		d := newDesk(t)
		tried := make(chan struct{}, 1)
		d.inbox.Before(func(context.Context, platform.Message) error {
			select {
			case tried <- struct{}{}:
			default:
			}
			return platformtest.ErrNotStored
		})
		d.start()
		d.Server.Write(d.Ada, d.General, "hi")
		<-tried
		d.CloseSocketMode()
		select {
		case err := <-d.ended:
			if err == nil || !strings.Contains(err.Error(), "Socket Mode") {
				t.Errorf("it ended with %v", err)
			}
		case <-d.ctx.Done():
			t.Fatal("it goes on")
		}
	})
	for name, o := range map[string]slack.Options{
		"no bot token": {AppToken: "xapp-1"}, "no way in": {BotToken: "xoxb-1"}, "a bot token in two lines": {BotToken: "xoxb-1\nx", AppToken: "xapp-1"},
		"no address": {BotToken: "xoxb-1", AppToken: "xapp-1", APIURL: "http://[::1"},
	} {
		if _, err := slack.New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// The lesson: the platform is told "received" before anything is stored.
func TestNothingIsAcknowledgedThatWasNotStored(t *testing.T) {
	d := newDesk(t)
	var refusing atomic.Bool
	refusing.Store(true)
	tried := make(chan struct{}, 100)
	d.inbox.Before(func(context.Context, platform.Message) error {
		if refusing.Load() {
			tried <- struct{}{}
			return platformtest.ErrNotStored
		}
		return nil
	})
	d.start()
	message := d.Server.Write(d.Ada, d.General, "<@"+d.Bot().ID+"> hi")
	_, answered := d.Command(d.Ada, d.Direct(d.Ada), "/aside", "stop")
	for range 3 {
		<-tried
	}
	if n := d.Unacknowledged(); n != 3 { // the message, the mention, the command
		t.Errorf("%d are not acknowledged", n)
	}
	refusing.Store(false)
	d.await(message)
	if _, err := answered(d.ctx); err != nil {
		t.Fatal(err)
	}
	if err := d.Until(d.ctx, func() bool { return d.Unacknowledged() == 0 }); err != nil {
		t.Errorf("not everything was acknowledged: %v", err)
	}
}

// One channel that is stuck holds up nobody else.
func TestAChannelThatIsStuckHoldsUpNoOther(t *testing.T) {
	d := newDesk(t)
	release := make(chan struct{})
	var once atomic.Bool
	inbox := inboxFunc(func(ctx context.Context, m platform.Message) error {
		if m.Text == "stuck" && once.CompareAndSwap(false, true) {
			<-release
		}
		return d.Receive(ctx, m)
	})
	ctx, stop := context.WithCancel(d.ctx)
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx, inbox) }()
	if err := d.Connected(d.ctx); err != nil {
		t.Fatal(err)
	}
	stuck := d.Server.Write(d.Ada, d.General, "stuck")
	d.await(d.Server.Write(d.Ada, d.Direct(d.Ada), "hello"))
	close(release)
	d.await(stuck)
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

type inboxFunc func(ctx context.Context, m platform.Message) error

func (f inboxFunc) Receive(ctx context.Context, m platform.Message) error { return f(ctx, m) }

func TestSecretsAreInNoLogAndNoError(t *testing.T) {
	d := newDesk(t).start()
	d.await(d.Server.Write(d.Ada, d.General, "hi"))
	d.Drop()
	d.Garble("?")
	for _, f := range []slacktest.Fault{{}, {Status: 500}, {Status: 200}, {Error: "invalid_auth"}} {
		d.Fail(f)
		r := d.Post(d.ctx, platform.Post{Key: "a", Room: d.room(d.General, ""), Text: "x", Created: d.clock.Now()})
		for _, secret := range append(slacktest.Secrets(), "ticket-secret") {
			if strings.Contains(r.Reason, secret) {
				t.Errorf("a secret is in %q", r.Reason)
			}
		}
	}
	d.await(d.Server.Write(d.Ada, d.General, "bye"))
	d.halt()
	for _, secret := range append(slacktest.Secrets(), "ticket-secret") {
		if strings.Contains(d.log.String(), secret) {
			t.Errorf("a secret is in the log:\n%s", d.log)
		}
	}
}
