package modeltest

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/model"
)

var hello = model.Request{Messages: []model.Message{{Role: model.User, Text: "Hello"}}}

// at starts a server and returns the model on it.
func (p Provider) at(t *testing.T, handler http.HandlerFunc) model.Model {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return p.New(server.URL, Key)
}

// send writes the packets of a stream one by one.
func send(w http.ResponseWriter, packets ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, packet := range packets {
		io.WriteString(w, packet)
		http.NewResponseController(w).Flush()
	}
}

// sends is a handler that does so.
func sends(packets ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { send(w, packets...) }
}

// cut closes the connection in the middle of the response.
func cut(w http.ResponseWriter) {
	if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
		connection.Close()
	}
}

// hang keeps a request open until the other side closes it, and tells.
func hang(closed chan<- struct{}, packets ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // the server notices a closed connection only then
		send(w, packets...)
		<-r.Context().Done()
		close(closed)
	}
}

// seen waits until the server has seen the connection close.
func seen(t *testing.T, closed <-chan struct{}) {
	t.Helper()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the server does not see the connection close")
	}
}

// An answer is what a stream came to.
type answer struct {
	text   string
	deltas int // those with text
	end    model.End
	usage  model.Usage
	err    *model.Error
}

func (a answer) String() string {
	s := fmt.Sprintf("%.80q %s %d+%d", a.text, a.end, a.usage.Input, a.usage.Output)
	if a.err != nil {
		s += fmt.Sprintf(" (%s: %s, cause %v)", a.err.Kind, a.err.Message, a.err.Cause)
	}
	return s
}

// read reads a stream to its end, which has to be one.
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
		if d.Text != "" {
			a.deltas++
		}
		if d.End != "" {
			a.end, a.usage = d.End, d.Usage
		}
	}
	if a.end == "" && a.err == nil {
		t.Error("the stream just ended")
	}
	return a
}

// fails checks that a stream ended with an error of some kind after some text, and
// that the error is fit for a person: a sentence, nothing of the provider's own and
// above all not the key, which must not be in the log either.
func fails(t *testing.T, a answer, kind model.Kind, text string) {
	t.Helper()
	if a.err == nil || a.err.Kind != kind || a.text != text {
		t.Fatalf("got %v, want %q and %s", a, text, kind)
	}
	if m := a.err.Message; strings.ContainsAny(m, "{}<>\n\x00") || len(m) > 150 || !strings.HasSuffix(m, ".") && !strings.HasSuffix(m, "?") {
		t.Errorf("a person reads %q", m)
	}
	if strings.Contains(a.err.Message, "Provider says") || strings.Contains(a.err.Message, Key) {
		t.Errorf("%q repeats the provider", a.err.Message)
	}
	if a.err.Cause == nil || strings.Contains(a.err.Cause.Error(), Key) {
		t.Errorf("the log says %v", a.err.Cause)
	}
}
