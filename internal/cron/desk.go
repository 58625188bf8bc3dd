package cron

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/crons"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/near"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A Desk is where people come about jobs, through the actions: it knows who may do what.
type Desk struct {
	*Book
	Platforms venue.Platforms
	Timezone  string // of jobs that name none; "" is UTC

	// Actions are all there are.
	Actions func() []*action.Spec

	// Allowed tells whether the agent is to be talked to in a room. Nil allows all.
	Allowed func(m platform.Message) bool

	// Other tells why jobs cannot be done by another model. Nil allows all.
	Other func(model string) error

	// Words makes five fields of a schedule in plain words; nil asks for the fields.
	Words model.Model
}

var _ crons.Jobs = (*Desk)(nil)

// Create implements crons.Jobs. The engine has looked whether the person may write in the
// room.
func (d *Desk) Create(ctx context.Context, c action.Call, n crons.New) (crons.Job, error) {
	if before, err := d.Store.CronByKey(ctx, c.Key); err == nil {
		return d.describe(ctx, before)
	}
	zone := cmp.Or(n.Timezone, d.Timezone)
	j := store.CronJob{
		Key: c.Key, Name: oneLine(n.Name), Zone: zone, Prompt: n.Prompt, Tags: n.Tags, Routing: n.RoutingMode, Silent: n.Silent,
		Person: platform.Person{ID: c.Person, Name: c.Name, Handle: c.Handle},
	}
	var err error
	if j.Schedule, err = d.schedule(ctx, n.Schedule, zone); err != nil {
		return crons.Job{}, readable(err)
	}
	if err := d.place(ctx, c, n.Channel, &j); err != nil {
		return crons.Job{}, readable(err)
	}
	if j.Model, err = d.model(n.Model); err != nil {
		return crons.Job{}, readable(err)
	}
	if j.Allowed, err = d.allowed(n.AllowedActions); err != nil {
		return crons.Job{}, readable(err)
	}
	if j.Chain, err = d.chainOf(ctx, c, n.Chain); err != nil {
		return crons.Job{}, readable(err)
	}
	if j, err = d.Add(ctx, j); err != nil {
		return crons.Job{}, readable(err)
	}
	return d.describe(ctx, j)
}

// Update implements crons.Jobs. Whoever changes a job has it run with their own rights: it
// does what they want.
func (d *Desk) Update(ctx context.Context, c action.Call, id string, change crons.Change) (crons.Job, error) {
	j, err := d.own(ctx, c, id)
	if err != nil {
		return crons.Job{}, readable(err)
	}
	wanted, err := d.changed(ctx, c, j, change)
	if err != nil {
		return crons.Job{}, readable(err)
	}
	// It may have changed meanwhile: what nobody has asked for stays as it is by then.
	if j, err = d.Change(ctx, j.Number, func(j *store.CronJob) error {
		j.Person = wanted.Person
		set(&j.Name, wanted.Name, change.Name != nil)
		set(&j.Schedule, wanted.Schedule, change.Schedule != nil)
		set(&j.Zone, wanted.Zone, change.Timezone != nil)
		set(&j.Prompt, wanted.Prompt, change.Prompt != nil)
		set(&j.Model, wanted.Model, change.Model != nil)
		set(&j.Tags, wanted.Tags, change.Tags != nil)
		set(&j.Routing, wanted.Routing, change.RoutingMode != nil)
		set(&j.Allowed, wanted.Allowed, change.AllowedActions != nil)
		set(&j.Chain, wanted.Chain, change.Chain != nil)
		set(&j.Silent, wanted.Silent, change.Silent != nil)
		set(&j.State, wanted.State, change.State != nil)
		moves := change.Channel != ""
		set(&j.Room, wanted.Room, moves)
		set(&j.RoomName, wanted.RoomName, moves)
		set(&j.Parent, wanted.Parent, moves)
		set(&j.Direct, wanted.Direct, moves)
		return nil
	}); err != nil {
		return crons.Job{}, readable(err)
	}
	return d.describe(ctx, j)
}

func set[T any](value *T, to T, wanted bool) {
	if wanted {
		*value = to
	}
}

// changed is a job with a change, which is looked at here: platforms and models take their
// time, and a transaction must not wait for them.
func (d *Desk) changed(ctx context.Context, c action.Call, j store.CronJob, change crons.Change) (_ store.CronJob, err error) {
	j.Person = platform.Person{ID: c.Person, Name: c.Name, Handle: c.Handle}
	if change.Name != nil {
		j.Name = oneLine(*change.Name)
	}
	if change.Prompt != nil {
		j.Prompt = *change.Prompt
	}
	if change.Tags != nil {
		j.Tags = *change.Tags
	}
	if change.RoutingMode != nil {
		j.Routing = *change.RoutingMode
	}
	if change.Silent != nil {
		j.Silent = *change.Silent
	}
	if change.Timezone != nil {
		j.Zone = cmp.Or(*change.Timezone, d.Timezone)
	}
	if change.Schedule != nil {
		if j.Schedule, err = d.schedule(ctx, *change.Schedule, j.Zone); err != nil {
			return j, err
		}
	}
	if change.State != nil {
		if j.State, err = checkState(json.RawMessage(cmp.Or(*change.State, "{}"))); err != nil {
			return j, err
		}
	}
	if change.Model != nil {
		if j.Model, err = d.model(*change.Model); err != nil {
			return j, err
		}
	}
	if change.AllowedActions != nil {
		if j.Allowed, err = d.allowed(*change.AllowedActions); err != nil {
			return j, err
		}
	}
	if change.Chain != nil {
		if j.Chain, err = d.chainOf(ctx, c, *change.Chain); err != nil {
			return j, err
		}
	}
	if change.Channel != "" {
		err = d.place(ctx, c, change.Channel, &j)
	}
	return j, err
}

// List implements crons.Jobs.
func (d *Desk) List(ctx context.Context, c action.Call) ([]crons.Brief, error) {
	jobs, err := d.seen(ctx, c)
	if err != nil {
		return nil, err
	}
	var all []crons.Brief
	for _, j := range jobs {
		b, err := d.brief(ctx, j)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// Show implements crons.Jobs.
func (d *Desk) Show(ctx context.Context, c action.Call, id string) (crons.Job, error) {
	jobs, err := d.seen(ctx, c)
	if err != nil {
		return crons.Job{}, err
	}
	j, err := Find(jobs, id)
	if err != nil {
		return crons.Job{}, readable(err)
	}
	return d.describe(ctx, j)
}

// Pause implements crons.Jobs.
func (d *Desk) Pause(ctx context.Context, c action.Call, id string, paused bool) (crons.Job, error) {
	j, err := d.own(ctx, c, id)
	if err == nil {
		j, err = d.SetPaused(ctx, j.Number, paused)
	}
	if err != nil {
		return crons.Job{}, readable(err)
	}
	return d.describe(ctx, j)
}

// Delete implements crons.Jobs.
func (d *Desk) Delete(ctx context.Context, c action.Call, id string) (crons.Brief, error) {
	if n, ok := Number(id); ok {
		if done, err := d.Store.CronDeleted(ctx, n, c.Key); err != nil || done {
			return crons.Brief{ID: store.CronID(n)}, err // by this very call, before
		}
	}
	j, err := d.own(ctx, c, id)
	if err == nil {
		err = d.Book.Delete(ctx, j.Number, c.Key)
	}
	return crons.Brief{ID: j.ID(), Name: j.Name}, readable(err)
}

// Trigger implements crons.Jobs.
func (d *Desk) Trigger(ctx context.Context, c action.Call, id string) (crons.Brief, error) {
	j, err := d.own(ctx, c, id)
	if err != nil {
		return crons.Brief{}, readable(err)
	}
	r, err := d.Run(ctx, j.Number, Trigger{Key: c.Key, Began: byTrigger})
	if err != nil && !errors.Is(err, ErrBefore) {
		return crons.Brief{}, readable(err)
	}
	if r.Outcome == store.CronSkipped {
		return crons.Brief{}, &crons.Problem{Why: j.ID() + " is running, and another run waits already; try again later"}
	}
	return d.brief(ctx, j)
}

// SetState implements crons.Jobs.
func (d *Desk) SetState(ctx context.Context, c action.Call, state json.RawMessage) error {
	t, err := d.Store.Turn(ctx, c.Turn)
	if err != nil {
		return err
	}
	if t == nil || t.Brief == nil {
		return &crons.Problem{Why: "this is no run of a job"}
	}
	number, ok := Number(t.Brief.Job)
	if !ok {
		return &crons.Problem{Why: "this is no run of a job"}
	}
	return readable(known(d.Book.SetState(ctx, number, state), t.Brief.Job))
}

// schedule reads a schedule, if need be with the help of a model.
func (d *Desk) schedule(ctx context.Context, text, zone string) (string, error) {
	schedule, err := Parse(text, zone)
	if err == nil {
		return schedule.String(), nil
	}
	if _, zoneErr := Zone(zone); zoneErr != nil || d.Words == nil || !errors.Is(err, errFields) || strings.TrimSpace(text) == "" {
		return "", problem("%v", err)
	}
	fields, askErr := inFields(ctx, d.Words, text)
	if askErr != nil {
		return "", problem("%v", err)
	}
	if schedule, err = Parse(fields, zone); err != nil {
		return "", problem("%v", err)
	}
	return schedule.String(), nil
}

// modelName is what models are called. It may become an argument of a program, so it does
// not begin like an option.
var modelName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)

// model is the name of another model, if jobs can be done by it.
func (d *Desk) model(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	if !modelName.MatchString(name) {
		return "", problem("model: %q is no name of a model", clip(oneLine(name), 60))
	}
	if d.Other == nil {
		return name, nil
	}
	if err := d.Other(name); err != nil {
		return "", problem("model: %v", err)
	}
	return name, nil
}

// allowed are the names of actions that a job may use, as they are called.
func (d *Desk) allowed(names []string) ([]string, error) {
	if len(names) == 0 || d.Actions == nil {
		return nil, nil
	}
	specs := d.Actions()
	var own []string
	for _, s := range specs {
		own = append(own, s.Name)
	}
	var all []string
	for _, name := range names {
		i := slices.IndexFunc(specs, func(s *action.Spec) bool { return s.Called(name) })
		if i < 0 {
			hint := "actionHelp explains which there are"
			if meant := near.Nearest(name, own); meant != "" {
				hint = "did you mean " + meant + "?"
			}
			return nil, problem("allowedActions: there is no action %q; %s", clip(oneLine(name), 60), hint)
		}
		if verdict := (action.Policy{Enabled: true}).Decide(inRun(), specs[i]); !verdict.Run {
			return nil, problem("allowedActions: %s", verdict.Why)
		}
		if !slices.Contains(all, specs[i].Name) {
			all = append(all, specs[i].Name)
		}
	}
	return all, nil
}

// inRun is the situation of a run, whoever it is for.
func inRun() action.Situation {
	return action.Situation{Flow: action.OnCron, May: func(action.Right) string { return "" }}
}

// chainOf are the jobs that follow one. Whoever has them run must be allowed to.
func (d *Desk) chainOf(ctx context.Context, c action.Call, ids []string) ([]int64, error) {
	var all []int64
	for _, id := range ids {
		j, err := d.own(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, j.Number) {
			all = append(all, j.Number)
		}
	}
	return all, nil
}

// readable is an error as the actions know it.
func readable(err error) error {
	var p *Problem
	if errors.As(err, &p) {
		return &crons.Problem{Why: p.Why, Refused: p.Refused}
	}
	return err
}
