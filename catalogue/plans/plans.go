// Package plans holds the actions of the category plan: write a plan, look at it, say yes to
// it, have it run.
//
// Before changing it, know that a Plan is also the JSON of the API and of the commands, and
// that who may do what with a plan is decided here, before anything is changed.
package plans

import (
	"context"
	"errors"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

const category = "plan"

// A Plan is a plan as it is shown.
type Plan struct {
	ID      string    `json:"id"` // plan-001
	Title   string    `json:"title"`
	Status  string    `json:"status"`
	Task    string    `json:"task,omitempty"` // that stands behind it
	File    string    `json:"file"`           // under the data directory
	Project string    `json:"project,omitempty"`
	Created time.Time `json:"created"`
	By      string    `json:"by,omitempty"`     // who made it: what they are called
	Person  string    `json:"person,omitempty"` // and platform/id, where that is known
	Room    string    `json:"room,omitempty"`   // where it was made: platform/id
	Phases  []Phase   `json:"phases,omitempty"`
	Run     *Run      `json:"run,omitempty"`  // the last one
	Text    string    `json:"text,omitempty"` // the whole file, where one plan was asked for

	// In is the room where it was made, and Maker who made it; both are empty where a
	// person has put the file there.
	In    platform.Room `json:"-"`
	Maker string        `json:"-"`
}

// A Phase is a part of a plan, and what it came to.
type Phase struct {
	Number   int      `json:"number"`
	Kind     string   `json:"kind"` // implement, read or audit
	Title    string   `json:"title"`
	State    string   `json:"state"` // pending, running, done, failed or skipped
	Did      string   `json:"did,omitempty"`
	Checks   []string `json:"checks,omitempty"`
	Problems []string `json:"problems,omitempty"`
	Note     string   `json:"note,omitempty"`
}

// A Run is what became of going through a plan.
type Run struct {
	Number int       `json:"number"`
	State  string    `json:"state"` // running, done, failed or stopped
	Note   string    `json:"note,omitempty"`
	Began  time.Time `json:"began"`
}

// By is who asks for something, and where.
type By struct {
	Key     string // the same whenever the very same thing is asked for again
	Room    platform.Room
	Parent  string
	Direct  bool
	Person  platform.Person
	Message string // that asked, "" for none
	Depth   int
}

// Options say how a plan is run.
type Options struct {
	Quiet  bool // nothing is said at the end but what the status says
	RollOn bool // a phase that fails does not end the run
}

// Plans keeps plans. What a person can do something about is a Mistake.
type Plans interface {
	// Create makes a plan, once for each key.
	Create(ctx context.Context, by By, description, context string) (Plan, error)
	// List are the plans with a status, "" for all, and what is wrong with files that are none.
	List(ctx context.Context, status string) (all []Plan, wrong []string, err error)
	// Show is the plan that is called plan-001, 001, 1, or as its task is.
	Show(ctx context.Context, id string) (Plan, error)
	// Approve says yes to a plan as it is now.
	Approve(ctx context.Context, by By, id string) (Plan, error)
	// Close puts a plan away.
	Close(ctx context.Context, by By, id string) (Plan, error)
	// Run begins to work through what remains, once for each key. begun is false where a
	// run was under way.
	Run(ctx context.Context, by By, id string, o Options) (p Plan, begun bool, err error)
}

// A Mistake is why something cannot be done, for the model and the person.
type Mistake string

// NoPlan says that there is no plan that is called so.
const NoPlan Mistake = "there is no such plan; planList shows those there are"

func (m Mistake) Error() string { return string(m) }

// Specs are the actions of this category.
func Specs(platforms venue.Platforms, plans Plans) []*action.Spec {
	return []*action.Spec{create(plans), list(plans), show(plans), approve(platforms, plans), shut(platforms, plans), run(platforms, plans)}
}

// by is who asks in a call.
func by(c action.Call) By {
	return By{
		Key: c.Key, Room: venue.Here(c), Parent: c.Parent, Direct: c.Direct, Message: c.Message, Depth: c.Depth,
		Person: platform.Person{ID: c.Person, Name: c.Name, Handle: c.Handle},
	}
}

// mayDecide tells why the person who asked may not decide about a plan: it is for who made
// it, and for who looks after the room where it was made.
func mayDecide(ctx context.Context, platforms venue.Platforms, c action.Call, p Plan) error {
	return venue.MayDecide(ctx, platforms, c, p.In, p.Maker, p.ID, "aside plan")
}

// failed is the outcome of something that did not work.
func failed(name string, err error) action.Outcome {
	var mistake Mistake
	if errors.As(err, &mistake) {
		return action.Fail("%s", mistake)
	}
	return action.Fail("%s: the plans cannot be read or written at the moment; try again", name)
}
