package cron

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
)

const (
	mostJobs  = 1000
	mostChain = 10 // jobs that follow one
)

// A Problem is why something cannot be done with a job, for the model and the person.
type Problem struct {
	Why     string
	Refused bool // the person may not, or the runtime does not
	Missing bool // there is no such job
}

func (p *Problem) Error() string { return p.Why }

func problem(format string, a ...any) error { return &Problem{Why: fmt.Sprintf(format, a...)} }

func refusal(format string, a ...any) error {
	return &Problem{Why: fmt.Sprintf(format, a...), Refused: true}
}

// noSuchJob is the same whether there is none or the person may not know of it.
func noSuchJob(id string) error {
	return &Problem{Why: fmt.Sprintf("there is no job %s; cronList shows them", clip(oneLine(id), 60)), Missing: true}
}

// Number reads a job's id: cron-001, 001 or 1.
func Number(id string) (int64, bool) {
	id = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(id)), "cron-")
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil && n > 0
}

// Find is the job of an id among jobs, or the one of a name that no other has.
func Find(jobs []store.CronJob, id string) (store.CronJob, error) {
	if n, ok := Number(id); ok {
		if i := slices.IndexFunc(jobs, func(j store.CronJob) bool { return j.Number == n }); i >= 0 {
			return jobs[i], nil
		}
	}
	var named []store.CronJob
	for _, j := range jobs {
		if strings.EqualFold(j.Name, strings.TrimSpace(id)) {
			named = append(named, j)
		}
	}
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		return store.CronJob{}, noSuchJob(id)
	}
	var ids []string
	for _, j := range named {
		ids = append(ids, j.ID())
	}
	return store.CronJob{}, problem("%d jobs are called %q: %s; say which", len(named), clip(oneLine(id), 60), strings.Join(ids, ", "))
}

// Jobs are all jobs, oldest first.
func (b *Book) Jobs(ctx context.Context) ([]store.CronJob, error) { return b.Store.Crons(ctx) }

// Job is the job of an id.
func (b *Book) Job(ctx context.Context, id string) (store.CronJob, error) {
	all, err := b.Store.Crons(ctx)
	if err != nil {
		return store.CronJob{}, err
	}
	return Find(all, id)
}

// Runs are the latest runs of a job, newest first.
func (b *Book) Runs(ctx context.Context, j store.CronJob, most int) ([]store.CronRun, error) {
	return b.Store.CronRuns(ctx, j.Number, most)
}

// Add adds a job, once for each key.
func (b *Book) Add(ctx context.Context, j store.CronJob) (store.CronJob, error) {
	schedule, err := Parse(j.Schedule, j.Zone)
	if err != nil {
		return j, problem("%v", err)
	}
	j.Schedule, j.Zone, j.State = schedule.String(), schedule.Zone().String(), cmp.Or(j.State, "{}")
	j.LastDue = b.Now().Truncate(time.Second)
	j.Due = schedule.After(j.LastDue)
	if j, err = b.Store.AddCron(ctx, j, func(j store.CronJob, others []store.CronJob) error {
		if len(others) >= mostJobs {
			return refusal("there are %d jobs already; delete one first", len(others))
		}
		return checkChain(j, others)
	}); err != nil {
		return j, err
	}
	b.changed()
	return j, nil
}

// Change changes a job. If its schedule is another one, it is due by that from now on.
func (b *Book) Change(ctx context.Context, number int64, change func(j *store.CronJob) error) (store.CronJob, error) {
	j, err := b.Store.ChangeCron(ctx, number, func(j *store.CronJob, others []store.CronJob) error {
		before := *j
		if err := change(j); err != nil {
			return err
		}
		if !slices.Equal(before.Chain, j.Chain) {
			if err := checkChain(*j, others); err != nil {
				return err
			}
		}
		return b.reschedule(before, j)
	})
	if err != nil {
		return j, known(err, store.CronID(number))
	}
	b.changed()
	return j, nil
}

// reschedule sets when a changed job is due. What was due while it was paused is not missed:
// it was not to run then.
func (b *Book) reschedule(before store.CronJob, j *store.CronJob) error {
	schedule, err := Parse(j.Schedule, j.Zone)
	if err != nil {
		return problem("%v", err)
	}
	j.Schedule, j.Zone = schedule.String(), schedule.Zone().String()
	other := before.Schedule != j.Schedule || before.Zone != j.Zone
	if !other && before.Paused == j.Paused && !j.Due.IsZero() {
		return nil
	}
	now := b.Now().Truncate(time.Second)
	if schedule.every == 0 || other {
		j.LastDue = now
	}
	_, _, _, j.Due = schedule.Until(j.LastDue, now)
	return nil
}

// SetPaused pauses a job, or lets it run again.
func (b *Book) SetPaused(ctx context.Context, number int64, paused bool) (store.CronJob, error) {
	return b.Change(ctx, number, func(j *store.CronJob) error {
		j.Paused = paused
		return nil
	})
}

// Delete takes a job away, once for each key.
func (b *Book) Delete(ctx context.Context, number int64, key string) error {
	if err := b.Store.DeleteCron(ctx, number, key); err != nil {
		return known(err, store.CronID(number))
	}
	b.changed()
	return nil
}

// A Trigger is why a job runs outside its schedule.
type Trigger struct {
	Key    string // once for each
	Began  string
	Source string // whose data it gets
	Data   string
}

// ErrBefore says that a run with the same key was asked for before.
var ErrBefore = errors.New("it was asked for before")

// Run runs a job now, beside its schedule and never at the same time. Where one runs and
// another one waits already it is refused.
func (b *Book) Run(ctx context.Context, number int64, why Trigger) (r store.CronRun, err error) {
	err = b.Store.In(ctx, func(tx store.Tx) error {
		j, err := tx.LockCron(ctx, number)
		if err != nil {
			return err
		}
		key := j.ID() + "/" + why.Key
		if why.Began == byHook {
			key = "hook/" + why.Key // once, for whichever job
		}
		before, found, err := tx.RunByKey(ctx, key)
		if err != nil {
			return err
		}
		if found {
			r = before
			return ErrBefore
		}
		if r, err = b.start(ctx, tx, j, store.CronRun{Key: key, Due: b.Now(), Began: why.Began, Source: why.Source, Data: why.Data}); err != nil {
			return err
		}
		if r.ID == 0 {
			return ErrBefore // in another transaction, just now
		}
		return tx.TellCrons(ctx)
	})
	switch {
	case errors.Is(err, ErrBefore):
		return r, ErrBefore
	case err != nil:
		return r, known(err, store.CronID(number))
	}
	b.opened()
	return r, nil
}

// SetState replaces the state of a job.
func (b *Book) SetState(ctx context.Context, number int64, state json.RawMessage) error {
	text, err := checkState(state)
	if err != nil {
		return err
	}
	return b.Store.SetCronState(ctx, number, text)
}

// checkState reads a state.
func checkState(state json.RawMessage) (string, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(state, &object); err != nil || object == nil {
		return "", problem("the state is a JSON object, such as {\"seen\": 3}; the old one was kept")
	}
	text, err := json.Marshal(object)
	if err != nil {
		return "", problem("the state cannot be written down; the old one was kept")
	}
	if len(text) > MostState {
		return "", problem("the state has %d bytes, and at most %d are kept; the old one was kept", len(text), MostState)
	}
	return string(text), nil
}

// known says that a job is not there in words for a person.
func known(err error, id string) error {
	if errors.Is(err, store.ErrNoSuchCron) {
		return noSuchJob(id)
	}
	return err
}

// checkChain checks the jobs that follow one: they exist, and lead nowhere back to it.
func checkChain(j store.CronJob, others []store.CronJob) error {
	follows := map[int64][]int64{}
	for _, other := range others {
		follows[other.Number] = other.Chain
	}
	if j.Number != 0 {
		follows[j.Number] = j.Chain
	}
	if len(j.Chain) > mostChain {
		return problem("at most %d jobs can follow one", mostChain)
	}
	for _, next := range j.Chain {
		if _, ok := follows[next]; !ok || next == 0 {
			return noSuchJob(store.CronID(next))
		}
		if j.Number == 0 {
			continue // nobody knows of it yet
		}
		if way := wayTo(next, j.Number, follows, map[int64]bool{}); way != nil {
			var ids []string
			for _, n := range append([]int64{j.Number}, way...) {
				ids = append(ids, store.CronID(n))
			}
			return problem("the jobs would run each other for ever: %s", strings.Join(ids, " → "))
		}
	}
	return nil
}

// wayTo is a way along the chains from one job to another, nil if there is none.
func wayTo(from, to int64, follows map[int64][]int64, seen map[int64]bool) []int64 {
	if from == to {
		return []int64{to}
	}
	if seen[from] {
		return nil
	}
	seen[from] = true
	for _, next := range follows[from] {
		if way := wayTo(next, to, follows, seen); way != nil {
			return append([]int64{from}, way...)
		}
	}
	return nil
}

// Upcoming are the next times at which a job runs, as people in its zone read them.
func Upcoming(j store.CronJob, n int) []string {
	schedule, err := Parse(j.Schedule, j.Zone)
	if err != nil || j.Due.IsZero() {
		return nil
	}
	var all []string
	for due := j.Due; len(all) < n && !due.IsZero(); due = schedule.After(due) {
		all = append(all, Local(due, schedule.Zone()))
	}
	return all
}

// Local is a due time as people in its zone read it.
func Local(t time.Time, zone *time.Location) string { return t.In(zone).Format("2006-01-02 15:04 MST") }

// ByHand is why a job runs that somebody wants to run now.
func ByHand(key string) Trigger { return Trigger{Key: key, Began: byTrigger} }
