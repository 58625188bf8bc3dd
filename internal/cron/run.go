package cron

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
)

// flow is that of a job's runs.
const flow = "cron"

const (
	mostDepth  = 10   // of a chain
	mostResult = 8000 // characters of a run's result, for the next job
)

// more is what a run's errand brings back.
type more struct {
	Run string // its key
}

// start begins a run of a job, once for each key. One waits while another one runs; beyond
// that a run is skipped. The transaction holds the lock of the job.
func (b *Book) start(ctx context.Context, tx store.Tx, j store.CronJob, r store.CronRun) (store.CronRun, error) {
	r.Cron = j.Number
	open, err := tx.OpenRuns(ctx, j.Number)
	if err != nil {
		return r, err
	}
	r.Outcome = store.CronWaiting
	switch {
	case r.Depth > mostDepth:
		r.Outcome, r.Why, r.Ended = store.CronSkipped, fmt.Sprintf("the chain is longer than %d jobs", mostDepth), b.Now()
	case j.Paused && r.Began != byTrigger:
		r.Outcome, r.Why, r.Ended = store.CronSkipped, paused, b.Now()
	case len(open) > 1:
		r.Outcome, r.Why, r.Ended = store.CronSkipped, stillRunning, b.Now()
	}
	fresh, err := tx.AddRun(ctx, &r)
	if err != nil || !fresh {
		return r, err
	}
	if r.Outcome == store.CronWaiting && len(open) == 0 {
		err = b.begin(ctx, tx, j, &r)
	}
	return r, err
}

const (
	stillRunning = "the job was still running, and another run waited already"
	paused       = "the job was paused"
)

// begin opens the errand of a run that waits. What it is told is put together now: what the
// run before it has left behind is the state that it begins with.
func (b *Book) begin(ctx context.Context, tx store.Tx, j store.CronJob, r *store.CronRun) error {
	brief, err := json.Marshal(more{Run: r.Key})
	if err != nil {
		return err
	}
	opened, err := tx.Open(ctx, store.Errand{
		Key: r.Key, Flow: flow, Session: j.Session(),
		Room: j.Room, Parent: j.Parent, Direct: j.Direct, Person: j.Person,
		Text: runText(j, *r), At: r.Due,
		Brief: store.Brief{
			Job: j.ID(), Role: string(config.CronExec), Model: j.Model, Only: only(j), Alone: true,
			Routing: j.Routing, Quiet: j.Silent, More: brief,
		},
	}, false)
	if err != nil {
		return err
	}
	r.Outcome, r.Started, r.Turn = store.CronRunning, b.Now(), opened.Turn
	_, err = tx.SaveRun(ctx, *r, store.CronWaiting)
	return err
}

// only are the actions that a run may use, nil if there is no list. What its state is, it
// may always say.
func only(j store.CronJob) []string {
	if len(j.Allowed) == 0 {
		return nil
	}
	return append(append([]string{}, j.Allowed...), StateAction)
}

// StateAction is what <cron-state> in a reply is read as.
const StateAction = "cronState"

// Ended notes what became of a run, in the transaction that settles its last turn, and
// begins what comes after it: the jobs that follow on success, and the run that has waited.
func (b *Book) Ended(ctx context.Context, tx store.Tx, t *store.Turn) error {
	var of more
	if err := json.Unmarshal(t.Brief.More, &of); err != nil {
		return fmt.Errorf("read which run turn %d is: %w", t.ID, err)
	}
	r, found, err := tx.RunByKey(ctx, of.Run)
	if err != nil || !found {
		return err
	}
	if r.Outcome, r.Why, err = outcome(ctx, tx, t); err != nil {
		return err
	}
	r.Ended = b.Now()
	if saved, err := tx.SaveRun(ctx, r, store.CronRunning); err != nil || !saved {
		return err // a letter was sent again, and the run had ended before
	}
	j, err := tx.LockCron(ctx, r.Cron)
	gone := errors.Is(err, store.ErrNoSuchCron)
	if err != nil && !gone {
		return err
	}
	if r.Outcome == store.CronDone && !gone {
		if err := b.chain(ctx, tx, j, r, t.Shown); err != nil {
			return err
		}
	}
	return b.next(ctx, tx, j, r.Cron, gone)
}

// outcome is what became of a run. A failure that the model has made good is none: it has
// done in the end what had failed before.
func outcome(ctx context.Context, tx store.Tx, t *store.Turn) (store.CronOutcome, string, error) {
	if t.Unanswered != "" {
		return store.CronBarred, t.Unanswered, nil
	}
	if t.Failure != "" {
		return store.CronFailed, t.Failure, nil
	}
	fate, err := tx.Fate(ctx, t.ID)
	if err != nil {
		return "", "", err
	}
	why := map[string]string{}
	var failed []string
	for _, a := range fate.Actions {
		switch a.State {
		case store.Done:
			delete(why, a.Type)
		case store.Failed, store.Refused, store.Unknown:
			if _, known := why[a.Type]; !known {
				failed = append(failed, a.Type)
			}
			why[a.Type] = a.Summary
		}
	}
	for _, name := range failed {
		if reason, still := why[name]; still {
			return store.CronFailed, clip(oneLine(name+": "+reason), 300), nil
		}
	}
	if len(fate.Undelivered) > 0 {
		return store.CronFailed, clip(oneLine("not delivered: "+fate.Undelivered[0]), 300), nil
	}
	if t.Output == string(output.Error) {
		return store.CronFailed, clip(oneLine(t.OutputWhy), 300), nil
	}
	for _, turn := range fate.Unread {
		if !slices.ContainsFunc(fate.Actions, func(a store.Action) bool { return a.Turn > turn && a.State == store.Done }) {
			return store.CronFailed, "an instruction in the reply could not be read", nil
		}
	}
	return store.CronDone, "", nil
}

// chain starts the jobs that follow a run.
func (b *Book) chain(ctx context.Context, tx store.Tx, j store.CronJob, r store.CronRun, result string) error {
	for _, number := range j.Chain {
		next, err := tx.LockCron(ctx, number)
		if errors.Is(err, store.ErrNoSuchCron) {
			continue // it was deleted since
		}
		if err != nil {
			return err
		}
		if _, err := b.start(ctx, tx, next, store.CronRun{
			Key: r.Key + "/" + next.ID(), Due: b.Now(), Began: byChain, Depth: r.Depth + 1,
			Source: "the job " + j.ID() + ", " + oneLine(j.Name) + ", which has just run", Data: clip(result, mostResult),
		}); err != nil {
			return err
		}
	}
	return nil
}

// next begins the run that has waited for another one.
func (b *Book) next(ctx context.Context, tx store.Tx, j store.CronJob, number int64, gone bool) error {
	open, err := tx.OpenRuns(ctx, number)
	if err != nil {
		return err
	}
	for _, r := range open {
		if r.Outcome != store.CronWaiting {
			return nil
		}
		if !gone && (!j.Paused || r.Began == byTrigger) {
			return b.begin(ctx, tx, j, &r)
		}
		r.Outcome, r.Why, r.Ended = store.CronSkipped, paused, b.Now()
		if gone {
			r.Why = "the job was deleted"
		}
		if _, err := tx.SaveRun(ctx, r, store.CronWaiting); err != nil {
			return err
		}
	}
	return nil
}
