package mark_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A world is a store, a platform and the keeper of a process, with a clock that goes when
// somebody waits.
type world struct {
	t     tester
	store *store.Store
	fake  *fake
	on    platform.Platform
	one   bool // the platform has one place for a reaction

	keeper *mark.Keeper
	tick   chan struct{}
	looked chan struct{}

	clock *clock
	log   *strings.Builder

	around  func(mark.Book) mark.Book // put around the keeper's; nil is nothing
	maxAge  time.Duration
	changes int // of marks on the web page, that it was told of
}

// A tester is a test, or a check of a property.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// A clock goes when it is told to.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const name = "test"

// newWorld is a process on a new store.
func newWorld(t tester, database, dir string, one bool) *world {
	t.Helper()
	return newProcess(t, database, dir, one, newFake(name), &clock{now: noon})
}

// newProcess is a process at a platform at which there may be others.
func newProcess(t tester, database, dir string, one bool, f *fake, c *clock) *world {
	t.Helper()
	s, err := store.Open(context.Background(), database, dir, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	return newWorldOn(t, s, one, f, c)
}

// newWorldOn is a process on a store that is open.
func newWorldOn(t tester, s *store.Store, one bool, f *fake, c *clock) *world {
	w := &world{t: t, store: s, fake: f, one: one, clock: c, log: &strings.Builder{}, maxAge: time.Hour}
	w.on = f.asReactor()
	if one {
		w.on = f.asMarker()
	}
	w.start()
	return w
}

// start begins with a keeper that knows nothing of the one before.
func (w *world) start() {
	tick, looked := make(chan struct{}), make(chan struct{})
	k := &mark.Keeper{
		Book: store.Marks{Store: w.store}, Platforms: map[string]platform.Platform{name: w.on}, Glyphs: glyphs,
		MaxAge: w.maxAge, Logger: slog.New(slog.NewTextHandler(w.log, nil)), Now: w.clock.Now, Shared: w.store.Engine == store.Postgres,
	}
	if w.around != nil {
		k.Book = w.around(k.Book)
	}
	k.Wait = func(ctx context.Context, d time.Duration) error {
		if d != mark.LookEvery {
			w.clock.pass(d)
			return ctx.Err()
		}
		select {
		case looked <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-tick:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	w.keeper, w.tick, w.looked = k, tick, looked
	k.Page = func(string) { w.changes++ }
	w.store.KeepMarks(k.Keeps, k.Want)
	k.Start()
	<-looked
}

// in is the same world for a subtest.
func (w *world) in(t tester) *world {
	again := *w
	again.t = t
	return &again
}

// look lets time pass until the keeper has looked around.
func (w *world) look(d time.Duration) {
	w.clock.pass(d)
	w.tick <- struct{}{}
	<-w.looked
}

// crash ends the keeper in the middle of what it does.
func (w *world) crash() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w.keeper.Stop(ctx)
}

// close ends everything in good order.
func (w *world) close() {
	w.keeper.Stop(context.Background())
	w.check(w.store.Close())
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func room(session string) platform.Room { return platform.Room{Platform: name, ID: session} }

// receive has a message come in that this process works on, unless another one does.
func (w *world) receive(session, id, edits string) { w.arrive(room(session), id, edits, true) }

func (w *world) arrive(in platform.Room, id, edits string, claim bool) {
	w.t.Helper()
	_, err := w.store.Receive(context.Background(), platform.Message{Room: in, ID: id, Edits: edits, Text: "hi", Author: platform.Person{ID: "ada"}, At: w.clock.Now()}, claim)
	w.check(err)
}

// claim makes this process the owner of all sessions without one.
func (w *world) claim() {
	w.t.Helper()
	_, err := w.store.Claim(context.Background(), 100)
	w.check(err)
}

// begin takes up the next turn of a session, nil if there is none.
func (w *world) begin(session string) *store.Turn { return w.beginIn(room(session)) }

func (w *world) beginIn(in platform.Room) *store.Turn {
	w.t.Helper()
	t, err := w.store.NextTurn(context.Background(), in.String())
	w.check(err)
	if t != nil {
		w.keeper.Begin(mark.Wanted{Message: t.Number, Room: t.Message.Room, Stands: t.Message.Stands()}, t.Created)
	}
	return t
}

// An end is how a turn ends.
type end struct {
	failure, output, why, tell string
	posts                      []store.PostState // of the reply, each with words
	ask                        bool              // an action waits
	react                      string            // the agent puts it on the message
}

// settle brings a turn to its end.
func (w *world) settle(t *store.Turn, e end) {
	w.t.Helper()
	ctx := context.Background()
	t.Failure, t.Output, t.OutputWhy, t.Problems, t.Timings = e.failure, e.output, e.why, []byte("[]"), []byte("{}")
	actions := []store.Action{{Turn: t.ID, Dialect: "blocks", Type: "x", Args: []byte("{}"), State: store.Planned}}
	w.check(w.store.SaveReply(ctx, t, store.Reply{Actions: actions}))
	a := actions[0]
	a.State = store.Done
	switch {
	case e.ask:
		a.State = store.Asked
	case e.react != "":
		w.fake.react(w.one, t.Message.Stands(), e.react)
		a.Trace = fmt.Appendf(nil, `{"reacted":%q,"room":%q,"message":%q}`, e.react, t.Message.Room.ID, t.Message.Stands())
	}
	w.check(w.store.SaveAction(ctx, a, nil))
	var posts []store.Post
	for i := range e.posts {
		posts = append(posts, store.Post{Key: fmt.Sprintf("turn-%d-post-%d", t.ID, i), Turn: t.ID, Room: t.Message.Room, Text: "Hello.", State: store.Queued})
	}
	var next store.Next
	if e.tell != "" {
		next = store.Next{Flow: store.FollowUp, Input: e.tell}
	}
	w.check(w.store.SavePosts(ctx, t, posts, next))
	for i := range posts {
		posts[i].State = e.posts[i]
	}
	w.check(w.store.Settle(ctx, t, posts))
}

// stands fails the test if something else is on a message when the keeper has come to rest.
func (w *world) stands(message string, want ...string) {
	w.t.Helper()
	w.keeper.Rest()
	if got := w.fake.there(message); fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Errorf("on %s are %v, want %v", message, got, want)
	}
}
