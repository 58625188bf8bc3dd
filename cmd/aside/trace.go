package main

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/otlp"
)

// flushTime is how long a collector has to take the last spans, so that all of a stop
// fits into ten seconds.
const flushTime = 1500 * time.Millisecond

// newTracer makes the spans of turns and sends them to the target, if there is one.
// stop sends what is left.
func newTracer(ctx context.Context, to *otlp.Target, log *slog.Logger) (_ trace.Tracer, stop func(), err error) {
	if to == nil {
		return noop.Tracer{}, func() {}, nil
	}
	client := otlp.New(*to, wait, log)
	exporter, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, nil, err
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "aside"), attribute.String("service.version", programVersion())),
		resource.WithTelemetrySDK(), resource.WithFromEnv()) // the last one counts most
	if err != nil {
		log.Warn("OTEL_RESOURCE_ATTRIBUTES cannot be read; traces go without them", "error", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return provider.Tracer(observe.Scope), func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("the last traces were not sent", "error", err)
		}
		client.Cancel()
	}, nil
}
