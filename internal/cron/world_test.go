package cron

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
	"github.com/asidehq/aside/platform"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

// A world has a clock, a database, and processes that are killed.
type world struct {
	t        *testing.T
	database string
	data     string
	random   *rand.Rand // of the test's own goroutine

	mu      sync.Mutex
	now     time.Time
	replies map[string]int // how often a reply was stored, by the key of the errand
	settled chan struct{}  // something has ended, or somebody is to be killed

	// dies says where a process dies next: it is asked at every point where one may.
	dies func() bool
}

func newWorld(t *testing.T, database, data string, begin time.Time, seed uint64) *world {
	w := &world{
		t: t, database: database, data: data, now: begin, random: rand.New(rand.NewPCG(seed, 1)),
		replies: map[string]int{}, settled: make(chan struct{}, 1), dies: func() bool { return false },
	}
	return w
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) set(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
}

func (w *world) ended() {
	select {
	case w.settled <- struct{}{}:
	default:
	}
}

// A process is one that may be killed: whatever it has in memory is gone then.
type process struct {
	*Book
	w     *world
	queue *queue.Queue

	mu     sync.Mutex
	doomed bool
	// step does what the engine would; nil is an instant reply that says nothing.
	step       func(ctx context.Context, t *store.Turn) error
	actions    []store.Action // of every reply
	unanswered string         // why there is none
}

func (w *world) start() *process {
	w.t.Helper()
	s, err := store.Open(w.t.Context(), w.database, w.data, w.clock)
	if err != nil {
		w.t.Fatal(err)
	}
	p := &process{w: w}
	p.queue = queue.New(s, queue.Options{Parallel: 8, Logger: slog.New(slog.DiscardHandler), Step: p.instantly})
	p.Book = &Book{Store: s, Now: w.clock, Opened: func() {
		if !p.dying() { // else it dies between the transaction and the queue
			p.queue.Await(s.Now())
		}
	}}
	if err := p.queue.Start(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// dying tells whether the process is to die here. From then on it does nothing any more.
func (p *process) dying() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.doomed && p.w.dies() {
		p.doomed = true
		p.w.ended()
	}
	return p.doomed
}

func (p *process) isDoomed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doomed
}

// said is the reply in every run.
const said = "Hello."

var errKilled = errors.New("killed")

// instantly is the engine with a model that has nothing to say.
func (p *process) instantly(ctx context.Context, t *store.Turn) error {
	if p.dying() {
		return errKilled
	}
	if t.Stage == store.Waiting {
		t.Problems, t.Timings, t.Reply, t.Shown = []byte("[]"), []byte("{}"), said, said
		if p.step != nil {
			if err := p.step(ctx, t); err != nil {
				return err
			}
		}
		if err := p.Store.SaveReply(ctx, t, store.Reply{Actions: p.actions, Unanswered: p.unanswered}); err != nil {
			return err
		}
		p.w.mu.Lock()
		p.w.replies[t.Message.ID]++
		p.w.mu.Unlock()
		return nil
	}
	if t.Stage == store.Generated {
		return p.Store.SavePosts(ctx, t, nil, store.Next{})
	}
	err := p.Store.SettleAnd(ctx, t, nil, func(ctx context.Context, tx store.Tx) error {
		if err := p.Ended(ctx, tx, t); err != nil {
			return err
		}
		if p.dying() {
			return errKilled // before it is committed
		}
		return nil
	})
	if err == nil {
		p.queue.Await(p.Store.Now()) // as the program does: jobs that follow may have begun
		p.w.ended()
	}
	return err
}

// kill ends a process without letting it do anything more.
func (p *process) kill() {
	p.mu.Lock()
	p.doomed = true
	p.mu.Unlock()
	_ = p.Store.Close() // nothing more gets into the database
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = p.queue.Stop(ctx) // it cannot say goodbye
}

// stop ends a process in good order.
func (p *process) stop() {
	_ = p.queue.Stop(context.Background())
	_ = p.Store.Close()
}

// quiet waits until nothing is to be done, or a process is to be killed.
func (w *world) quiet(all ...*process) {
	w.t.Helper()
	for {
		for _, p := range all {
			if p.isDoomed() {
				return
			}
		}
		backlog, err := all[0].Store.Backlog(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		if backlog.Turns == 0 {
			return
		}
		select {
		case <-w.settled:
		case <-w.t.Context().Done():
			w.t.Fatal("it does not become quiet")
		}
	}
}

// job is one that a test adds.
func job(key, schedule, zone string) store.CronJob {
	return store.CronJob{
		Key: key, Name: "job " + key, Schedule: schedule, Zone: zone, Prompt: "Say hello.",
		Room: platform.Room{Platform: "test", ID: "a"}, Person: platform.Person{ID: "ada", Name: "Ada"},
	}
}

func (p *process) add(j store.CronJob) store.CronJob {
	p.w.t.Helper()
	j, err := p.Add(p.w.t.Context(), j)
	if err != nil {
		p.w.t.Fatal(err)
	}
	return j
}
