package cron

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// What has begun a run.
const (
	byClock   = "clock"
	byTrigger = "trigger"
	byChain   = "chain"
	byHook    = "hook"
)

// A Book is the jobs: the clock rings for it, and what it is asked for it does, without
// looking at anybody's rights. That is the Desk's.
type Book struct {
	Store *store.Store
	Now   func() time.Time

	// Opened is called when a run has been begun and somebody has to look after it; nil
	// where no Aside runs on the store.
	Opened func()

	// Changed is called when another time may be the next that a job is due; nil does
	// nothing.
	Changed func()
}

// Next implements schedule.Book.
func (b *Book) Next(ctx context.Context) (time.Time, error) { return b.Store.NextCron(ctx) }

// Ring implements schedule.Book. Of the due times that have passed the last one is run; the
// others were missed while nobody was there.
func (b *Book) Ring(ctx context.Context, now time.Time) error {
	due, err := b.Store.DueCrons(ctx, now)
	if err != nil {
		return err
	}
	var errs []error
	for _, j := range due {
		if err := b.ring(ctx, j, now); err != nil {
			errs = append(errs, fmt.Errorf("%s is due: %w", j.ID(), err))
		}
	}
	b.opened()
	return errors.Join(errs...)
}

func (b *Book) ring(ctx context.Context, j store.CronJob, now time.Time) error {
	schedule, err := Parse(j.Schedule, j.Zone)
	if err != nil {
		return b.giveUp(ctx, j, err)
	}
	latest, missed := j.Due, 0
	n, _, last, next := schedule.Until(j.Due, now)
	if n > 0 {
		latest, missed = last, n
	}
	return b.Store.In(ctx, func(tx store.Tx) error {
		job, err := tx.LockCron(ctx, j.Number)
		if errors.Is(err, store.ErrNoSuchCron) {
			return nil
		}
		if err != nil {
			return err
		}
		if moved, err := tx.MoveCron(ctx, j, latest, next); err != nil || !moved {
			return err
		}
		if missed > 0 {
			r := store.CronRun{
				Cron: j.Number, Key: runKey(j, j.Due) + "/missed", Due: j.Due, Times: missed, Ended: now,
				Outcome: store.CronMissed, Why: "Aside was not running", Began: byClock,
			}
			if _, err := tx.AddRun(ctx, &r); err != nil {
				return err
			}
		}
		job.Due, job.LastDue = next, latest
		_, err = b.start(ctx, tx, job, store.CronRun{Key: runKey(j, latest), Due: latest, Began: byClock})
		return err
	})
}

// giveUp ends the schedule of a job that cannot be read any more: its time zone is gone, or
// somebody has changed the database.
func (b *Book) giveUp(ctx context.Context, j store.CronJob, why error) error {
	return b.Store.In(ctx, func(tx store.Tx) error {
		if moved, err := tx.MoveCron(ctx, j, j.Due, time.Time{}); err != nil || !moved {
			return err
		}
		r := store.CronRun{Cron: j.Number, Key: runKey(j, j.Due), Due: j.Due, Ended: b.Now(), Outcome: store.CronFailed, Why: why.Error(), Began: byClock}
		_, err := tx.AddRun(ctx, &r)
		return err
	})
}

// runKey is the key of the run at a due time: there is one.
func runKey(j store.CronJob, due time.Time) string {
	return j.ID() + "/" + due.UTC().Format(time.RFC3339Nano)
}

func (b *Book) opened() {
	if b.Opened != nil {
		b.Opened()
	}
}

func (b *Book) changed() {
	if b.Changed != nil {
		b.Changed()
	}
}
