package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/model/modeltest"
	"github.com/asidehq/aside/model/openai"
)

const key = modeltest.Key

// serve starts a server that speaks the wire format over TCP and returns the model
// on it.
func serve(t *testing.T, handler http.HandlerFunc) *openai.Model {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return openai.New(openai.Config{BaseURL: server.URL + "/v1", Key: key, Model: "small-1"})
}

// send writes the packets of a stream one by one.
func send(w http.ResponseWriter, packets ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, packet := range packets {
		fmt.Fprint(w, packet)
		http.NewResponseController(w).Flush()
	}
}

// cut closes the connection in the middle of the response.
func cut(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		connection.Close()
	}
}

// event is a chunk with some text.
func event(text string) string {
	return `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"small-1","choices":[{"index":0,"delta":{"content":` + quote(text) + `},"finish_reason":null}],"usage":null}` + "\n\n"
}

// finish is the chunk that says why the reply ended.
func finish(reason string) string {
	return `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"small-1","choices":[{"index":0,"delta":{},"finish_reason":` + quote(reason) + `}]}` + "\n\n"
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

const (
	role  = `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"small-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n"
	usage = `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"small-1","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}` + "\n\n"
	bye   = "data: [DONE]\n\n"
)

var hello = model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello"}}}

// An answer is what a stream came to.
type answer struct {
	text  string
	end   model.End
	usage model.Usage
	err   *model.Error
}

func (a answer) String() string {
	s := fmt.Sprintf("%.80q %s %d+%d", a.text, a.end, a.usage.Input, a.usage.Output)
	if a.err != nil {
		s += fmt.Sprintf(" (%s: %s, cause %v)", a.err.Kind, a.err.Message, a.err.Cause)
	}
	return s
}

func read(t *testing.T, stream iter.Seq2[model.Delta, error]) (a answer) {
	t.Helper()
	for d, err := range stream {
		if a.end != "" || a.err != nil {
			t.Errorf("something came after the end: %+v, %v", d, err)
		}
		if err != nil && !errors.As(err, &a.err) {
			t.Fatalf("error of type %T", err)
		}
		a.text += d.Text
		if d.End != "" {
			a.end, a.usage = d.End, d.Usage
		}
	}
	if a.end == "" && a.err == nil {
		t.Error("the stream just ended")
	}
	return a
}

// quiet is where a server complains about clients that hang up.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func noNameServer(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no name server")
}
