package cron

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/asidehq/aside/catalogue/crons"
	"github.com/asidehq/aside/internal/store"
)

// brief is a job in a list.
func (d *Desk) brief(ctx context.Context, j store.CronJob) (crons.Brief, error) {
	b := crons.Brief{ID: j.ID(), Name: j.Name, Schedule: j.Schedule, Timezone: j.Zone, Channel: channelName(j), Paused: j.Paused}
	if next := Upcoming(j, 1); len(next) > 0 && !j.Paused {
		b.Next = next[0]
	}
	runs, err := d.Runs(ctx, j, 1)
	if err == nil && len(runs) > 0 {
		b.Last = strings.TrimSuffix(string(runs[0].Outcome)+": "+runs[0].Why, ": ")
	}
	return b, err
}

// latestRuns is how many runs of a job are shown.
const latestRuns = 10

// describe is all about a job.
func (d *Desk) describe(ctx context.Context, j store.CronJob) (crons.Job, error) {
	b, err := d.brief(ctx, j)
	if err != nil {
		return crons.Job{}, err
	}
	job := crons.Job{
		Brief: b, Prompt: j.Prompt, For: j.Person.Name, Model: j.Model, Tags: j.Tags, RoutingMode: j.Routing,
		AllowedActions: j.Allowed, Silent: j.Silent, State: json.RawMessage(state(j)),
	}
	if !j.Paused {
		job.Upcoming = Upcoming(j, 3)
	}
	for _, number := range j.Chain {
		job.Chain = append(job.Chain, store.CronID(number))
	}
	runs, err := d.Runs(ctx, j, latestRuns)
	zone, zoneErr := Zone(j.Zone)
	if zoneErr != nil {
		zone = time.UTC
	}
	for _, r := range runs {
		run := crons.Run{Due: Local(r.Due, zone), Outcome: string(r.Outcome), Why: r.Why, By: r.Began, Turn: r.Turn}
		if r.Times > 1 {
			run.Times = r.Times
		}
		job.Runs = append(job.Runs, run)
	}
	return job, err
}
