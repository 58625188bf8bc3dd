package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// saysCounted is a step that answers and says what that cost.
func saysCounted(reply string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		stream(w, reply)
		io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":7}}`+"\n\ndata: [DONE]\n\n")
	}
}

func TestATurnIsATreeOfSpans(t *testing.T) {
	const (
		asked     = "what only Ada knows"
		reply     = `Words of the reply. <actions><react emoji="eyes"/></actions> <action>{"type":"sendMessage","chat":"log","content":"words of an argument"}</action> <action>{"type":"madeUpByTheModel"}</action>`
		collected = "key-of-the-collector"
	)
	spans := newCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.server.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20"+collected)
	t.Setenv("OTEL_SERVICE_NAME", "my-agent")
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{
		asked: {refuses(http.StatusServiceUnavailable, "words of a failure"), saysCounted(reply)},
	}})
	v.settle(v.say("lobby", asked))
	v.kill(syscall.SIGTERM)
	spans.mu.Lock()
	defer spans.mu.Unlock()

	want := `turn aside.turn=1 aside.session=web/lobby aside.flow=message aside.platform=web aside.stage=waiting aside.result=answered
  gather
  generate
    chat test gen_ai.operation.name=chat gen_ai.provider.name=openai gen_ai.request.model=test error.type=unavailable
    chat test gen_ai.operation.name=chat gen_ai.provider.name=openai gen_ai.request.model=test gen_ai.usage.input_tokens=11 gen_ai.usage.output_tokens=7 gen_ai.response.finish_reasons=stop
  act
    action react gen_ai.operation.name=execute_tool gen_ai.tool.name=react aside.outcome=done
    action sendMessage gen_ai.operation.name=execute_tool gen_ai.tool.name=sendMessage aside.outcome=done
      post aside.platform=web aside.state=delivered
    action unknown gen_ai.operation.name=execute_tool gen_ai.tool.name=unknown error.type=failed aside.outcome=failed
  deliver
    post aside.platform=web aside.state=delivered
`
	got := spans.tree(nil, "", "aside.turn", "aside.session", "aside.flow", "aside.platform", "aside.stage", "aside.result",
		"gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.tool.name", "error.type",
		"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "gen_ai.response.finish_reasons",
		"aside.outcome", "aside.state")
	if got != want {
		t.Errorf("the spans are\n%s\nwant\n%s", got, want)
	}
	for _, span := range spans.spans {
		if string(span.TraceId) != string(spans.spans[0].TraceId) {
			t.Error("the spans are of several traces")
		}
		failed := about(span.Attributes, "error.type") != ""
		if got := span.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR; got != failed || span.Status.GetMessage() != "" {
			t.Errorf("%s has the status %v", span.Name, span.Status)
		}
	}
	if name, version := about(spans.resource, "service.name"), about(spans.resource, "service.version"); name != "my-agent" || version == "" {
		t.Errorf("they are of %q %q", name, version)
	}
	for _, header := range spans.headers {
		if got := header.Get("Authorization"); got != "Bearer "+collected {
			t.Errorf("the collector got the key %q", got)
		}
	}
	for _, secret := range []string{asked, "Words of the reply", "words of an argument", "words of a failure", "madeUpByTheModel", "eyes", configuredKey, collected} {
		if strings.Contains(spans.raw.String(), secret) {
			t.Errorf("the spans say %q", secret)
		}
	}
	if said := v.output.String(); said != "" {
		t.Errorf("it says %s", said)
	}
}

func TestACollectorThatDoesNotAnswerDelaysNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		collect http.HandlerFunc
	}{
		{"it takes the spans and says nothing", func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // all of it, or the server does not notice who goes away
			<-r.Context().Done()
		}},
		{"it is always busy", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "600")
			w.WriteHeader(http.StatusServiceUnavailable)
		}},
		{"it hangs up", hangsUp},
		{"it is not there", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			address := "http://" + freeAddress(t)
			if test.collect != nil {
				server := httptest.NewServer(test.collect)
				t.Cleanup(server.Close)
				address = server.URL
			}
			v := newFaulty(t, &faultyModel{})
			v.env = []string{
				"OTEL_EXPORTER_OTLP_ENDPOINT=" + address,
				// Whoever waited for the collector would do so for longer than any test runs.
				"OTEL_EXPORTER_OTLP_TIMEOUT=3600000", "OTEL_BSP_EXPORT_TIMEOUT=3600000",
				"OTEL_BSP_SCHEDULE_DELAY=1",
				"OTEL_BSP_MAX_QUEUE_SIZE=4", // which is full at once
				"OTEL_BSP_MAX_EXPORT_BATCH_SIZE=1",
			}
			v.start()
			for _, text := range []string{"one", "two", "three"} {
				v.isAnswered("lobby", v.say("lobby", text), "Answer to "+text)
			}
			v.kill(syscall.SIGTERM) // which waits until it has ended, in good order
			if said := v.output.String(); !strings.Contains(said, "traces") {
				t.Errorf("it does not say that traces were lost: %s", said)
			}
		})
	}
}

func TestAWrongCollectorIsNoReasonNotToAnswer(t *testing.T) {
	tests := []struct{ name, variable, value, says string }{
		{"no URL", "OTEL_EXPORTER_OTLP_ENDPOINT", "s3cret-place", "OTEL_EXPORTER_OTLP_ENDPOINT: this is not a URL such as http://127.0.0.1:4318"},
		{"another protocol", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL: Aside speaks http/protobuf only"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
			t.Setenv(test.variable, test.value)
			v := startFaulty(t, &faultyModel{})
			v.isAnswered("lobby", v.say("lobby", "one"), "Answer to one")
			if said := v.output.String(); !strings.Contains(said, test.says) || strings.Contains(said, "s3cret") {
				t.Errorf("it says %s", said)
			}
		})
	}
}
