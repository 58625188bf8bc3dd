package turn

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/asidehq/aside/internal/logging"
	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/store"
)

// Begin begins the span of a turn that this process takes up, which ends with what it
// returns. Whatever is logged with the context says which turn it is about.
func (e *Engine) Begin(ctx context.Context, t *store.Turn) (_ context.Context, end func(error)) {
	tracer := e.Tracer
	if tracer == nil {
		tracer = noop.Tracer{}
	}
	ctx, span := tracer.Start(ctx, "turn", trace.WithAttributes(
		observe.TurnKey.Int64(t.ID), observe.SessionKey.String(t.Session), observe.FlowKey.String(t.Flow),
		observe.PlatformKey.String(t.Message.Room.Platform), observe.StageKey.String(string(t.Stage)),
	))
	ctx = logging.With(ctx, slog.Int64("turn", t.ID), slog.String("session", t.Session))
	if made := span.SpanContext(); made.IsValid() {
		ctx = logging.With(ctx, slog.String("trace", made.TraceID().String()))
	}
	return ctx, func(err error) { observe.End(span, err) }
}

// stage runs a stage of a turn, and tells how long it took.
func (e *Engine) stage(ctx context.Context, name string, t *store.Turn, run func(context.Context, *store.Turn) error) error {
	ctx, span := observe.Start(ctx, name)
	began := e.Now()
	err := run(ctx, t)
	observe.End(span, err)
	if err != nil {
		return err
	}
	took := e.Now().Sub(began)
	e.Metrics.Stage(name, took)
	e.Logger.DebugContext(ctx, "stage ended", "stage", name, "took", took)
	return nil
}

// outcome runs an action and tells what it came to, unless that is known already.
func (e *Engine) outcome(ctx context.Context, t *store.Turn, before []store.Action, a *store.Action) error {
	if a.State.Ended() {
		return nil
	}
	name := e.actionName(a)
	ctx, span := observe.Start(ctx, "action "+name, observe.OperationKey.String("execute_tool"), observe.ToolKey.String(name))
	err := e.run(ctx, t, before, a)
	if err == nil {
		span.SetAttributes(observe.OutcomeKey.String(string(a.State)))
		if a.State != store.Done {
			observe.Fail(span, string(a.State))
		}
		e.Metrics.Action(name, string(a.State))
		e.Logger.DebugContext(ctx, "action ended", "action", name, "outcome", a.State)
	}
	observe.End(span, err)
	return err
}

// actionName is what an action is called outside: a model can make up any name.
func (e *Engine) actionName(a *store.Action) string {
	if spec := e.Registry.Find(a.Type); spec != nil {
		return spec.Name
	}
	return observe.Unknown
}

// firstText notes that a person sees the beginning of an answer.
func (e *Engine) firstText(t *store.Turn) {
	e.Metrics.FirstText(t.Message.Room.Platform, e.Now().Sub(t.Created))
}

// What came of a turn.
const (
	answered    = "answered"
	failed      = "failed"      // the model did not answer, or not to the end
	stopped     = "stopped"     // by a person
	undelivered = "undelivered" // at least one post
	passedOver  = "passed over" // not for the agent
	silent      = "silent"      // read and acted on, but not answered
)

// settled tells what came of a turn. The context is the turn's own.
func (e *Engine) settled(ctx context.Context, t *store.Turn, delivered bool) {
	result := answered
	switch {
	case !delivered:
		result = undelivered
	case t.Failure == stoppedByPerson:
		result = stopped
	case t.Failure != "":
		result = failed
	case t.Unanswered != "":
		result = passedOver
	case t.Silent:
		result = silent
	}
	after := e.Now().Sub(t.Created)
	span := trace.SpanFromContext(ctx)
	span.SetAttributes(observe.ResultKey.String(result))
	if result == failed || result == undelivered {
		observe.Fail(span, result)
	}
	e.Metrics.Turn(t.Flow, result, t.Message.Room.Platform, after)
	e.Logger.InfoContext(ctx, "turn settled", "flow", t.Flow, "result", result, "after", after.Round(time.Millisecond))
}
