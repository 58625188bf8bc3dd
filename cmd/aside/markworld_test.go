package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform"
)

// A markWorld is everything that has to do with marks, in this process: a platform's server
// and the adapter at it, the inbox, the engine, the keeper, and a model that does what was
// planned. It can be ended at any moment as a crash would, and begun again.
type markWorld struct {
	t      testing.TB
	ctx    context.Context
	place  *markPlace
	config *config.Config
	model  *planner
	log    *safeLog
	seen   map[string]int // how often something was so, for who wants to know what was tried

	// Of what runs now.
	store *store.Store
	end   func(patience time.Duration)
	crash func()

	mu       sync.Mutex
	received map[string]int // what the inbox has taken, by what stands in the room
	changed  chan struct{}  // closed and replaced whenever something has happened
}

// A safeLog is what was logged.
type safeLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// end is the last that was logged.
func (l *safeLog) end(most int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.String()
	return text[max(0, len(text)-most):]
}

func newMarkWorld(t *testing.T, place *markPlace) *markWorld {
	t.Helper()
	text := fmt.Sprintf(`data: %s
models:
  chat: {provider: openai, model: test, base_url: http://127.0.0.1:9, api_key: none}
platforms:
  %s: %s
groups: {mode: open, debounce: 30ms}
continue: {groups: true}
`, storetest.Dir(t), place.name, place.yaml)
	c, err := config.Parse("aside.yaml", []byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return &markWorld{
		t: t, ctx: t.Context(), place: place, config: c, model: &planner{}, log: &safeLog{}, seen: map[string]int{},
		received: map[string]int{}, changed: make(chan struct{}),
	}
}

// quick is how much faster the world waits than the program.
const quick = 20

func hurriedWait(ctx context.Context, d time.Duration) error { return wait(ctx, d/quick) }

// start begins with what there is, and waits until the platform is connected.
func (w *markWorld) start() {
	w.t.Helper()
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, quit := context.WithCancel(context.WithoutCancel(w.ctx))
	s, err := openStore(ctx, w.config, wait)
	w.check(err)
	platforms, err := newPlatforms(w.config, s, log)
	w.check(err)
	byName := map[string]platform.Platform{w.place.name: platforms[0]}
	out := &outbox.Outbox{Store: s, Platforms: byName, MaxAge: w.config.Deliver.MaxAge, Now: time.Now, Wait: hurriedWait}
	models, err := newModels(w.config, nil, nil, log)
	w.check(err)
	engine, err := newEngine(w.config, s, models, out, newErrands(w.config, s, log), newMetrics(s), log)
	w.check(err)
	engine.Model, engine.Registry = w.model, w.registry(engine.Registry)
	keeper := &mark.Keeper{
		Book: markBook{store.Marks{Store: s}, w}, Platforms: byName, Glyphs: glyphs(w.config), MaxAge: w.config.Deliver.MaxAge,
		Logger: log, Now: time.Now, Wait: hurriedWait,
	}
	s.KeepMarks(keeper.Keeps, keeper.Want)
	keeper.Start()
	jobs := queue.New(s, queue.Options{Parallel: 20, Logger: log, Step: w.step(engine), Begin: (&marks{keeper}).begin(engine.Begin)})
	w.check(jobs.Start(ctx))
	in := &inbox.Inbox{Store: s, Queue: jobs, Rules: rules(w.config), Now: time.Now, Stop: stopper(ctx, s, engine, log), Await: jobs.Await}
	in.Rules.Posing = nil // people here write fast
	connected := w.place.connected(w.ctx)
	received := receive(ctx, platforms, markInbox{in, w}, jobs, quit)
	w.store = s
	w.end = func(patience time.Duration) {
		stopping, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err := jobs.Stop(stopping)
		quit()
		err = errors.Join(err, received())
		keeper.Stop(stopping)
		engine.Folder.Stop()
		w.check(errors.Join(err, s.Close()))
	}
	w.crash = func() {
		// The store goes first: from now on nobody can note anything.
		_ = s.Close()
		over, cancel := context.WithCancel(context.Background())
		cancel()
		quit()
		_ = jobs.Stop(over)
		_ = received()
		keeper.Stop(over)
		engine.Folder.Stop()
	}
	w.check(connected())
}

func (w *markWorld) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v\n%s", err, w.log.end(20_000))
	}
}

// registry has two actions of its own: one that fails, and one that has to be confirmed.
func (w *markWorld) registry(built *action.Registry) *action.Registry {
	w.t.Helper()
	type nothing struct{}
	registry, err := action.NewRegistry(append(built.Specs(),
		action.Define(action.Spec{Name: "breaks", Category: "messaging", Description: "Break.", Repeatable: true},
			func(context.Context, action.Call, nothing) action.Outcome { return action.Outcome{Summary: "it broke"} }),
		action.Define(action.Spec{Name: "destroy", Category: "messaging", Description: "Destroy.", Destructive: true, Repeatable: true},
			func(context.Context, action.Call, nothing) action.Outcome {
				return action.Outcome{OK: true, Summary: "it is gone"}
			}))...)
	w.check(err)
	return registry
}

// step is the engine's. It tells the model which turn it is, and the world what has ended.
func (w *markWorld) step(e *turn.Engine) func(context.Context, *store.Turn) error {
	return func(ctx context.Context, t *store.Turn) error {
		defer w.happened(nil)
		return e.Step(context.WithValue(ctx, turnKey{}, t), t)
	}
}

// happened notes that something has, and wakes up who waits for it.
func (w *markWorld) happened(note func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if note != nil {
		note()
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// until waits until nothing is wrong, and looks again whenever something has happened.
func (w *markWorld) until(wrong func() string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 30*time.Second)
	defer cancel()
	for {
		w.mu.Lock()
		changed := w.changed
		w.mu.Unlock()
		what := wrong()
		if what == "" {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			w.t.Fatalf("%s\nand now: %s\n%s", what, wrong(), w.log.end(20_000))
		}
	}
}

// rest waits until everything is settled and every mark is known to stand where it should.
func (w *markWorld) rest() {
	w.t.Helper()
	w.until(func() string {
		backlog, err := w.store.Backlog(w.ctx)
		w.check(err)
		unshown, err := store.Marks{Store: w.store}.Unshown(w.ctx, time.Now())
		w.check(err)
		if backlog.Turns == 0 && len(unshown) == 0 {
			return ""
		}
		return fmt.Sprintf("it does not come to rest: %+v, marks that do not stand yet: %+v", backlog, unshown)
	})
}

// A markInbox notes what was received.
type markInbox struct {
	platform.Inbox
	world *markWorld
}

func (in markInbox) Receive(ctx context.Context, m platform.Message) error {
	err := in.Inbox.Receive(ctx, m)
	if err == nil && m.Reaction == nil {
		in.world.happened(func() { in.world.received[m.Room.ID+" "+m.Stands()+" "+m.Text]++ })
	}
	return err
}

// hears waits until a text that stands in a room was received.
func (w *markWorld) hears(room markRoom, id, text string) {
	w.t.Helper()
	w.until(func() string {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.received[room.ID+" "+id+" "+text] > 0 {
			return ""
		}
		return fmt.Sprintf("%q is not received", text)
	})
}

// A markBook tells the world what was noted.
type markBook struct {
	store.Marks
	world *markWorld
}

func (b markBook) Shown(ctx context.Context, m mark.Wanted, became mark.Mark) error {
	err := b.Marks.Shown(ctx, m, became)
	b.world.happened(nil)
	return err
}
