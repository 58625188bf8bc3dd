package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// What is decided about an action before it runs is decided here and nowhere else:
// the engine acts on it, and a replay explains it.

// brokeOff is why a reply that broke off acts on nothing: nobody knows what it would
// have said.
const brokeOff = "the reply broke off"

// mostActions is how many actions of a reply are carried out.
const mostActions = 20

// ledger are the rows of the actions in a reply.
func (d *Decider) ledger(turn int64, actions []extract.Event, failure string) []store.Action {
	var rows []store.Action
	had := map[*action.Spec]int{}
	for i, a := range actions {
		row := store.Action{Turn: turn, Ordinal: i, Dialect: a.Dialect.String(), Type: a.Name, Args: a.Args, State: store.Planned}
		spec := d.Registry.Find(a.Name)
		had[spec]++
		switch {
		case failure != "":
			row.State, row.Summary = store.Refused, brokeOff
		case i >= mostActions:
			row.State, row.Summary = store.Refused, fmt.Sprintf("a reply can have at most %d actions", mostActions)
		case spec != nil && spec.Most > 0 && had[spec] > spec.Most:
			row.State, row.Summary = store.Refused, fmt.Sprintf("a reply can have %s at most %d times", spec.Name, spec.Most)
		}
		rows = append(rows, row)
	}
	d.steer(rows)
	return rows
}

// A Decider decides about actions.
type Decider struct {
	Registry *action.Registry
	Policy   action.Policy

	// Platforms know the rights of the person who asked. nil assumes all rights, for a
	// look at what is past.
	Platforms venue.Platforms

	// Wait waits for a time, or returns the context's error; nil does not wait.
	Wait func(ctx context.Context, d time.Duration) error
}

// A decision is what is to be done with an action.
type decision struct {
	spec  *action.Spec
	args  action.Args
	state store.ActionState // Planned: run it. Anything else is its outcome
	why   string
}

// decide looks at a row of the ledger. It does nothing.
func (d *Decider) decide(ctx context.Context, t *store.Turn, a store.Action) decision {
	found := decision{spec: d.Registry.Find(a.Type), state: store.Planned}
	switch {
	case a.State.Ended():
		found.state, found.why = a.State, a.Summary
		return found
	case found.spec == nil:
		found.state, found.why = store.Failed, noSuchAction(a.Type)
		return found
	case a.State == store.Started && !found.spec.Repeatable:
		found.state, found.why = store.Unknown, found.spec.Name+" was interrupted; it may or may not have happened"
		return found
	}
	args, err := found.spec.Decode(a.Args)
	if err != nil {
		found.state, found.why = store.Failed, err.Error()
		return found
	}
	found.args = args
	in := situation(t)
	in.May = func(right action.Right) string { return d.mayNot(ctx, t, args, right) }
	switch verdict := d.Policy.DecideCall(in, found.spec, args); {
	case !verdict.Run:
		found.state, found.why = store.Refused, verdict.Why
	case t.Silent && d.speaksHere(ctx, t, found.spec, args):
		found.state, found.why = store.Refused, "you only listen in this room, and may not write here"
	case verdict.Ask && !a.Confirmed && (t.Silent || t.Brief != nil):
		found.state, found.why = store.Refused, found.spec.Name+" has to be confirmed, and here nobody can be asked"
	case verdict.Ask && !a.Confirmed:
		found.state, found.why = store.Asked, found.spec.Name+" waits to be confirmed"
	}
	return found
}

func noSuchAction(name string) string { return fmt.Sprintf("there is no action %q", name) }

// situation is that of a turn's actions.
func situation(t *store.Turn) action.Situation {
	s := action.Situation{
		Flow: action.Flow(t.Flow), Origin: action.Flow(t.Origin), Depth: t.Depth,
		Direct: t.Message.Direct, Bot: t.Message.Author.Bot,
	}
	if t.Brief != nil {
		s.Only, s.Within = t.Brief.Only, action.Flow(t.Brief.Within)
	}
	return s
}

// everyday is what whoever writes in a room may do there, on platforms that have no finer
// rules.
var everyday = []platform.Right{
	platform.ViewRoom, platform.ReadHistory, platform.SendMessages, platform.AttachFiles, platform.AddReactions, platform.CreatePolls,
}

// mayNot says why the person who asked may not use a right in the room that an action is
// about, "" if they may. Of a room on another platform nobody knows: the action has a
// list of those.
func (d *Decider) mayNot(ctx context.Context, t *store.Turn, args action.Args, right action.Right) string {
	here := t.Message.Room
	if d.Platforms == nil || args.Platform != "" && args.Platform != here.Platform {
		return ""
	}
	unknown := fmt.Sprintf("nobody knows whether you may %s", right)
	warden, err := venue.Ability[platform.Warden](d.Platforms, here.Platform, "tell who may do what")
	if err != nil {
		if (args.Room == "" || args.Room == here.ID) && slices.Contains(everyday, platform.Right(right)) {
			return ""
		}
		return unknown + ": " + venue.Reason(err)
	}
	room, err := venue.Room(ctx, d.Platforms, action.Call{Platform: here.Platform, Room: here.ID}, action.Room(args.Room))
	if err != nil {
		return venue.Reason(err)
	}
	may, err := d.may(ctx, warden, t.Message.Author.ID, platform.Right(right), room)
	switch {
	case err != nil:
		return unknown + ": " + venue.Reason(err)
	case !may:
		return fmt.Sprintf("you may not %s there", right)
	}
	return ""
}

// askWithin is how long a platform that does not answer at once is asked for rights: being
// asked to wait is no reason to refuse somebody.
const askWithin = 30 * time.Second

// may asks a platform for a right until it knows.
func (d *Decider) may(ctx context.Context, warden platform.Warden, person string, right platform.Right, in platform.Room) (bool, error) {
	for waited := time.Duration(0); ; {
		may, err := warden.May(ctx, person, right, in)
		var problem *platform.Problem
		if err == nil || d.Wait == nil || !errors.As(err, &problem) || problem.Outcome == platform.Refused {
			return may, err
		}
		wait := max(problem.RetryAfter, time.Second)
		if waited += wait; waited > askWithin || d.Wait(ctx, wait) != nil {
			return may, err
		}
	}
}
