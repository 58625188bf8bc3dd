package operator

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/asidehq/aside/internal/cron"
	"github.com/asidehq/aside/internal/store"
)

var (
	// ErrNoSuchCron says that there is no job of that id.
	ErrNoSuchCron = errors.New("there is no such job")

	// ErrCronBusy says that a job is running, and another run of it waits already.
	ErrCronBusy = errors.New("the job is running, and another run waits already; try again later")
)

// A Cron is a job: a prompt that runs on a schedule.
type Cron struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Schedule string          `json:"schedule"`
	Timezone string          `json:"timezone"`
	Room     string          `json:"room"`              // platform/id
	Channel  string          `json:"channel,omitempty"` // what the room is called
	Person   string          `json:"person"`            // with whose rights it runs: platform/id
	Prompt   string          `json:"prompt"`
	Model    string          `json:"model,omitempty"`
	Tags     []string        `json:"tags,omitempty"`
	Routing  string          `json:"routing_mode,omitempty"`
	Allowed  []string        `json:"allowed_actions,omitempty"`
	Chain    []string        `json:"chain,omitempty"`
	Silent   bool            `json:"silent"`
	Paused   bool            `json:"paused"`
	State    json.RawMessage `json:"state"`
	Next     *time.Time      `json:"next,omitempty"` // in its time zone
	Runs     []CronRun       `json:"runs"`           // newest first
	Created  time.Time       `json:"created"`
	Updated  time.Time       `json:"updated"`
}

// A CronRun is a run of a job, or a due time at which there was none.
type CronRun struct {
	Due     time.Time         `json:"due"`
	Started *time.Time        `json:"started,omitempty"`
	Ended   *time.Time        `json:"ended,omitempty"`
	Outcome store.CronOutcome `json:"outcome"`
	Why     string            `json:"why,omitempty"`
	By      string            `json:"by"`
	Times   int               `json:"times"` // how many due times it stands for
	Turn    int64             `json:"turn,omitempty"`
}

const (
	listedRuns = 1
	shownRuns  = 10
)

// jobs are the jobs on the store.
func (l Local) jobs() *cron.Book {
	if l.Jobs != nil {
		return l.Jobs
	}
	return &cron.Book{Store: l.Store, Now: l.Store.Now}
}

// Crons returns all jobs, each with its last run.
func (l Local) Crons(ctx context.Context) ([]Cron, error) {
	jobs, err := l.jobs().Jobs(ctx)
	if err != nil {
		return nil, err
	}
	all := []Cron{}
	for _, j := range jobs {
		c, err := l.cron(ctx, j, listedRuns)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Cron returns a job with its last runs.
func (l Local) Cron(ctx context.Context, id string) (Cron, error) {
	j, err := l.jobs().Job(ctx, id)
	if err != nil {
		return Cron{}, cronError(err)
	}
	return l.cron(ctx, j, shownRuns)
}

// RunCron runs a job now, besides its schedule.
func (l Local) RunCron(ctx context.Context, id string) (Cron, error) {
	j, err := l.jobs().Job(ctx, id)
	if err != nil {
		return Cron{}, cronError(err)
	}
	r, err := l.jobs().Run(ctx, j.Number, cron.ByHand(rand.Text()))
	if err != nil {
		return Cron{}, cronError(err)
	}
	if r.Outcome == store.CronSkipped {
		return Cron{}, ErrCronBusy
	}
	return l.cron(ctx, j, shownRuns)
}

// PauseCron pauses a job, or lets it run again.
func (l Local) PauseCron(ctx context.Context, id string, paused bool) (Cron, error) {
	j, err := l.jobs().Job(ctx, id)
	if err == nil {
		j, err = l.jobs().SetPaused(ctx, j.Number, paused)
	}
	if err != nil {
		return Cron{}, cronError(err)
	}
	return l.cron(ctx, j, listedRuns)
}

// DeleteCron takes a job away.
func (l Local) DeleteCron(ctx context.Context, id string) (Cron, error) {
	j, err := l.jobs().Job(ctx, id)
	if err != nil {
		return Cron{}, cronError(err)
	}
	shown, err := l.cron(ctx, j, listedRuns)
	if err == nil {
		err = l.jobs().Delete(ctx, j.Number, "operator/"+rand.Text())
	}
	return shown, cronError(err)
}

// cron is a job with so many of its last runs.
func (l Local) cron(ctx context.Context, j store.CronJob, most int) (Cron, error) {
	c := Cron{
		ID: j.ID(), Name: j.Name, Schedule: j.Schedule, Timezone: j.Zone, Room: j.Room.String(), Channel: j.RoomName,
		Person: j.Room.Platform + "/" + j.Person.ID, Prompt: j.Prompt, Model: j.Model, Tags: j.Tags, Routing: j.Routing,
		Allowed: j.Allowed, Silent: j.Silent, Paused: j.Paused, State: json.RawMessage(j.State), Runs: []CronRun{}, Created: j.Created, Updated: j.Updated,
	}
	zone, err := cron.Zone(j.Zone)
	if err != nil {
		zone = time.UTC
	}
	if !j.Paused && !j.Due.IsZero() {
		next := j.Due.In(zone)
		c.Next = &next
	}
	for _, number := range j.Chain {
		c.Chain = append(c.Chain, store.CronID(number))
	}
	runs, err := l.jobs().Runs(ctx, j, most)
	for _, r := range runs {
		c.Runs = append(c.Runs, CronRun{
			Due: r.Due.In(zone), Started: given(r.Started.In(zone)), Ended: given(r.Ended.In(zone)),
			Outcome: r.Outcome, Why: r.Why, By: r.Began, Times: r.Times, Turn: r.Turn,
		})
	}
	return c, err
}

// given is a time, or nil if there is none.
func given(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func cronError(err error) error {
	var p *cron.Problem
	if errors.As(err, &p) && p.Missing {
		return ErrNoSuchCron
	}
	return err
}

// Crons returns all jobs, each with its last run.
func (r Remote) Crons(ctx context.Context) ([]Cron, error) {
	page := struct{ Crons []Cron }{Crons: []Cron{}}
	err := r.ask(ctx, http.MethodGet, "/api/v1/crons", nil, &page)
	return page.Crons, err
}

// Cron returns a job with its last runs.
func (r Remote) Cron(ctx context.Context, id string) (c Cron, err error) {
	err = r.ask(ctx, http.MethodGet, cronPath(id), ErrNoSuchCron, &c)
	return c, err
}

// RunCron runs a job now, besides its schedule.
func (r Remote) RunCron(ctx context.Context, id string) (c Cron, err error) {
	err = r.ask(ctx, http.MethodPost, cronPath(id)+"/run", ErrNoSuchCron, &c)
	return c, err
}

// PauseCron pauses a job, or lets it run again.
func (r Remote) PauseCron(ctx context.Context, id string, paused bool) (c Cron, err error) {
	what := "/resume"
	if paused {
		what = "/pause"
	}
	err = r.ask(ctx, http.MethodPost, cronPath(id)+what, ErrNoSuchCron, &c)
	return c, err
}

// DeleteCron takes a job away.
func (r Remote) DeleteCron(ctx context.Context, id string) (c Cron, err error) {
	err = r.ask(ctx, http.MethodDelete, cronPath(id), ErrNoSuchCron, &c)
	return c, err
}

func cronPath(id string) string { return "/api/v1/crons/" + url.PathEscape(id) }
