package tools

import (
	"context"

	"github.com/asidehq/aside/action"
)

// A Conversation is the one that an action was asked for in. Its errors are for a person.
type Conversation interface {
	// Summary is what was said before the call, in short; "" if nothing was.
	Summary(ctx context.Context, c action.Call) (string, error)

	// Abilities are what the agent can do for the person who asked, where they asked.
	Abilities(ctx context.Context, c action.Call) ([]Ability, error)

	// LastPost is the last message of the agent before the call in its room, "" if there is
	// none.
	LastPost(ctx context.Context, c action.Call) (message string, err error)

	// Deleted notes that a post does not stand in the room of the call any more.
	Deleted(ctx context.Context, c action.Call, message string) error

	// LastMessage is the last message of anybody before the call in its room, "" if there is
	// none.
	LastMessage(ctx context.Context, c action.Call) (message string, err error)

	// Clear leaves what was said so far, the message of the call included, out of every later
	// prompt.
	Clear(ctx context.Context, c action.Call) error
}

// An Ability is a category of actions in plain words.
type Ability struct {
	About string   `json:"about"`
	Can   []string `json:"can"`
}

// Talk are the actions about the conversation itself. specs are all there are: some of
// what these are told to do are other actions.
func Talk(in Conversation, specs func() []*action.Spec) []*action.Spec {
	return []*action.Spec{command(in, specs), execute(in, specs)}
}

// named is the action of a name, nil if there is none.
func named(specs func() []*action.Spec, name string) *action.Spec {
	for _, s := range specs() {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// instead runs another action, with arguments as JSON.
func instead(ctx context.Context, c action.Call, other *action.Spec, args string) action.Outcome {
	if other == nil {
		return action.Fail("there is nothing here that could do it")
	}
	decoded, err := other.Decode([]byte(args))
	if err != nil {
		return action.Fail("%v", err)
	}
	return other.Run(ctx, c, decoded)
}
