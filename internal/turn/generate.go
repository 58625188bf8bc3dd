package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// stoppedByPerson is what stands in place of the rest of its reply.
const stoppedByPerson = store.StoppedByPerson // "Stopped."

// Stop cancels the turn that a session is working on, if it comes before another one:
// word of it may arrive when the next turn is under way already.
func (e *Engine) Stop(session string, before int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, now := range e.running[session] {
		if now.turn < before {
			now.cancel(action.ErrStopped)
		}
	}
}

// StopTurn cancels a turn of a session, if that one is being worked on.
func (e *Engine) StopTurn(session string, turn int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, now := range e.running[session] {
		if now.turn == turn {
			now.cancel(action.ErrStopped)
		}
	}
}

// A running turn can be cancelled: the model that is being asked, or an action that takes
// long, of which there may be several at a time.
type running struct {
	turn   int64
	cancel context.CancelCauseFunc
}

// start makes a turn one that Stop can cancel, until done is called.
func (e *Engine) start(ctx context.Context, t *store.Turn) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running == nil {
		e.running = map[string][]*running{}
	}
	now := &running{t.ID, cancel}
	e.running[t.Session] = append(e.running[t.Session], now)
	return ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		left := slices.DeleteFunc(e.running[t.Session], func(other *running) bool { return other == now })
		if e.running[t.Session] = left; len(left) == 0 {
			delete(e.running, t.Session)
		}
		cancel(nil)
	}
}

// generate has a message answered, by the model unless it is a command.
func (e *Engine) generate(ctx context.Context, t *store.Turn) error {
	switch {
	case t.Notice != "" && t.Follows == 0:
		return e.answerAs(ctx, t, output.Blocker, t.Notice) // the message itself is not answered
	case t.Brief != nil && t.Brief.Cancelled != "":
		t.Output = mark.PassedOver
		return e.passOver(ctx, t, t.Brief.Cancelled)
	case t.Unanswered != "":
		t.Output = mark.PassedOver
		return e.passOver(ctx, t, t.Unanswered)
	}
	if ended, err := e.barred(ctx, t); ended || err != nil {
		return err
	}
	spoken := t.Follows == 0 && !t.Silent && t.Brief == nil // it is a person's word
	if c, rest, ok := commandOf(t.Message.Text); ok && spoken {
		return c.answer(e, ctx, t, rest)
	}
	if spoken {
		if handled, err := e.confirm(ctx, t); handled || err != nil {
			return err
		}
	}
	var err error
	if t.Added, err = e.added(ctx, t); err != nil {
		return err
	}
	var prompt Prompt
	err = e.stage(ctx, "gather", t, func(ctx context.Context, t *store.Turn) (err error) {
		prompt, err = e.Gatherer.Gather(ctx, t)
		return err
	})
	if err != nil {
		return err
	}
	if prompt.Full {
		e.Folder.Start(t.Session)
	}
	if why, err := e.passedOver(ctx, t, prompt); why != "" || err != nil {
		if err != nil {
			return err
		}
		t.Output = mark.PassedOver
		return e.passOver(ctx, t, why)
	}
	return e.stage(ctx, "generate", t, func(ctx context.Context, t *store.Turn) error { return e.ask(ctx, t, prompt.Request) })
}

// ask asks the model, shows the reply as it comes, and stores it.
func (e *Engine) ask(ctx context.Context, t *store.Turn, request model.Request) error {
	asked, done := e.start(ctx, t)
	defer done()

	answering, err := e.modelOf(t)
	if err != nil {
		return err
	}
	began := e.Now()
	typing := e.startTyping(asked, t)
	defer typing.end()
	reading, err := e.newReading(ctx, t)
	if err != nil {
		return err
	}
	reading.live.begins = typing.end
	stopped, err := e.revoked(ctx, t)
	if !stopped && err == nil {
		stopped, err = e.stopWaits(ctx, t)
	}
	if stopped || err != nil {
		if err != nil {
			return err
		}
		reading.failure = stoppedByPerson
		return reading.save(ctx, map[string]int64{})
	}
	for delta, err := range answering.Stream(asked, request) {
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err() // shutting down: the model is asked again by the next process
			}
			reading.failed(asked, err)
			break
		}
		if delta.Restart {
			reading.restart()
		}
		if reading.feed(ctx, delta.Text); reading.interrupted {
			break
		}
	}
	reading.end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	took := e.Now().Sub(began)
	return reading.save(ctx, map[string]int64{"generate_ms": took.Milliseconds()})
}

// A reading follows a reply while it streams.
type reading struct {
	e       *Engine
	turn    *store.Turn
	live    *live
	reader  *extract.Reader
	raw     strings.Builder
	result  words
	failure string

	interrupted bool // by an action: the model is not to go on
}

func (e *Engine) newReading(ctx context.Context, t *store.Turn) (*reading, error) {
	before, err := e.saidBefore(ctx, t)
	if err != nil {
		return nil, err
	}
	return &reading{e: e, turn: t, live: e.newLive(ctx, t, before), reader: extract.New(e.readingOf(t))}, nil
}

func (r *reading) feed(ctx context.Context, text string) {
	r.raw.WriteString(text)
	for event := range r.reader.Feed([]byte(text)) {
		if r.interrupted && event.End > r.raw.Len() {
			return
		}
		r.result.add(event, r.raw.String())
		if !r.interrupted && r.interrupts(ctx, event) {
			r.cut(event)
		}
	}
	if !r.interrupted && r.live.due() {
		r.live.show(string(r.result.Text))
	}
}

// restart forgets the reply so far: the model begins again.
func (r *reading) restart() {
	r.reader.Reset()
	r.raw.Reset()
	r.result = words{}
}

func (r *reading) end() {
	if r.interrupted {
		return
	}
	for event := range r.reader.End() {
		r.result.add(event, r.raw.String())
	}
}

// failed notes why there is no reply, or no more of it.
func (r *reading) failed(asked context.Context, err error) {
	var problem *model.Error
	switch {
	case errors.Is(context.Cause(asked), action.ErrStopped):
		r.failure = stoppedByPerson
	case errors.As(err, &problem):
		r.failure = problem.Message
	default:
		r.failure = "The model could not answer. Try again."
	}
	log := r.e.Logger
	if problem != nil {
		log = log.With("kind", problem.Kind)
	}
	// The provider's own words. About a key they may repeat one.
	if problem != nil && problem.Cause != nil && problem.Kind != model.BadKey {
		log = log.With("cause", problem.Cause)
	}
	log.WarnContext(asked, "no reply", "error", err)
}

// save stores the reply, what of it is shown, and its actions. A reply that broke off
// acts on nothing: nobody knows what it would have said.
func (r *reading) save(ctx context.Context, timings map[string]int64) error {
	t := r.turn
	t.Reply, t.Failure = r.raw.String(), r.failure
	var err error
	if t.Timings, err = json.Marshal(timings); err != nil {
		return err
	}
	if t.Problems, err = json.Marshal(problems(r.result.Problems)); err != nil {
		return err
	}
	actions := r.e.Decider().ledger(t.ID, r.result.Actions, r.failure)
	t.Shown = r.result.said(actions)
	if names := r.e.newNames(t); names != nil && r.failure == "" && !readsPlain(t) {
		t.Shown = names.in(t.Shown)
		actions = names.actions(t.ID, actions, r.e.isSendFile)
	}
	if r.failure != "" {
		t.Added = nil // what was added has not been answered, and is a turn of its own
	}
	if t.Silent {
		t.Shown = ""
	} else if r.failure != "" {
		t.Shown = joined([]string{t.Shown, r.failure})
	}
	if len(actions) > 0 || r.e.asksClassifier(t) {
		if err := r.e.Store.SaveReply(ctx, t, store.Reply{Actions: actions, Acts: true}); err != nil {
			return err
		}
		for i := range actions {
			if a := &actions[i]; a.State.Ended() {
				r.e.Metrics.Action(r.e.actionName(a), string(a.State))
			}
		}
		return nil
	}
	return r.e.conclude(ctx, t, nil, func(posts []store.Post, next store.Next) error {
		return r.e.Store.SaveReply(ctx, t, store.Reply{Posts: posts, Next: next})
	})
}

// A problem as it is stored.
type problem struct {
	Kind        string `json:"kind"`
	Dialect     string `json:"dialect"`
	Raw         string `json:"raw"`
	Explanation string `json:"explanation"`
}

func problems(events []extract.Event) []problem {
	all := []problem{}
	for _, e := range events {
		all = append(all, problem{e.Name, e.Dialect.String(), e.Raw, e.Why})
	}
	return all
}

// postKey is the key of the n-th post of a turn.
func postKey(turn int64, n int) string { return fmt.Sprintf("turn-%d-post-%d", turn, n) }
