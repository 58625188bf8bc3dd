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

// Send writes the packets of a stream one by one.
func Send(w http.ResponseWriter, packets ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, packet := range packets {
		io.WriteString(w, packet)
		http.NewResponseController(w).Flush()
	}
}

// sends is a handler that does so.
func sends(packets ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { Send(w, packets...) }
}

// Cut closes the connection in the middle of the response.
func Cut(w http.ResponseWriter) {
	if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
		connection.Close()
	}
}

// Hang keeps a request open until the other side closes it, and tells.
func Hang(closed chan<- struct{}, packets ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // the server notices a closed connection only then
		Send(w, packets...)
		<-r.Context().Done()
		close(closed)
	}
}

// Seen waits until the server has seen the connection close.
func Seen(t *testing.T, closed <-chan struct{}) {
	t.Helper()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the server does not see the connection close")
	}
}

// An Answer is what a stream came to.
type Answer struct {
	Text   string
	Deltas int // those with text
	End    model.End
	Usage  model.Usage
	Err    *model.Error
}

func (a Answer) String() string {
	s := fmt.Sprintf("%.80q %s %d+%d", a.Text, a.End, a.Usage.Input, a.Usage.Output)
	if a.Err != nil {
		s += fmt.Sprintf(" (%s: %s, cause %v)", a.Err.Kind, a.Err.Message, a.Err.Cause)
	}
	return s
}

// Read reads a stream to its end, which has to be one.
func Read(t *testing.T, stream iter.Seq2[model.Delta, error]) (a Answer) {
	t.Helper()
	for d, err := range stream {
		if a.End != "" || a.Err != nil {
			t.Errorf("something came after the end: %+v, %v", d, err)
		}
		if err != nil && !errors.As(err, &a.Err) {
			t.Fatalf("error of type %T", err)
		}
		a.Text += d.Text
		if d.Text != "" {
			a.Deltas++
		}
		if d.End != "" {
			a.End, a.Usage = d.End, d.Usage
		}
	}
	if a.End == "" && a.Err == nil {
		t.Error("the stream just ended")
	}
	return a
}

// fails checks that a stream ended with an error of some kind after some text, and
// that the error is fit for a person.
func fails(t *testing.T, a Answer, kind model.Kind, text string) {
	t.Helper()
	if a.Err == nil || a.Err.Kind != kind || a.Text != text {
		t.Fatalf("got %v, want %q and %s", a, text, kind)
	}
	ForAPerson(t, a.Err)
}

// ForAPerson checks that an error is fit for one: a sentence, nothing of the provider's own
// ("Provider says") and above all not the Key, which must not be in the log either.
func ForAPerson(t *testing.T, e *model.Error) {
	t.Helper()
	if m := e.Message; strings.ContainsAny(m, "{}<>\n\x00") || len(m) > 150 || !strings.HasSuffix(m, ".") && !strings.HasSuffix(m, "?") {
		t.Errorf("a person reads %q", m)
	}
	if strings.Contains(e.Message, "Provider says") || strings.Contains(e.Message, Key) {
		t.Errorf("%q repeats the provider", e.Message)
	}
	if e.Cause == nil || strings.Contains(e.Cause.Error(), Key) {
		t.Errorf("the log says %v", e.Cause)
	}
}
