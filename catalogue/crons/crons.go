// Package crons holds the actions about jobs: prompts that run on a schedule.
//
// Before changing it, know that what a run may do is the policy's business, not an action's,
// and that Jobs looks at the rights of whoever asks: most jobs are not about the room of the
// message.
package crons

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
)

const category = "crons"

// Jobs keeps jobs, and knows who may do what with them. Its errors are *Problem where a
// person can read them.
type Jobs interface {
	Create(ctx context.Context, c action.Call, job New) (Job, error)
	Update(ctx context.Context, c action.Call, id string, change Change) (Job, error)
	List(ctx context.Context, c action.Call) ([]Brief, error)
	Show(ctx context.Context, c action.Call, id string) (Job, error)
	Pause(ctx context.Context, c action.Call, id string, paused bool) (Job, error)
	Delete(ctx context.Context, c action.Call, id string) (Brief, error)
	Trigger(ctx context.Context, c action.Call, id string) (Brief, error)

	// SetState replaces the state of the job whose run the call is in.
	SetState(ctx context.Context, c action.Call, state json.RawMessage) error
}

// A Forum has a thread for each job. Its errors are for a person.
type Forum interface {
	// Sync makes threads and jobs agree, and reports what it did.
	Sync(ctx context.Context, c action.Call) (report string, err error)
	// ReloadTags reads the file of tags anew.
	ReloadTags(ctx context.Context, c action.Call) (report string, err error)
}

// A New is a job to be made.
type New struct {
	Name, Schedule, Prompt string
	Channel                action.Room
	Timezone, Model        string
	Tags                   []string
	RoutingMode            string
	AllowedActions, Chain  []string
	Silent                 bool
}

// A Change is what becomes different about a job; nil, and no channel, stay as they are.
type Change struct {
	Name, Schedule, Prompt, Timezone, Model, RoutingMode, State *string
	Channel                                                     action.Room
	Tags, AllowedActions, Chain                                 *[]string
	Silent                                                      *bool
}

// A Brief is a job in a list.
type Brief struct {
	ID       string `json:"cronId"`
	Name     string `json:"name"`
	Schedule string `json:"schedule"`
	Timezone string `json:"timezone"`
	Channel  string `json:"channel"`
	Paused   bool   `json:"paused,omitempty"`
	Next     string `json:"next,omitempty"` // in its zone
	Last     string `json:"last,omitempty"` // what became of the last run
}

// A Job is all about a job.
type Job struct {
	Brief
	Prompt         string          `json:"prompt"`
	For            string          `json:"for"` // with whose rights it runs
	Upcoming       []string        `json:"upcoming,omitempty"`
	Model          string          `json:"model,omitempty"`
	Tags           []string        `json:"tags,omitempty"`
	RoutingMode    string          `json:"routingMode,omitempty"`
	AllowedActions []string        `json:"allowedActions,omitempty"`
	Chain          []string        `json:"chain,omitempty"`
	Silent         bool            `json:"silent,omitempty"`
	State          json.RawMessage `json:"state,omitempty"`
	Runs           []Run           `json:"runs,omitempty"` // the latest ones, newest first
}

// A Run is a run of a job, or a due time at which there was none.
type Run struct {
	Due     string `json:"due"` // in the job's zone
	Outcome string `json:"outcome"`
	Why     string `json:"why,omitempty"`
	By      string `json:"by"`
	Times   int    `json:"times,omitempty"` // how many due times it stands for, if several
	Turn    int64  `json:"turn,omitempty"`
}

// A Problem is why something cannot be done, for the model and the person.
type Problem struct {
	Why     string
	Refused bool // the person may not
}

func (p *Problem) Error() string { return p.Why }

// Specs are the actions of this category. Without a forum, forum is nil.
func Specs(jobs Jobs, forum Forum) []*action.Spec {
	return []*action.Spec{
		create(jobs), update(jobs), list(jobs), show(jobs), pause(jobs), resume(jobs), remove(jobs), trigger(jobs),
		sync(forum), reload(forum), state(jobs),
	}
}

// failed is the outcome of what cannot be done.
func failed(name string, err error) action.Outcome {
	var p *Problem
	switch {
	case errors.As(err, &p) && p.Refused:
		return action.Refuse("%s", p.Why)
	case errors.As(err, &p):
		return action.Fail("%s: %s", name, p.Why)
	}
	return action.Fail("%s: the jobs cannot be reached at the moment; try again", name)
}

// described is a job after it was changed.
func described(did string, j Job) action.Outcome {
	line := fmt.Sprintf("%s %s, %q, in %s", did, j.ID, j.Name, j.Channel)
	switch {
	case j.Paused:
		line += "; it is paused"
	case len(j.Upcoming) > 0:
		line += "; next runs: " + strings.Join(j.Upcoming, ", ")
	}
	return action.Done("%s", line)
}
