package turn

import (
	"context"
	"encoding/json"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/store"
)

// Actions that follow each other may be more together than one by one: several files become
// an album. Which ones go together is decided once and stored, because whoever runs them
// again after a crash must not make two albums of what was one.

// joint is what the first of several actions that run together has to remember.
type joint struct {
	Joined int `json:"joined"` // how many they are, itself included
}

// runJoined runs the first of the next actions together with those behind it, if they
// belong together, and tells how many they were; 0 is none.
func (e *Engine) runJoined(ctx context.Context, t *store.Turn, before, next []store.Action) (int, error) {
	spec := e.Registry.Find(next[0].Type)
	if spec == nil || !spec.Joins() || next[0].State.Ended() {
		return 0, nil
	}
	var begun joint
	if next[0].State != store.Started || json.Unmarshal(next[0].Trace, &begun) != nil || begun.Joined > len(next) {
		begun.Joined = e.joining(ctx, t, spec, next)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if begun.Joined < 2 {
			return 0, nil
		}
		next[0].Trace, _ = json.Marshal(begun) // a number, which always can be
		for i := range next[:begun.Joined] {
			next[i].State = store.Started
		}
		if err := e.Store.SaveActions(ctx, next[:begun.Joined]); err != nil {
			return 0, err
		}
	}
	if begun.Joined == 0 {
		return 0, nil
	}
	return begun.Joined, e.join(ctx, t, spec, before, next[:begun.Joined])
}

// joining is how many of the next actions are calls of the same one and may run.
func (e *Engine) joining(ctx context.Context, t *store.Turn, spec *action.Spec, next []store.Action) int {
	same := 0
	for same < len(next) && next[same].State == store.Planned && next[same].AskedIn == 0 && e.Registry.Find(next[same].Type) == spec {
		same++
	}
	if same < 2 {
		return 0
	}
	for n, a := range next[:same] {
		if e.Decider().decide(ctx, t, a).state != store.Planned {
			return n
		}
	}
	return same
}

// join runs actions together and stores what they came to.
func (e *Engine) join(ctx context.Context, t *store.Turn, spec *action.Spec, before, all []store.Action) error {
	ctx, span := observe.Start(ctx, "action "+spec.Name, observe.OperationKey.String("execute_tool"), observe.ToolKey.String(spec.Name))
	err := e.runTogether(ctx, t, spec, before, all)
	if err == nil {
		for _, a := range all {
			if a.State != store.Done {
				observe.Fail(span, string(a.State))
			}
			e.Metrics.Action(spec.Name, string(a.State))
			e.Logger.DebugContext(ctx, "action ended", "action", spec.Name, "outcome", a.State)
		}
	}
	observe.End(span, err)
	return err
}

func (e *Engine) runTogether(ctx context.Context, t *store.Turn, spec *action.Spec, before, all []store.Action) error {
	var calls []action.Call
	var args []action.Args
	for i := range all {
		decoded, err := spec.Decode(all[i].Args)
		if err != nil { // it was decoded before, by another version
			return e.failTogether(ctx, spec, all, err)
		}
		call := e.call(t, &all[i])
		call.Results = e.results(before)
		calls, args = append(calls, call), append(args, decoded)
	}
	running, cancel := context.WithTimeoutCause(ctx, time.Duration(len(all))*actionTime, action.ErrTooSlow)
	defer cancel()
	outcomes := spec.RunAll(running, calls, args)
	if ctx.Err() != nil {
		return ctx.Err() // cut off by a shutdown, not failed
	}
	for i := range all {
		cameTo(&all[i], spec, outcomes[i], running.Err() != nil)
	}
	return e.Store.SaveActions(ctx, all)
}

// failTogether ends actions that cannot be run any more.
func (e *Engine) failTogether(ctx context.Context, spec *action.Spec, all []store.Action, err error) error {
	for i := range all {
		cameTo(&all[i], spec, action.Fail("%v", err), false)
	}
	return e.Store.SaveActions(ctx, all)
}
