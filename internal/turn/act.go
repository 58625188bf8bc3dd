package turn

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// act runs the actions of a turn in order, each with its row in the ledger, and concludes
// it. One that fails stops none of the others.
func (e *Engine) act(ctx context.Context, t *store.Turn) error {
	ledger, err := e.Store.Actions(ctx, t.ID)
	if err != nil {
		return err
	}
	for i := 0; i < len(ledger); {
		n, err := e.runJoined(ctx, t, ledger[:i], ledger[i:])
		if err == nil && n == 0 {
			n = e.together(ledger[i:])
			err = e.runAll(ctx, t, ledger[:i], ledger[i:i+n])
		}
		if err != nil {
			return err
		}
		i += n
	}
	return e.conclude(ctx, t, ledger, func(posts []store.Post, next store.Next) error { return e.Store.SavePosts(ctx, t, posts, next) })
}

// together is how many of the next actions may run at the same time: queries change
// nothing, so they do not need each other's turn. Those of an envelope are a list, in which
// each may go on with what the one before has found.
func (e *Engine) together(next []store.Action) int {
	n := 0
	for n < len(next) {
		if spec := e.Registry.Find(next[n].Type); spec == nil || !spec.Query || !spec.Repeatable || next[n].Dialect == extract.Envelope.String() {
			break
		}
		n++
	}
	return max(n, 1)
}

func (e *Engine) runAll(ctx context.Context, t *store.Turn, before, ledger []store.Action) error {
	if len(ledger) == 1 {
		return e.outcome(ctx, t, before, &ledger[0])
	}
	errs := make([]error, len(ledger))
	var running sync.WaitGroup
	for i := range ledger {
		running.Go(func() { errs[i] = e.outcome(ctx, t, before, &ledger[i]) })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// actionTime is how long an action may take that does not say how long.
const actionTime = time.Minute

// run runs one action, behind those that stand before it.
func (e *Engine) run(ctx context.Context, t *store.Turn, before []store.Action, a *store.Action) error {
	asked, err := e.askedIn(ctx, t, a)
	if err != nil {
		return err
	}
	d := e.Decider().decide(ctx, asked, *a)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if d.state != store.Planned {
		a.State, a.Summary = d.state, d.why
		return e.Store.SaveAction(ctx, *a, nil)
	}
	if !d.spec.Repeatable {
		a.State = store.Started
		if err := e.Store.SaveAction(ctx, *a, nil); err != nil {
			return err
		}
	}
	most := cmp.Or(d.spec.Time, actionTime)
	running, cancel := context.WithTimeoutCause(ctx, most, action.ErrTooSlow)
	defer cancel()
	if d.spec.Time > 0 {
		var done func()
		if running, done, err = e.stoppable(running, t); err != nil {
			return err
		}
		defer done()
	}
	call := e.call(asked, a)
	call.Turn, call.Key = t.ID, actionKey(t.ID, a.Ordinal) // it is done by this turn, once
	call.Results = e.results(before)
	out := d.spec.Run(running, call, d.args)
	if ctx.Err() != nil {
		return ctx.Err() // cut off by a shutdown, not failed
	}
	cameTo(a, d.spec, out, running.Err() != nil)
	return e.Store.SaveAction(ctx, *a, nil)
}

// cameTo puts the outcome of an action into its row.
func cameTo(a *store.Action, spec *action.Spec, out action.Outcome, tooSlow bool) {
	a.State, a.Summary, a.Say, a.Data, a.Trace = store.Failed, out.Summary, out.Say, out.Data, out.Trace
	switch {
	case out.OK:
		a.State = store.Done
	case out.Refused:
		a.State = store.Refused
	case out.Unclear && !spec.Query:
		a.State = store.Unknown
	case spec.Time > 0: // it has said itself what came of being cut off
	case tooSlow && spec.Repeatable:
		a.Summary = fmt.Sprintf("%s took longer than %s", spec.Name, platform.DurationText(actionTime))
	case tooSlow:
		a.State, a.Summary = store.Unknown, fmt.Sprintf("%s took longer than %s; it may or may not have happened", spec.Name, platform.DurationText(actionTime))
	}
}

// stoppable is the context of an action that takes long, which ends when the person says
// /stop. They may have said so before a crash.
func (e *Engine) stoppable(ctx context.Context, t *store.Turn) (_ context.Context, done func(), err error) {
	ctx, done = e.start(ctx, t)
	said, err := e.saidStop(ctx, t)
	if err != nil {
		done()
		return ctx, nil, err
	}
	if said {
		e.StopTurn(t.Session, t.ID)
	}
	return ctx, done, nil
}

// call is an action as its Spec gets it. Its key is the same after a crash.
func (e *Engine) call(t *store.Turn, a *store.Action) action.Call {
	m := t.Message
	return action.Call{
		Turn: t.ID, Asked: t.ID, Key: actionKey(t.ID, a.Ordinal), Flow: action.Flow(t.Flow),
		Platform: m.Room.Platform, Room: m.Room.ID, Message: m.Stands(), Person: m.Author.ID, Name: m.Author.Name, Direct: m.Direct,
		Handle: m.Author.Handle, Parent: m.Parent, Depth: t.Depth,
	}
}

// results are what earlier actions of a reply came to, as the next ones are told it.
func (e *Engine) results(ledger []store.Action) []action.Result {
	var all []action.Result
	for _, a := range ledger {
		if wordOf(a) != "" && a.State == store.Done || !a.State.Ended() {
			continue
		}
		r := action.Result{Name: a.Type, Outcome: action.Outcome{
			OK: a.State == store.Done, Refused: a.State == store.Refused, Unclear: a.State == store.Unknown, Summary: a.Summary, Data: a.Data, Say: a.Say,
		}}
		if spec := e.Registry.Find(a.Type); spec != nil {
			r.Name = spec.Name
		}
		all = append(all, r)
	}
	return all
}

// actionKey names an action: what it does is done once for each.
func actionKey(turn int64, ordinal int) string {
	return fmt.Sprintf("turn-%d-action-%d", turn, ordinal)
}

// person is who asked, across rooms.
func person(t *store.Turn) string { return t.Message.Room.Platform + "/" + t.Message.Author.ID }

// reportLines tells people what the actions came to where they do not speak for
// themselves. What a query found is for the model, if it is asked again.
func (e *Engine) reportLines(ledger []store.Action, follows, buttons bool) string {
	var lines []string
	for _, a := range ledger {
		spec := e.Registry.Find(a.Type)
		switch {
		case a.State == store.Failed:
			lines = append(lines, "Failed: "+a.Summary)
		case a.State == store.Unknown: // to call it a failure would be a guess
			if line := "Unclear: " + a.Summary; !slices.Contains(lines, line) { // of an album, once
				lines = append(lines, line)
			}
		case a.State == store.Refused && a.Summary != brokeOff && !raisedAlready(a):
			lines = append(lines, "Refused: "+a.Summary)
		case a.State == store.Asked:
			lines = append(lines, e.question(a, buttons))
		case a.State == store.Done && spec != nil && !spec.Quiet && !(spec.Query && follows):
			lines = append(lines, "Done: "+a.Summary)
		}
	}
	return strings.Join(lines, "\n")
}
