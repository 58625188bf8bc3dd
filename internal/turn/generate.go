package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// errStopped is why a turn was cancelled that a person has stopped.
var errStopped = errors.New("stopped")

// Stop cancels the turn that a session is working on, if it comes before another one:
// word of it may arrive when the next turn is under way already.
func (e *Engine) Stop(session string, before int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now, ok := e.running[session]; ok && now.turn < before {
		now.cancel(errStopped)
	}
}

// A running turn can be cancelled.
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
		e.running = map[string]running{}
	}
	e.running[t.Session] = running{t.ID, cancel}
	return ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.running, t.Session)
		cancel(nil)
	}
}

// generate asks the model, shows the reply as it comes, and stores it.
func (e *Engine) generate(ctx context.Context, t *store.Turn) error {
	if command := commands[strings.TrimSpace(t.Message.Text)]; command != nil {
		return command(e, ctx, t)
	}
	prompt, err := e.Gatherer.Gather(ctx, t)
	if err != nil {
		return err
	}
	if prompt.Full {
		e.Folder.Start(t.Session)
	}
	asked, done := e.start(ctx, t)
	defer done()

	began := e.Now()
	reading := e.newReading(ctx, t)
	for delta, err := range e.Model.Stream(asked, prompt.Request) {
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
		reading.feed(delta.Text)
	}
	reading.end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	took := e.Now().Sub(began)
	e.Count.reply(took, reading.failure != "")
	return reading.save(ctx, map[string]int64{"generate_ms": took.Milliseconds()})
}

// A reading follows a reply while it streams.
type reading struct {
	e       *Engine
	turn    *store.Turn
	live    *live
	reader  *extract.Reader
	raw     strings.Builder
	result  extract.Result
	failure string
}

func (e *Engine) newReading(ctx context.Context, t *store.Turn) *reading {
	return &reading{e: e, turn: t, live: e.newLive(ctx, t), reader: extract.New(e.Reading)}
}

func (r *reading) feed(text string) {
	r.raw.WriteString(text)
	for event := range r.reader.Feed([]byte(text)) {
		r.result.Add(event)
	}
	r.live.show(string(r.result.Text))
}

// restart forgets the reply so far: the model begins again.
func (r *reading) restart() {
	r.reader.Reset()
	r.raw.Reset()
	r.result = extract.Result{}
}

func (r *reading) end() {
	for event := range r.reader.End() {
		r.result.Add(event)
	}
}

// failed notes why there is no reply, or no more of it.
func (r *reading) failed(asked context.Context, err error) {
	var problem *model.Error
	switch {
	case errors.Is(context.Cause(asked), errStopped):
		r.failure = "Stopped."
	case errors.As(err, &problem):
		r.failure = problem.Message
	default:
		r.failure = "The model could not answer."
	}
	log := r.e.Logger.With("turn", r.turn.ID, "session", r.turn.Session)
	// The provider's own words. About a key they may repeat one.
	if problem != nil && problem.Cause != nil && problem.Kind != model.BadKey {
		log = log.With("cause", problem.Cause)
	}
	log.Warn("no reply", "error", err)
}

// save stores the reply, what of it is shown, and its actions. A reply that broke off
// acts on nothing: nobody knows what it would have said.
func (r *reading) save(ctx context.Context, timings map[string]int64) error {
	t := r.turn
	t.Reply, t.Shown, t.Failure = r.raw.String(), string(r.result.Text), r.failure
	var err error
	if t.Timings, err = json.Marshal(timings); err != nil {
		return err
	}
	if t.Problems, err = json.Marshal(problems(r.result.Problems)); err != nil {
		return err
	}
	actions := ledger(t.ID, r.result.Actions, r.failure)
	if r.failure != "" {
		t.Shown = strings.TrimSpace(t.Shown + "\n\n" + r.failure)
	}
	if late := r.e.Now().Sub(t.Message.At); late > r.e.Outbox.MaxAge && t.Shown != "" {
		t.Shown = "(You asked this at " + t.Message.At.UTC().Format("15:04 UTC on 2 January") + ".)\n\n" + t.Shown
	}
	var posts []store.Post
	if len(actions) == 0 {
		posts = r.e.posts(t)
	}
	return r.e.Store.SaveReply(ctx, t, actions, posts)
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
