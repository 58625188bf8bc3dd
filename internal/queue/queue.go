// Package queue runs the turns. A session with open turns has a lease (package
// store): the process that owns it works through its turns in order; sessions run
// beside each other, and processes share them on PostgreSQL.
//
// Before changing it, know how nothing is forgotten: the lease is stored with the turn
// that needs it and ends with the last one, so the store knows at any time what there
// is to do. What this package has in memory is only a shorter way.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// Options of a Queue.
type Options struct {
	Parallel int // how many sessions run at once
	Logger   *slog.Logger

	// Step brings a turn to its next stage. An error means that it could not be
	// brought forward now; it is tried again later, from where it is.
	Step func(ctx context.Context, t *store.Turn) error

	// Begin is called when this process takes a turn up, and what it returns when it
	// leaves it: settled, or with the error for which it is put off. The context is
	// that of the steps between. Nil does nothing.
	Begin func(ctx context.Context, t *store.Turn) (context.Context, func(error))

	// After is a timer, and what stops it; nil is a time.Timer.
	After func(time.Duration) (<-chan time.Time, func())
}

// A Queue is started once and stopped once.
type Queue struct {
	Options
	store *store.Store

	turns    context.Context // of all turns
	cancel   context.CancelFunc
	stopping context.Context // no turn enters another stage
	stop     context.CancelFunc
	working  sync.WaitGroup // sessions, and the look-out

	mu       sync.Mutex
	open     bool            // between Start and Stop
	sessions map[string]bool // that are being worked through; true if there is more by now
	spawned  int             // how many of them another one waits for: they have places of their own
	behind   bool            // sessions may wait for an owner
	due      time.Time       // when the next session can be claimed that cannot be now; zero if none
	sooner   chan struct{}   // due has changed
}

// New returns a queue that does nothing yet.
func New(s *store.Store, o Options) *Queue {
	q := &Queue{Options: o, store: s, sessions: map[string]bool{}, sooner: make(chan struct{}, 1)}
	if q.Begin == nil {
		q.Begin = func(ctx context.Context, _ *store.Turn) (context.Context, func(error)) { return ctx, func(error) {} }
	}
	if q.After == nil {
		q.After = after
	}
	q.turns, q.cancel = context.WithCancel(context.Background())
	q.stopping, q.stop = context.WithCancel(q.turns)
	return q
}

// Start takes up what earlier processes have left, and then works until Stop.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.store.Begin(ctx, deadAfter); err != nil {
		return err
	}
	q.mu.Lock()
	q.open, q.behind = true, true
	q.mu.Unlock()
	if err := q.fill(ctx); err != nil {
		return err
	}
	q.working.Go(q.lookOut)
	q.working.Go(q.watch)
	return nil
}

// Stop takes no more sessions and lets running turns reach their next stage; when the
// context ends first it cancels them. What was not finished is taken up by the next
// process.
func (q *Queue) Stop(ctx context.Context) error {
	q.mu.Lock()
	q.open = false
	q.mu.Unlock()
	q.stop()
	defer q.cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.working.Wait()
	}()
	var err error
	select {
	case <-ended:
	case <-ctx.Done():
		q.cancel()
		select {
		case <-ended:
		case <-time.After(cancelTime):
			err = errors.New("turns did not end; the next process takes them up")
		}
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer cancel()
	if err := errors.Join(err, q.store.Leave(leaving)); err != nil {
		return fmt.Errorf("stop the queue: %w", err)
	}
	return nil
}

// cancelTime is how long turns have to end that were cancelled.
const cancelTime = 2 * time.Second

// Enqueue lets open open a turn of a session, and sees to it that it is worked on, at
// once if there is room. open is told whether this process would own the session, and
// tells whether it has to begin with it.
func (q *Queue) Enqueue(open func(claim bool) (session string, mine bool, err error)) error {
	claim := q.hasRoom()
	session, mine, err := open(claim)
	if err != nil {
		return err
	}
	if mine {
		q.begin(session)
	}
	return nil
}

// hasRoom tells whether another session can begin. Many may be told so at once; they
// all begin then.
func (q *Queue) hasRoom() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	room := q.open && len(q.sessions)-q.spawned < q.Parallel
	if !room {
		q.behind = true
	}
	return room
}

// begin works through a session that this process owns.
func (q *Queue) begin(session string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, working := q.sessions[session]; working {
		q.sessions[session] = true
		return
	}
	if !q.open {
		return // Leave gives it free
	}
	q.sessions[session] = false
	if store.IsSpawned(session) {
		q.spawned++
	}
	q.working.Go(func() { q.drain(session) })
}

// Running is how many sessions are being worked through.
func (q *Queue) Running() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.sessions)
}

// ended notes that a session was worked through, unless there is more by now.
func (q *Queue) ended(session string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.sessions[session] && q.open {
		q.sessions[session] = false
		return false
	}
	delete(q.sessions, session)
	if store.IsSpawned(session) {
		q.spawned--
	}
	return true
}

// fill begins with sessions that wait for an owner, as many as there is room for, and with
// all that others wait for.
func (q *Queue) fill(ctx context.Context) error {
	q.mu.Lock()
	room := q.Parallel - (len(q.sessions) - q.spawned)
	if !q.open || !q.behind {
		q.mu.Unlock()
		return nil
	}
	q.behind = room <= 0
	q.mu.Unlock()

	spawned, err := q.store.ClaimSpawned(ctx)
	for _, session := range spawned {
		q.begin(session)
	}
	if err != nil || room <= 0 {
		q.mu.Lock()
		q.behind = true
		q.mu.Unlock()
		return err
	}
	sessions, err := q.store.Claim(ctx, room)
	if err != nil || len(sessions) == room {
		q.mu.Lock()
		q.behind = true
		q.mu.Unlock()
	}
	for _, session := range sessions {
		q.begin(session)
	}
	return err
}
