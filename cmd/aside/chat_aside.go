package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"

	"github.com/asidehq/aside/internal/chat"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform/web/client"
)

// asideAt is the Aside that is talked to.
type asideAt struct {
	*client.Client
	what string // which one it is, for a person
	own  *ownAside
}

// gone is closed when it has ended, if it is our own.
func (a *asideAt) gone() <-chan struct{} {
	if a.own == nil {
		return nil
	}
	return a.own.ended
}

// stop stops it, if it is our own, and waits until it has stopped.
func (a *asideAt) stop() error {
	if a.own == nil {
		return nil
	}
	return a.own.stop()
}

// ownAside is an Aside in this process.
type ownAside struct {
	ready  chan net.Addr
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // once it has ended
}

// runOwn runs an Aside until it is stopped.
func runOwn(ctx context.Context, c *config.Config) *ownAside {
	ctx, cancel := context.WithCancel(ctx)
	own := &ownAside{ready: make(chan net.Addr, 1), cancel: cancel, ended: make(chan struct{})}
	log, closeLog := chatLog()
	go func() {
		defer close(own.ended)
		own.err = serve(ctx, c, log, func(at net.Addr) { own.ready <- at })
		_ = closeLog()
	}()
	return own
}

func (o *ownAside) stop() error {
	o.cancel()
	<-o.ended
	return o.err
}

// find finds a running Aside, or starts one.
func (f *chatFlags) find(ctx context.Context) (*asideAt, error) {
	c, err := f.config.load()
	if err != nil {
		return nil, err
	}
	if f.data != "" {
		c.Data = f.data
	}
	if token := os.Getenv("ASIDE_TOKEN"); token != "" {
		c.Token = config.NewSecret(token)
	}
	address := f.url
	if address == "" {
		address = addressOf(c.Listen)
	}
	if address == "" {
		return f.start(ctx, c)
	}
	// Asked once, without patience: when nobody listens there is nothing to wait for.
	probe, err := client.New(client.Options{URL: address, Token: c.Token.Reveal()})
	if err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	_, err = probe.Messages(ctx, f.room, "", 1)
	if client.NobodyListens(err) {
		if f.url == "" {
			return f.start(ctx, c)
		}
		return nil, fmt.Errorf("nothing listens at %s; start aside run there, or leave out --url to run one here", address)
	}
	at, err := f.connect(ctx, address, c.Token.Reveal())
	if err != nil {
		return nil, f.explain(err)
	}
	at.what = "Talking to the Aside at " + address
	return at, nil
}

// addressOf is where an Aside with a listen address can be reached from this machine;
// "" is nowhere that is known.
func addressOf(listen config.Address) string {
	host, port, err := net.SplitHostPort(string(listen))
	if err != nil || port == "0" {
		return ""
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip.Is6() {
			host = "::1"
		}
	}
	return "http://" + net.JoinHostPort(host, port)
}

// connect makes sure that an Aside can be talked to.
func (f *chatFlags) connect(ctx context.Context, address, token string) (*asideAt, error) {
	c, err := client.New(client.Options{URL: address, Token: token, Patience: f.wait})
	if err != nil {
		return nil, err
	}
	if _, err := c.Messages(ctx, f.room, "", 1); err != nil {
		return nil, err
	}
	return &asideAt{Client: c}, nil
}

// start runs an Aside in this process, at an address that only this machine can reach.
func (f *chatFlags) start(ctx context.Context, c *config.Config) (*asideAt, error) {
	c.Listen = "127.0.0.1:0"
	// Not by the context: it ends before the conversation is over.
	own := runOwn(context.WithoutCancel(ctx), c)
	select {
	case at := <-own.ready:
		aside, err := f.connect(ctx, "http://"+at.String(), c.Token.Reveal())
		if err != nil {
			return nil, cmp.Or(own.stop(), f.explain(err))
		}
		aside.own = own
		aside.what = fmt.Sprintf("No Aside was running, so one runs here until you leave (data in %s)", c.Data)
		return aside, nil
	case <-own.ended:
		err := own.stop()
		if errors.Is(err, store.ErrInUse) {
			return nil, fmt.Errorf("an Aside that uses %s runs elsewhere, and not at %s: give its address with --url, or leave the other aside chat and start aside run for both", c.Data, f.configured())
		}
		return nil, err
	}
}

func (f *chatFlags) configured() string {
	if c, err := f.config.load(); err == nil {
		return string(c.Listen)
	}
	return "the configured address"
}

// largestLog is how long the log of aside chat may become before it begins anew.
const largestLog = 1 << 20

// chatLog is the log of an Aside in this process. It goes to a file: the terminal
// belongs to the conversation.
func chatLog() (*slog.Logger, func() error) {
	path := stateFile("chat.log")
	mode := os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Size() > largestLog {
		mode = os.O_TRUNC
	}
	file, err := os.OpenFile(path, mode|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return slog.New(slog.DiscardHandler), func() error { return nil }
	}
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelWarn})), file.Close
}

// explain adds what can be done. What Aside has said may be hostile.
func (f *chatFlags) explain(err error) error {
	var answered failed
	var refused *client.Refusal
	switch {
	case err == nil, errors.As(err, &answered):
		return err
	case client.Refused(err, http.StatusUnauthorized):
		return errors.New("the token is missing or wrong; set token in aside.yaml, or ASIDE_TOKEN, to the one that Aside was started with")
	case errors.Is(err, client.ErrNotAside):
		return fmt.Errorf("%w; give the address of one with --url", err)
	case errors.Is(err, client.ErrUnreachable):
		return fmt.Errorf("Aside could not be reached for %s (%s); what it has accepted it will answer when it runs again", f.wait, lastOf(err))
	case errors.As(err, &refused):
		return errors.New(lineOf(refused.Message))
	}
	return errors.New(lineOf(err.Error()))
}

// lastOf is the innermost reason, which says most.
func lastOf(err error) string {
	var at *net.OpError
	if errors.As(err, &at) && at.Err != nil {
		return lineOf(at.Err.Error())
	}
	_, reason, _ := strings.Cut(err.Error(), ": ")
	return lineOf(reason)
}

// lineOf is a text on one line, harmless for a terminal.
func lineOf(text string) string {
	return strings.Join(strings.Fields(chat.Visible(text)), " ")
}
