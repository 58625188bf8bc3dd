// Package action holds what an action is: its one definition (Spec), the registry in
// which a name in any dialect finds it, the policy that decides whether it may run, the
// guide that teaches a model to use it, and its outcome.
//
// The package knows no platform and imports the standard library only. Before
// changing it, know that Repeatable is a promise to the ledger: after a crash such an
// action is simply run again.
package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Spec defines an action. Everything that is said about it anywhere comes from
// here: decoding, policy, the guide in the prompt, JSON Schema, the page about it. Use
// Define to make one.
type Spec struct {
	Name        string
	Category    string
	Description string // one line, as an order: "Put an emoji on a message."
	Example     string // as a block's JSON, with the type

	Directive string   // its name as a directive, or ""
	Signals   []string // its names as a signal
	Aliases   []string // further names, as in envelopes

	// Query is set where the model goes on with what was found.
	Query bool

	// Interrupting is set where its result takes the place of the reply.
	Interrupting bool

	// Destructive is set where a person has to confirm it first.
	Destructive bool

	// Quiet is set where a success speaks for itself: nothing is said about it.
	Quiet bool

	// Repeatable is set where running it twice does no more than running it once.
	Repeatable bool

	// Server is set where it makes no sense in a direct chat.
	Server bool

	// Time is how long it may take; 0 is a minute. What has a time of its own is told that
	// it is over (ErrTooSlow, ErrStopped), and says itself what came of it.
	Time time.Duration

	// Most is how many of them a reply can have; 0 is as many as it can have at all.
	Most int
	// In are the only flows that it is for; none is all of them. A flow that is named here may
	// use it, even if it may not use the rest of its category.
	In []Flow

	// Right is what the person who asked must be allowed to do, in the room that the
	// action is about. "" is nothing.
	Right Right

	fields []field
	decode func(given map[string]any, s *Spec) (Args, error)
	run    func(ctx context.Context, c Call, args Args) Outcome
	join   func(ctx context.Context, calls []Call, args []Args) []Outcome
	stands func(args Args) *Spec
}

// A Right is what a person may be allowed to do, in words that stand after "may".
type Right string

// Define completes a Spec: run gets the arguments as an A, a struct whose tags say
// what they are (see field). What holds of several arguments together, or of what one
// means, an A checks in a method Check() error: such arguments are wrong before anybody's
// rights are looked up, and before a person is asked to confirm anything.
func Define[A any](s Spec, run func(ctx context.Context, c Call, args A) Outcome) *Spec {
	s.fields = fieldsOf[A]()
	s.decode = decodeInto[A]
	s.run = func(ctx context.Context, c Call, args Args) Outcome { return run(ctx, c, args.value.(A)) }
	return &s
}

// DefineWhole is Define for an action whose arguments are one JSON object, with whatever is
// in it.
func DefineWhole(s Spec, run func(ctx context.Context, c Call, object json.RawMessage) Outcome) *Spec {
	s.decode = func(given map[string]any, _ *Spec) (Args, error) {
		object, err := json.Marshal(given)
		return Args{value: json.RawMessage(object)}, err
	}
	s.run = func(ctx context.Context, c Call, args Args) Outcome {
		return run(ctx, c, args.value.(json.RawMessage))
	}
	return &s
}

// Names are all names of an action, its own first.
func (s *Spec) Names() []string {
	names := append([]string{s.Name}, s.Aliases...)
	if s.Directive != "" {
		names = append(names, s.Directive)
	}
	return append(names, s.Signals...)
}

// Called tells whether a name is one of the action's.
func (s *Spec) Called(name string) bool {
	return slices.ContainsFunc(s.Names(), func(own string) bool { return normal(own) == normal(name) })
}

// Run runs the action.
func (s *Spec) Run(ctx context.Context, c Call, args Args) Outcome { return s.run(ctx, c, args) }

// A Runner runs an action.
type Runner func(ctx context.Context, c Call, args Args) Outcome

// Around is the same action with something around its run, for whoever has to be there
// when it begins or ends: a test of what a crash leaves behind.
func (s *Spec) Around(with func(run Runner) Runner) *Spec {
	around := *s
	around.run, around.join = with(s.run), nil
	return &around
}

var (
	// ErrTooSlow is why the context of an action has ended that took too long.
	ErrTooSlow = errors.New("the action took too long")

	// ErrStopped is why it has ended where a person has said /stop.
	ErrStopped = errors.New("stopped")
)

// A Call is an action that is being run, and for whom.
type Call struct {
	Turn     int64
	Asked    int64  // the turn in which it was asked for: another one if it had to be confirmed
	Key      string // the same whenever this very call is run again
	Flow     Flow
	Platform string
	Room     string
	Message  string // the platform's id of the message that started the turn
	Person   string // who asked: the platform's id
	Name     string // what that person is called
	Handle   string // and by which name they can be found, where the platform has such
	Parent   string // the room that the room is in, as with a thread
	Depth    int    // how many agents stand between the person and this one
	Direct   bool   // in a chat between the person and the agent alone

	// Results are what the actions before it in the same reply came to, in order. Those
	// that run at the same time do not know of each other.
	Results []Result
}

// A Result is what an earlier action of the same reply came to.
type Result struct {
	Name string // the action's own, or what the model called it if there is none
	Outcome
}

// An Outcome is what an action came to.
type Outcome struct {
	OK      bool
	Refused bool            // by policy, not for lack of trying
	Unclear bool            // it may have happened: nobody knows
	Summary string          // short, for a person and the model
	Data    json.RawMessage // what a query found
	Say     string          // becomes part of the reply
	Trace   json.RawMessage // what the runtime has to remember of it; nobody is told
}

// Done is the outcome of a success.
func Done(format string, a ...any) Outcome {
	return Outcome{OK: true, Summary: fmt.Sprintf(format, a...)}
}

// Found is the outcome of a query.
func Found(data any, format string, a ...any) Outcome {
	b, err := json.Marshal(data)
	if err != nil {
		return Fail("what was found cannot be written down: %v", err)
	}
	out := Done(format, a...)
	out.Data = b
	return out
}

// Fail is the outcome of a failure.
func Fail(format string, a ...any) Outcome {
	return Outcome{Summary: fmt.Sprintf(format, a...)}
}

// Refuse is the outcome of what the person who asked may not do.
func Refuse(format string, a ...any) Outcome {
	return Outcome{Refused: true, Summary: fmt.Sprintf(format, a...)}
}
