// Package spawn holds the action that asks further agents, several at a time.
//
// Before changing it, know that an agent is found again by the call's key: whoever asks for
// one a second time waits for the same one.
package spawn

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// An Agent is somebody to be asked.
type Agent struct {
	Key    string // of the call
	Turn   int64  // that asks
	Prompt string
	Model  string // the name of its model, "" for that of the chat
	Label  string

	Room   platform.Room
	Parent string // of the room
	Direct bool
	Person platform.Person // for whom, and with whose rights
	Depth  int             // how many agents stand above it
	Posted bool            // what it answers is posted in the room
}

// Agents asks agents.
type Agents interface {
	// Ask asks an agent, once for each key, and waits for what it says in the end. When the
	// context ends because of action.ErrTooSlow or action.ErrStopped, the agent is stopped.
	// Its errors are for a person.
	Ask(ctx context.Context, a Agent) (answer string, err error)
}

const (
	most    = 4                 // in a reply
	longest = 120 * time.Second // for each
)

type spawnArgs struct {
	Prompt  string      `arg:"prompt,task,text" max:"8000" doc:"what it is to do; all it needs to know, for it knows nothing of this conversation"`
	Channel action.Room `arg:"channel,channelId" optional:"true" doc:"where its answer is posted as well; nowhere if left out"`
	Model   string      `arg:"model" optional:"true" max:"100" doc:"another model of the same provider"`
	Label   string      `arg:"label" optional:"true" max:"100" doc:"a short name for it"`
}

// modelName is what models are called. It may become an argument of a program, so it does not
// begin like an option.
var modelName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)

// Check says whether the model can be one.
func (a spawnArgs) Check() error {
	if a.Model != "" && !modelName.MatchString(a.Model) {
		return fmt.Errorf("%q is no name of a model", a.Model)
	}
	return nil
}

// An answer is what an agent has said, as the one reads it that has asked.
type answer struct {
	Label string `json:"label,omitempty"`
	Text  string `json:"text"`
}

// Specs are the actions of this category.
func Specs(platforms venue.Platforms, agents Agents) []*action.Spec {
	return []*action.Spec{action.Define(action.Spec{
		Name: "spawnAgent", Category: "spawn",
		Description: "Ask another agent, which has your actions but can start none itself; use several in one reply (four at most) for parts that do not need each other, and they work at the same time, two minutes at most.",
		Example:     `{"type":"spawnAgent","label":"weather","prompt":"Find out what the weather in Paris is like today."}`,
		Right:       action.Right(platform.SendMessages),
		Query:       true,
		Repeatable:  true, // the agent has the call's key
		Time:        longest, Most: most,
	}, func(ctx context.Context, c action.Call, args spawnArgs) action.Outcome {
		a := Agent{
			Key: c.Key, Turn: c.Turn, Prompt: args.Prompt, Model: args.Model, Label: args.Label, Room: venue.Here(c), Parent: c.Parent, Direct: c.Direct,
			Person: platform.Person{ID: c.Person, Name: c.Name, Handle: c.Handle}, Depth: c.Depth + 1, Posted: args.Channel != "",
		}
		called := "the agent"
		if label := venue.Name(args.Label); label != "" {
			called = "the agent " + label
		}
		if args.Channel != "" {
			info, err := venue.Info(ctx, platforms, c, args.Channel)
			if err != nil {
				return action.Fail("spawnAgent: %v", err)
			}
			if info.Room != a.Room {
				a.Room, a.Parent, a.Direct = info.Room, "", info.Kind == platform.DirectRoom
				if info.Kind == platform.ThreadRoom {
					a.Parent = info.Parent
				}
			}
		}
		text, err := agents.Ask(ctx, a)
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, action.ErrTooSlow):
			return action.Fail("%s took longer than %s and was stopped", called, platform.DurationText(longest))
		case errors.Is(cause, action.ErrStopped):
			return action.Fail("%s was stopped with everything else", called)
		case err != nil:
			return action.Fail("%s could not do it: %v", called, err)
		}
		return action.Found(answer{venue.Name(args.Label), text}, "%s has answered", called)
	})}
}
