package turn

import (
	"context"

	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
)

// A reply that only says what is being done is no answer. It is held back, and the model
// is told to go on, in a turn of its own with everything that the first one had.

// ContinueMark begins what the model is told then.
const ContinueMark = "[continue]"

// GoOn is what the model is told.
const GoOn = ContinueMark + `
Your last message only said what you are doing. The person has not got it as an answer. Go on now and finish, and reply with the whole answer, or say what keeps you from it.`

// MoreToCome is what it is told if it has said itself that there is more to come. What it
// has written until then is shown.
const MoreToCome = ContinueMark + `
You said that you respond, or that there is more to come. What you wrote so far stands there. Write the rest now, without repeating anything.`

// continuation is the turn in which the model goes on, if this one leaves something to
// be done and may be continued. At the end of its patience what there is is sent.
func (e *Engine) continuation(t *store.Turn, ledger []store.Action, verdict output.Verdict) store.Next {
	if t.Brief != nil && t.Brief.Unposted || routes(t) {
		return store.Next{} // whoever has it done says when it is finished
	}
	most := 0
	if e.Continues != nil {
		most = e.Continues(t)
	}
	wants := e.wantsToGoOn(t, ledger)
	if wants && len(ledger) == 0 {
		most = max(most, 1) // it has only said that it responds: the person has nothing yet
	}
	switch {
	case t.Continued >= most:
		return store.Next{}
	case wants:
		return store.Next{Flow: store.Continuation, Input: MoreToCome}
	case verdict.Type == output.StatusUpdate:
		return store.Next{Flow: store.Continuation, Input: GoOn}
	}
	return store.Next{}
}

// hold keeps back what a turn says. Where it stands already, as it was being written, it
// stays as a sign of progress.
func (e *Engine) hold(ctx context.Context, t *store.Turn, save func([]store.Post) error) error {
	before, err := e.saidBefore(ctx, t)
	if err != nil {
		return err
	}
	above, err := e.leave(ctx, t, &before)
	if err != nil {
		return err
	}
	t.Held, t.Shown = t.Shown, before.all
	return save(above)
}
