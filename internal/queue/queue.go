// Package queue runs the turns. A session with open turns has one job, unique by
// session, which works through them in order; sessions run beside each other.
//
// River does the work. Before changing it, know how a wake-up cannot be lost: a
// message is stored first, then Wake inserts the session's job, which River skips
// while one is there; and a job ends only in a transaction that sees its session
// without an open turn.
package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/asidehq/aside/internal/store"
)

// A Queue is started once and stopped once.
type Queue struct {
	store   *store.Store
	client  *river.Client[*sql.Tx]
	drainer *drainer
	alive   *alive
}

// Options of a Queue.
type Options struct {
	Parallel int // how many sessions run at once
	Logger   *slog.Logger

	// Lost is called when other processes have reason to think this one dead; it
	// must end then. Only PostgreSQL is shared by several processes.
	Lost func()

	// Step brings a turn to its next stage. An error means that it could not be
	// brought forward now; it is tried again later, from where it is.
	Step func(ctx context.Context, t *store.Turn) error
}

// New returns a queue that does nothing yet.
func New(s *store.Store, o Options) (*Queue, error) {
	workers := river.NewWorkers()
	d := &drainer{store: s, step: o.Step, log: o.Logger}
	d.stopping, d.stop = context.WithCancel(context.Background())
	river.AddWorker(workers, d)
	client, err := river.NewClient[*sql.Tx](s.Driver(), &river.Config{
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: o.Parallel}},
		Workers:                     workers,
		FetchCooldown:               time.Millisecond,
		FetchPollInterval:           time.Second,
		JobTimeout:                  -1, // a turn has limits of its own
		MaxAttempts:                 1 << 14,
		RescueStuckJobsAfter:        365 * 24 * time.Hour, // alive.go knows whose owner is dead
		CompletedJobRetentionPeriod: time.Hour,
		PollOnly:                    true,
		Logger:                      slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, fmt.Errorf("set up the queue: %w", err)
	}
	return &Queue{store: s, client: client, drainer: d, alive: &alive{store: s, id: client.ID(), log: o.Logger, lost: o.Lost}}, nil
}

// Start takes up what earlier processes have left, and then works until Stop.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.recover(ctx); err != nil {
		return err
	}
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	return nil
}

// recover gives the jobs of dead processes free, and wakes every session that has
// open turns.
func (q *Queue) recover(ctx context.Context) error {
	if err := q.alive.begin(ctx); err != nil {
		return err
	}
	sessions, err := q.store.OpenSessions(ctx)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		if err := q.Wake(ctx, session); err != nil {
			return err
		}
	}
	return nil
}

// Stop takes no more jobs and lets running turns reach their next stage; when the
// context ends first it cancels them. What was not finished is taken up by the next
// process.
func (q *Queue) Stop(ctx context.Context) error {
	defer q.alive.end()
	q.drainer.stop()
	err := q.client.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		now, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer cancel()
		err = q.client.StopAndCancel(now)
	}
	if err != nil {
		return fmt.Errorf("stop the queue: %w", err)
	}
	return nil
}

// cancelTime is how long turns have to end that were cancelled.
const cancelTime = 2 * time.Second

// drainArgs names the session that a job works through.
type drainArgs struct {
	Session string `json:"session" river:"unique"`
}

func (drainArgs) Kind() string { return "drain" }

// Wake sees to it that a session's open turns are worked through, at once if a
// worker is free.
func (q *Queue) Wake(ctx context.Context, session string) error {
	_, err := q.client.Insert(ctx, drainArgs{session}, &river.InsertOpts{
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}},
	})
	if err != nil {
		return fmt.Errorf("wake session %s: %w", session, err)
	}
	return nil
}

// A drainer works through a session.
type drainer struct {
	river.WorkerDefaults[drainArgs]
	store *store.Store
	step  func(ctx context.Context, t *store.Turn) error
	log   *slog.Logger

	stopping context.Context // ends with stop
	stop     context.CancelFunc
}

// later is when a turn that could not be brought forward is tried again. The time
// doubles up to latest: the model may be asked anew each time.
const (
	later  = time.Second
	latest = 15 * time.Second
)

func (d *drainer) Work(ctx context.Context, job *river.Job[drainArgs]) error {
	for wait := later; ; {
		drained, err := d.next(ctx, job)
		switch {
		case drained:
			return nil
		case ctx.Err() != nil || d.stopping.Err() != nil:
			return river.JobSnooze(later)
		case err == nil:
			wait = later
			continue
		}
		d.log.Error("turn put off", "session", job.Args.Session, "error", err)
		if d.store.Engine != store.SQLite {
			return river.JobSnooze(later) // it may be another process's job by now
		}
		// The job is not put off, only waited with: putting it off has to be stored,
		// and if the disk is full, River gives up on that after seconds. The job would
		// be running for ever, and the session asleep.
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		case <-d.stopping.Done():
		}
		wait = min(2*wait, latest)
	}
}

// next settles the next turn of a session, or ends the job if there is none.
func (d *drainer) next(ctx context.Context, job *river.Job[drainArgs]) (drained bool, err error) {
	t, err := d.store.NextTurn(ctx, job.Args.Session)
	for err == nil && t != nil && t.Stage != store.Settled && d.stopping.Err() == nil {
		err = d.step(ctx, t)
	}
	if err != nil || t != nil || d.stopping.Err() != nil {
		return false, err
	}
	return d.store.IfDrained(ctx, job.Args.Session, func(tx store.Tx) error {
		_, err := river.JobCompleteTx[riverdriver.Driver[*sql.Tx]](ctx, tx.Tx, job)
		return err
	})
}
