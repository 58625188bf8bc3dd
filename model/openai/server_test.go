package openai_test

import (
	"context"
	"errors"
	"io"
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

// quiet is where a server complains about clients that hang up.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func noNameServer(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no name server")
}
