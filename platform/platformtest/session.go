package platformtest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// A session is a server with an adapter that is running.
type session struct {
	t       T
	server  Server
	room    platform.Room
	adapter platform.Platform
	inbox   *inbox

	patience time.Duration
	ctx      context.Context // ends when patience does

	cancel context.CancelFunc
	ended  chan error // what Run returned
}

const patience = 10 * time.Second

// start starts a server, and an adapter that is connected when it returns.
func start(t T, h Harness) *session {
	t.Helper()
	s := prepare(t, h)
	s.run()
	return s
}

// prepare is start without running the adapter, for checks that first say what the
// inbox is to do.
func prepare(t T, h Harness) *session {
	t.Helper()
	wait := h.Patience
	if wait == 0 {
		wait = patience
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	t.Cleanup(cancel)
	server := h.Start(t)
	return &session{
		t:       t,
		server:  server,
		room:    server.Room(),
		adapter: server.Adapter(),
		inbox:   newInbox(),

		patience: wait,
		ctx:      ctx,
	}
}

func (s *session) run() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	s.cancel, s.ended = cancel, ended
	adapter, inbox := s.adapter, s.inbox
	inbox.open(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := adapter.Run(ctx, inbox)
		inbox.open(false)
		ended <- err
	}()
	s.t.Cleanup(func() {
		cancel()
		inbox.giveUp()
		select {
		case <-done:
		case <-time.After(s.patience):
			s.t.Errorf("Run did not return when its context ended")
		}
		if inbox.late() {
			s.t.Errorf("a message was handed over after Run had returned")
		}
	})
	s.connected()
}

func (s *session) connected() {
	s.t.Helper()
	if err := s.server.Connected(s.ctx); err != nil {
		s.t.Fatalf("the adapter did not connect: %v", err)
	}
}

// stop ends the context of Run and checks what it returns.
func (s *session) stop() {
	s.t.Helper()
	s.cancel()
	s.returned()
}

func (s *session) returned() {
	s.t.Helper()
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Errorf("Run returned %q when its context ended, want nil", err)
		}
	case <-s.ctx.Done():
		s.t.Fatalf("Run did not return when its context ended")
	}
}

// restart runs what a restarted program would.
func (s *session) restart() {
	s.t.Helper()
	s.adapter = s.server.Adapter()
	s.run()
}

func (s *session) write(text string) string {
	return s.server.Write(s.room, text)
}

// stored waits until a message is stored.
func (s *session) stored(id string) {
	s.t.Helper()
	for {
		changed := s.inbox.Changed()
		for _, m := range s.inbox.Messages() {
			if m.Room == s.room && m.ID == id {
				return
			}
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			s.t.Fatalf("message %s did not arrive", id)
		}
	}
}

// wait waits for a signal of a check's own inbox.
func (s *session) wait(signal <-chan struct{}, what string) {
	s.t.Helper()
	select {
	case <-signal:
	case <-s.ctx.Done():
		s.t.Fatalf("%s", what)
	}
}

// expect checks that the messages with these ids are stored, in this order and
// each once, and no others.
func (s *session) expect(ids ...string) {
	s.t.Helper()
	for _, id := range ids {
		s.stored(id)
	}
	var got []string
	for _, m := range s.inbox.Messages() {
		got = append(got, m.ID)
	}
	if !slices.Equal(got, ids) {
		s.t.Errorf("stored were %q, want %q", got, ids)
	}
}

func (s *session) post(key, text string) platform.Receipt {
	return s.obey(s.adapter.Post(s.ctx, platform.Post{Key: key, Room: s.room, Text: text}))
}

// delivered checks a receipt.
func (s *session) delivered(r platform.Receipt, what string) {
	s.t.Helper()
	if r.Outcome != platform.Delivered {
		s.t.Fatalf("%s is %s (%s), want delivered", what, r.Outcome, r.Reason)
	}
}

// stands checks what stands in the room.
func (s *session) stands(want ...string) {
	s.t.Helper()
	var got []string
	for _, p := range s.server.Posts(s.room) {
		got = append(got, p.Text)
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("in the room stands %q, want %q", got, want)
	}
}

// An inbox is one that knows whether an adapter is running.
type inbox struct {
	*Inbox
	mu      sync.Mutex
	opened  bool
	wasShut bool
	quit    chan struct{}
	once    sync.Once
}

func newInbox() *inbox { return &inbox{Inbox: NewInbox(), quit: make(chan struct{})} }

func (b *inbox) Receive(ctx context.Context, m platform.Message) error {
	b.mu.Lock()
	b.wasShut = b.wasShut || !b.opened
	b.mu.Unlock()
	return b.Inbox.Receive(ctx, m)
}

func (b *inbox) open(yes bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened = yes
}

// late tells whether a message came when no adapter was running.
func (b *inbox) late() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wasShut
}

// giveUp releases whoever waits in a check's own inbox when the check is over.
func (b *inbox) giveUp() { b.once.Do(func() { close(b.quit) }) }
