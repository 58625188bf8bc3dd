package observe

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/asidehq/aside/model"
)

// Scope is the name under which the program's spans are made.
const Scope = "github.com/asidehq/aside"

// What spans say about the program's own things. What they say about models is named
// as OpenTelemetry's conventions have it (gen_ai.…).
const (
	TurnKey     = attribute.Key("aside.turn")
	SessionKey  = attribute.Key("aside.session")
	FlowKey     = attribute.Key("aside.flow")
	PlatformKey = attribute.Key("aside.platform")
	StageKey    = attribute.Key("aside.stage")   // in which a turn was taken up
	ResultKey   = attribute.Key("aside.result")  // of a turn
	OutcomeKey  = attribute.Key("aside.outcome") // of an action
	StateKey    = attribute.Key("aside.state")   // of a post
	TriesKey    = attribute.Key("aside.tries")

	OperationKey = attribute.Key("gen_ai.operation.name")
	ToolKey      = attribute.Key("gen_ai.tool.name")

	errorTypeKey = attribute.Key("error.type")
)

// Start begins a span below the one in the context. If there is none, or nobody
// collects it, neither is this one.
func Start(ctx context.Context, name string, about ...attribute.KeyValue) (context.Context, trace.Span) {
	return start(ctx, name, trace.SpanKindInternal, about)
}

func start(ctx context.Context, name string, kind trace.SpanKind, about []attribute.KeyValue) (context.Context, trace.Span) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer(Scope)
	return tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(about...))
}

// End ends a span, as failed if there is an error.
func End(span trace.Span, err error) {
	if err != nil {
		Fail(span, errorType(err))
	}
	span.End()
}

// Fail marks a span as failed. The type is one of few words and no message.
func Fail(span trace.Span, errorType string) {
	span.SetStatus(codes.Error, "")
	span.SetAttributes(errorTypeKey.String(errorType))
}

// errorType is what kind of error it is. What it says may quote anybody.
func errorType(err error) string {
	var problem *model.Error
	switch {
	case errors.As(err, &problem):
		return string(problem.Kind)
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return fmt.Sprintf("%T", err)
		}
		err = inner
	}
}
