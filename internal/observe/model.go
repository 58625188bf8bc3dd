package observe

import (
	"context"
	"errors"
	"iter"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/asidehq/aside/model"
)

// Asked is who is asked, and for what.
type Asked struct {
	Provider string
	Model    string // "" where the provider has no names
	Role     string
}

// Model makes a span of each request to a model, and counts and logs it. Where requests
// are tried again it belongs inside: each try is one.
func Model(m model.Model, a Asked, metrics *Metrics, log *slog.Logger) model.Model {
	return observed{m, a, metrics, log.With("provider", a.Provider, "model", a.Model, "role", a.Role)}
}

type observed struct {
	model   model.Model
	asked   Asked
	metrics *Metrics
	log     *slog.Logger
}

func (o observed) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		ctx, span := o.start(ctx)
		last, err := o.pass(o.model.Stream(ctx, r), yield)
		o.end(ctx, span, last, err)
	}
}

var (
	errCutOff = &model.Error{Kind: model.Cancelled, Message: "the reply was not read to its end"}
	errNoEnd  = &model.Error{Kind: model.Broken, Message: "the reply has no end"}
)

// pass passes a stream on, and returns its last delta or why there is none.
func (o observed) pass(deltas iter.Seq2[model.Delta, error], yield func(model.Delta, error) bool) (model.Delta, error) {
	var last model.Delta
	failure := error(errNoEnd)
	for delta, err := range deltas {
		if err != nil {
			failure = err
		} else if delta.End != "" {
			last, failure = delta, nil
		}
		if !yield(delta, err) {
			if failure == errNoEnd {
				failure = errCutOff
			}
			break
		}
	}
	return last, failure
}

func (o observed) start(ctx context.Context) (context.Context, trace.Span) {
	name, about := "chat", []attribute.KeyValue{
		OperationKey.String("chat"),
		attribute.String("gen_ai.provider.name", conventional(o.asked.Provider)),
		attribute.String("aside.role", o.asked.Role),
	}
	if o.asked.Model != "" {
		name += " " + o.asked.Model
		about = append(about, attribute.String("gen_ai.request.model", o.asked.Model))
	}
	return start(ctx, name, trace.SpanKindClient, about)
}

// conventional is a provider's name in the conventions.
func conventional(provider string) string {
	if provider == "gemini" {
		return "gcp.gemini"
	}
	return provider
}

// finishReasons are the conventional names of why a reply ended.
var finishReasons = map[model.End]string{model.Done: "stop", model.Length: "length", model.Filtered: "content_filter"}

func (o observed) end(ctx context.Context, span trace.Span, last model.Delta, err error) {
	result := string(last.End)
	if err != nil {
		result = kindOf(err)
	} else {
		span.SetAttributes(attribute.StringSlice("gen_ai.response.finish_reasons", []string{finishReasons[last.End]}))
	}
	if last.Usage != (model.Usage{}) {
		span.SetAttributes(
			attribute.Int("gen_ai.usage.input_tokens", last.Usage.Input),
			attribute.Int("gen_ai.usage.output_tokens", last.Usage.Output),
		)
	}
	o.log.DebugContext(ctx, "request ended", "result", result, "input", last.Usage.Input, "output", last.Usage.Output)
	o.metrics.request(o.asked, result, last.Usage.Input, last.Usage.Output)
	End(span, err)
}

// kindOf is the kind of a model's error. There are few, which a label needs.
func kindOf(err error) string {
	var problem *model.Error
	if errors.As(err, &problem) {
		return string(problem.Kind)
	}
	return string(model.Broken)
}
