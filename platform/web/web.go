package web

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// Options say where a Web keeps its rooms and whom it lets in. Log and Listen are
// needed.
type Options struct {
	Log   Log
	Agent string // the agent's name as an author; "" is Aside
	Turns Turns  // nil answers that there are none to be asked for

	// Listen is the address that Handler is served at. If other machines can reach
	// it, Token is needed.
	Listen string
	Token  string

	// PublicURL is what browsers call it if a proxy stands in front, "" if none does. With
	// one Token is needed in any case.
	PublicURL string

	// FileSize is how many bytes a file of a post may have, and all files of a message
	// together; 0 is 20 MB.
	FileSize int64

	Logger *slog.Logger // nil is silent

	// Render makes HTML of the Markdown in an agent's text, for whoever asks for it.
	// What it returns is put into a page as it is; nil is none.
	Render func(text string) string

	// More are further routes, by their patterns, behind the same guard.
	More map[string]http.HandlerFunc

	// Open are the paths among them that need no token: what everyone may see, such
	// as the page that asks for it. One may end with {id}.
	Open []string

	Now   func() time.Time // nil is time.Now
	NewID func() string    // a name that no message has; nil is a random one

	// Every ticks for the keep-alive comments of an event stream; nil is a
	// time.Ticker.
	Every func(time.Duration) (tick <-chan time.Time, stop func())
}

// Web is the platform. Handler serves its HTTP API.
type Web struct {
	log    Log
	agent  string
	turns  Turns
	more   map[string]http.HandlerFunc
	render func(string) string
	logger *slog.Logger
	now    func() time.Time
	newID  func() string
	every  func(time.Duration) (<-chan time.Time, func())
	guard  *guard

	fileSize int64

	streams    context.Context // ends with EndStreams
	endStreams context.CancelFunc

	mu          sync.Mutex
	run         *run                                // nil unless Run is running
	subscribers map[string]map[*subscriber]struct{} // by room
}

// A run is one call of Run.
type run struct {
	ctx       context.Context
	inbox     platform.Inbox
	receiving sync.WaitGroup // messages on their way into the inbox
}

var (
	_ platform.Platform = (*Web)(nil)
	_ platform.Editor   = (*Web)(nil)
	_ platform.Deleter  = (*Web)(nil)
	_ platform.Reactor  = (*Web)(nil)
	_ platform.Settler  = (*Web)(nil)
	_ platform.Typist   = (*Web)(nil)
)

// New returns an error if Listen is no address, or is one that other machines can
// reach and Token is too short to keep them out.
func New(o Options) (*Web, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	guard, err := newGuard(o)
	if err != nil {
		return nil, err
	}
	w := &Web{
		log: o.Log, agent: o.Agent, turns: o.Turns, more: o.More, render: o.Render, logger: o.Logger,
		now: o.Now, newID: o.NewID, every: o.Every, guard: guard, fileSize: o.FileSize,
		subscribers: map[string]map[*subscriber]struct{}{},
	}
	if w.agent == "" {
		w.agent = "Aside"
	}
	if w.fileSize == 0 {
		w.fileSize = defaultFileSize
	}
	if w.logger == nil {
		w.logger = slog.New(slog.DiscardHandler)
	}
	if w.newID == nil {
		w.newID = rand.Text
	}
	if w.every == nil {
		w.every = func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		}
	}
	w.streams, w.endStreams = context.WithCancel(context.Background())
	return w, nil
}

// Name implements platform.Platform.
func (w *Web) Name() string { return "web" }

// Limits implements platform.Platform. A page can be edited as fast as it can be
// read along.
func (w *Web) Limits() platform.Limits {
	return platform.Limits{EditEvery: 50 * time.Millisecond, FileSize: w.fileSize}
}

// Run implements platform.Platform: while it runs, Handler takes messages. It
// returns when the last of them is in the inbox or was refused.
func (w *Web) Run(ctx context.Context, inbox platform.Inbox) error {
	now := &run{ctx: ctx, inbox: inbox}
	w.mu.Lock()
	if w.run != nil {
		w.mu.Unlock()
		return errors.New("the web page is running already")
	}
	w.run = now
	w.mu.Unlock()

	<-ctx.Done()

	w.mu.Lock()
	w.run = nil
	w.mu.Unlock()
	now.receiving.Wait()
	return nil
}

// running returns the run, or nil.
func (w *Web) running() *run {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.run == nil || w.run.ctx.Err() != nil {
		return nil
	}
	return w.run
}

// receive is running for a message, which Run waits for: the caller says
// receiving.Done.
func (w *Web) receive() *run {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.run == nil || w.run.ctx.Err() != nil {
		return nil
	}
	w.run.receiving.Add(1)
	return w.run
}

// EndStreams ends all event streams, now and from now on. http.Server.Shutdown
// waits for requests but does not tell them, so it is meant for
// http.Server.RegisterOnShutdown; where Run's context ends first there is no need.
func (w *Web) EndStreams() { w.endStreams() }
