package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A collector receives spans as OpenTelemetry's does.
type collector struct {
	t      *testing.T
	server *httptest.Server

	mu       sync.Mutex
	raw      bytes.Buffer // all bodies
	headers  []http.Header
	resource []*commonpb.KeyValue
	spans    []*tracepb.Span
}

func newCollector(t *testing.T) *collector {
	c := &collector{t: t}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", c.receive)
	c.server = httptest.NewServer(mux)
	t.Cleanup(c.server.Close)
	return c
}

func (c *collector) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var data tracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &data)
	}
	if err != nil || r.Header.Get("Content-Type") != "application/x-protobuf" {
		c.t.Errorf("a request is none: %v, %v", err, r.Header)
		http.Error(w, "not OTLP", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(body)
	c.headers = append(c.headers, r.Header)
	for _, resource := range data.ResourceSpans {
		c.resource = resource.Resource.Attributes
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// about is an attribute of a span as text, "" if it has none.
func about(attributes []*commonpb.KeyValue, key string) string {
	for _, a := range attributes {
		if a.Key != key {
			continue
		}
		switch value := a.Value.Value.(type) {
		case *commonpb.AnyValue_StringValue:
			return value.StringValue
		case *commonpb.AnyValue_IntValue:
			return fmt.Sprint(value.IntValue)
		case *commonpb.AnyValue_ArrayValue:
			var all []string
			for _, element := range value.ArrayValue.Values {
				all = append(all, element.GetStringValue())
			}
			return strings.Join(all, ",")
		}
		return a.Value.String()
	}
	return ""
}

// tree is the spans below one as indented lines, each with its attributes of those
// keys that it has. nil is above all.
func (c *collector) tree(parent []byte, indent string, keys ...string) string {
	var below []*tracepb.Span
	for _, span := range c.spans {
		if bytes.Equal(span.ParentSpanId, parent) {
			below = append(below, span)
		}
	}
	slices.SortStableFunc(below, func(a, b *tracepb.Span) int { return int(int64(a.StartTimeUnixNano) - int64(b.StartTimeUnixNano)) })
	var b strings.Builder
	for _, span := range below {
		b.WriteString(indent + span.Name)
		for _, key := range keys {
			if value := about(span.Attributes, key); value != "" {
				b.WriteString(" " + key + "=" + value)
			}
		}
		b.WriteString("\n" + c.tree(span.SpanId, indent+"  ", keys...))
	}
	return b.String()
}
