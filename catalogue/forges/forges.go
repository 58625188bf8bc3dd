// Package forges holds the actions of the category forge, with which an agent has a plan
// drafted, audited and revised by other models.
//
// Before changing it, know that a Forge is also the JSON of the API and of the commands.
package forges

import (
	"context"
	"errors"
	"time"

	"github.com/asidehq/aside/action"
)

const category = "forge"

// A Forge is how a plan is drafted, audited and revised.
type Forge struct {
	ID      int64     `json:"id"`
	Plan    string    `json:"plan"`
	State   string    `json:"state"` // drafting, auditing, revising, done, capped, failed, cancelled
	Running bool      `json:"running"`
	Round   int       `json:"round"`
	Text    string    `json:"text"` // how far it has come, or what it came to
	Audits  []Audit   `json:"audits"`
	Note    string    `json:"note,omitempty"`
	By      string    `json:"by"`   // whom it is done for
	Room    string    `json:"room"` // where it is shown
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

// An Audit is what an audit came to.
type Audit struct {
	Number   int       `json:"number"`
	Severity string    `json:"severity"` // of the worst; "" where nobody can tell
	Summary  string    `json:"summary"`
	Concerns []Concern `json:"concerns,omitempty"`
}

// A Concern is what an audit has found.
type Concern struct {
	Severity string `json:"severity,omitempty"`
	Text     string `json:"text"`
}

// A Mistake is why something is not done, for whoever asked.
type Mistake string

func (m Mistake) Error() string { return string(m) }

// ErrNone says that nothing was forged yet.
var ErrNone = errors.New("nothing was forged yet; forgeCreate begins")

// Forges forge plans, one at a time. Their errors are a Mistake, ErrNone, or that something
// cannot be read or stored.
type Forges interface {
	// Create makes a plan and begins to forge it, once for each key of a call.
	Create(ctx context.Context, c action.Call, description, more string) (Forge, error)
	// Resume goes on with a plan, beginning with an audit, once for each key of a call.
	Resume(ctx context.Context, c action.Call, plan string) (Forge, error)
	// Status is the forge that is running, or else the last one.
	Status(ctx context.Context) (Forge, error)
	// Cancel ends the one that is running.
	Cancel(ctx context.Context, c action.Call) (Forge, error)
}

// Specs are the actions of this category.
func Specs(forges Forges) []*action.Spec {
	return []*action.Spec{create(forges), resume(forges), status(forges), cancel(forges)}
}

type createArgs struct {
	Description string `arg:"description,task,text" max:"4000" doc:"what is to be changed, and what for; the id of an open task makes it a plan for that one"`
	Context     string `arg:"context" max:"8000" optional:"true" doc:"what the drafter has to know besides: constraints, what was said"`
}

func create(forges Forges) *action.Spec {
	return action.Define(action.Spec{
		Name: "forgeCreate", Category: category,
		Description: "Have a plan drafted, audited and revised by other models until nothing blocks it; a post shows how far it is. It begins only if you emit this, and takes minutes: do not say what the plan says before you have read it.",
		Example:     `{"type":"forgeCreate","description":"Add a cache to the reader","context":"It has to work offline."}`,
		Repeatable:  true, // the forge has the call's key
	}, func(ctx context.Context, c action.Call, args createArgs) action.Outcome {
		f, err := forges.Create(ctx, c, args.Description, args.Context)
		if err != nil {
			return failed(err)
		}
		return action.Done("began to forge %s; a post shows how far it is", f.Plan)
	})
}

type resumeArgs struct {
	Plan string `arg:"planId,plan,id" max:"100" doc:"plan-001, 001, or its task"`
}

func resume(forges Forges) *action.Spec {
	return action.Define(action.Spec{
		Name: "forgeResume", Category: category,
		Description: "Go on forging a plan that is a draft or in review, beginning with an audit of what it says now.",
		Example:     `{"type":"forgeResume","planId":"plan-001"}`,
		Repeatable:  true, // as above
	}, func(ctx context.Context, c action.Call, args resumeArgs) action.Outcome {
		f, err := forges.Resume(ctx, c, args.Plan)
		if err != nil {
			return failed(err)
		}
		return action.Done("goes on forging %s with an audit; a post shows how far it is", f.Plan)
	})
}

func status(forges Forges) *action.Spec {
	return action.Define(action.Spec{
		Name: "forgeStatus", Category: category,
		Description: "Look up how far the forge is, or what the last one came to.",
		Example:     `{"type":"forgeStatus"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, _ action.Call, _ struct{}) action.Outcome {
		f, err := forges.Status(ctx)
		if err != nil {
			return failed(err)
		}
		return action.Found(f, "%s", f.Text)
	})
}

func cancel(forges Forges) *action.Spec {
	return action.Define(action.Spec{
		Name: "forgeCancel", Category: category,
		Description: "End the forge that is running; the plan stays a draft with what there is.",
		Example:     `{"type":"forgeCancel"}`,
		Repeatable:  true, // what was cancelled is not running
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		f, err := forges.Cancel(ctx, c)
		if err != nil {
			return failed(err)
		}
		return action.Done("cancelled the forge of %s; forgeResume goes on with it", f.Plan)
	})
}

// failed is the outcome of an error. What is not for people stays in the log.
func failed(err error) action.Outcome {
	var mistake Mistake
	if errors.As(err, &mistake) || errors.Is(err, ErrNone) {
		return action.Fail("%v", err)
	}
	return action.Fail("the forge cannot be read or stored at the moment; try again later")
}
