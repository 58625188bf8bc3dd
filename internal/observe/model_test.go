package observe_test

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/model"
)

// A script is a model that yields what it is made of.
type script struct {
	deltas []model.Delta
	err    error
}

func (s script) Stream(context.Context, model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		for _, delta := range s.deltas {
			if !yield(delta, nil) {
				return
			}
		}
		if s.err != nil {
			yield(model.Delta{}, s.err)
		}
	}
}

func TestARequestIsASpanAndIsCounted(t *testing.T) {
	text := model.Delta{Text: "hello"}
	tests := []struct {
		name    string
		reply   script
		read    int // deltas, then whoever reads breaks off; 0 reads all
		result  string
		failure string // error.type
		reason  string
	}{
		{"a complete reply", script{[]model.Delta{text, {End: model.Done, Usage: model.Usage{Input: 5, Output: 7}}}, nil}, 0, "done", "", "stop"},
		{"a reply that is too long", script{[]model.Delta{text, {End: model.Length}}, nil}, 0, "length", "", "length"},
		{"a reply that was cut", script{[]model.Delta{{End: model.Filtered}}, nil}, 0, "filtered", "", "content_filter"},
		{"a server that is busy", script{nil, &model.Error{Kind: model.Busy, Cause: errors.New("try later, ada")}}, 0, "busy", "busy", ""},
		{"an error of nobody's kind", script{nil, errors.New("a surprise for ada")}, 0, "broken", "*errors.errorString", ""},
		{"a stream without an end", script{[]model.Delta{text}, nil}, 0, "broken", "broken", ""},
		{"a reader who has enough", script{[]model.Delta{text, {End: model.Done}}, nil}, 1, "cancelled", "cancelled", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			spans := tracetest.NewSpanRecorder()
			tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test")
			ctx, outer := tracer.Start(t.Context(), "generate")
			metrics := observe.New("test")
			m := observe.Model(test.reply, observe.Asked{Provider: "gemini", Model: "small", Role: "chat"}, metrics, slog.New(slog.DiscardHandler))
			n := 0
			for range m.Stream(ctx, model.Request{Messages: []model.Message{{Text: "from ada"}}}) {
				if n++; n == test.read {
					break
				}
			}
			has(t, scrape(t, metrics, slog.New(slog.DiscardHandler)), `aside_model_requests_total{provider="gemini",result="`+test.result+`",role="chat"} 1`)
			ended := spans.Ended()
			if len(ended) != 1 {
				t.Fatalf("%d spans", len(ended))
			}
			span := ended[0]
			if span.Name() != "chat small" || span.Parent().SpanID() != outer.SpanContext().SpanID() {
				t.Errorf("it is %q, below %v", span.Name(), span.Parent())
			}
			if failed := span.Status().Code == codes.Error; failed != (test.failure != "") || span.Status().Description != "" {
				t.Errorf("its status is %+v", span.Status())
			}
			about := attribute.NewSet(span.Attributes()...)
			want := map[attribute.Key]string{
				"gen_ai.operation.name": "chat", "gen_ai.provider.name": "gcp.gemini", "gen_ai.request.model": "small",
				"aside.role": "chat", "error.type": test.failure,
			}
			for key, text := range want {
				if value, _ := about.Value(key); value.AsString() != text {
					t.Errorf("%s is %q, want %q", key, value.AsString(), text)
				}
			}
			if value, ok := about.Value("gen_ai.response.finish_reasons"); ok != (test.reason != "") || ok && value.AsStringSlice()[0] != test.reason {
				t.Errorf("it ended for %v, want %q", value.AsStringSlice(), test.reason)
			}
		})
	}
}

func TestTokensAreCounted(t *testing.T) {
	metrics := observe.New("test")
	end := model.Delta{End: model.Done, Usage: model.Usage{Input: 5, Output: 7}}
	m := observe.Model(script{[]model.Delta{end}, nil}, observe.Asked{Provider: "openai", Role: "fast"}, metrics, slog.New(slog.DiscardHandler))
	for range 2 {
		for range m.Stream(t.Context(), model.Request{}) {
		}
	}
	has(t, scrape(t, metrics, slog.New(slog.DiscardHandler)),
		`aside_model_tokens_total{direction="input",provider="openai",role="fast"} 10`,
		`aside_model_tokens_total{direction="output",provider="openai",role="fast"} 14`)
}
