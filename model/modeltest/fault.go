package modeltest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/model"
)

// address is that of a new server.
func address(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func refusals(t *testing.T, p Provider) {
	page := "<html><head><title>Provider says 502</title></head><body>" + Key + "</body></html>"
	cases := []struct {
		name string
		Refusal
		wait time.Duration
	}{
		{"a bad key", p.Refusals[model.BadKey], 0},
		{"an unknown model", p.Refusals[model.UnknownModel], 0},
		{"a conversation that is too long", p.Refusals[model.TooLong], 0},
		{"a request it does not understand", p.Refusals[model.BadRequest], 0},
		{"a limit on requests", p.Refusals[model.Busy], 7 * time.Second},
		{"an error of its own", p.Refusals[model.Unavailable], 7 * time.Second},
		{"a bad key without a word", Refusal{Status: 401}, 0},
		{"a page of a gateway", Refusal{Status: 502, Body: page}, 7 * time.Second},
		{"a page about an address that does not exist", Refusal{Status: 404, Body: page}, 0},
		{"an answer that is cut", Refusal{Status: 503, Body: `{"error":{"message":"The ser`}, 7 * time.Second},
	}
	kinds := []model.Kind{
		model.BadKey, model.UnknownModel, model.TooLong, model.BadRequest, model.Busy, model.Unavailable,
		model.BadKey, model.Unavailable, model.UnknownModel, model.Unavailable,
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.Status == 0 {
				t.Fatal("the provider does not say what this looks like")
			}
			requests := 0
			m := p.at(t, func(w http.ResponseWriter, _ *http.Request) {
				requests++
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(c.Status)
				io.WriteString(w, c.Body)
			})
			a := Read(t, m.Stream(t.Context(), hello))
			fails(t, a, kinds[i], "")
			if requests != 1 {
				t.Errorf("%d requests: only model.Retry tries again", requests)
			}
			if a.Err.Wait != c.wait {
				t.Errorf("waits %v, want %v", a.Err.Wait, c.wait)
			}
		})
	}
}

func brokenStreams(t *testing.T, p Provider) {
	text := p.Text("Hel")
	cases := []struct {
		name    string
		packets []string
		text    string
		kind    model.Kind
	}{
		{"it just ends", []string{p.Begin, text}, "Hel", model.Broken},
		{"it ends inside an event", []string{p.Begin, text, p.Text("lo")[:20]}, "Hel", model.Broken},
		{"it is empty", []string{""}, "", model.Broken},
		{"an event is no JSON", []string{p.Begin, text, "data: {\"a\":[{\"ind\n\n", p.Text("lo"), p.End[model.Done]}, "Hel", model.Broken},
		{"an event is noise", []string{p.Begin, text, "data: \x00\xff\xfe noise\n\n"}, "Hel", model.Broken},
		{"everything is noise", []string{"\x00\xff\xfe\n\n\x80 noise\n\n"}, "", model.Broken},
		{"an event is of another shape", []string{p.Begin, text, "data: [1,2]\n\n"}, "Hel", model.Broken},
		{"it is a page", []string{"\n<!doctype html><title>Provider says hello</title>"}, "", model.Broken},
		{"it is an object", []string{`{"status":"Provider says hello"}`}, "", model.Broken},
		{"the server says that it does not go on", []string{p.Begin, text, p.Midway.Body}, "Hel", p.Midway.Kind},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fails(t, Read(t, p.at(t, sends(c.packets...)).Stream(t.Context(), hello)), c.kind, c.text)
		})
	}
	t.Run("the connection is cut", func(t *testing.T) {
		m := p.at(t, func(w http.ResponseWriter, _ *http.Request) {
			Send(w, p.Begin, text)
			Cut(w)
		})
		fails(t, Read(t, m.Stream(t.Context(), hello)), model.Broken, "Hel")
	})
	t.Run("members are null", func(t *testing.T) {
		for _, event := range []string{text, p.End[model.Done]} {
			for _, hollow := range hollowed(t, event) {
				// It may end in either way; what counts is that it does end.
				Read(t, p.at(t, sends(p.Begin, hollow, p.End[model.Done])).Stream(t.Context(), hello))
			}
		}
	})
}

func noServer(t *testing.T, p Provider) {
	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusing.Close()
	closing := address(t, func(w http.ResponseWriter, _ *http.Request) { Cut(w) })
	cases := []struct {
		name, address string
		kind          model.Kind
		message       string
	}{
		{"nobody listens", "http://" + refusing.Addr().String(), model.Unavailable, "nothing answers"},
		{"the connection is closed without a word", closing, model.Unavailable, "cannot be reached"},
		{"it does not speak TLS", strings.Replace(closing, "http", "https", 1), model.Unavailable, "TLS"},
		{"the address has no scheme", "models.example", model.BadRequest, "base_url"},
		{"the address has another scheme", "ftp://models.example", model.BadRequest, "base_url"},
		{"the address is none", "http://[::1", model.BadRequest, "base_url"},
		{"the key is in the address", "http://" + refusing.Addr().String() + "/" + Key, model.Unavailable, "nothing answers"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := Read(t, p.New(c.address, Key).Stream(t.Context(), hello))
			fails(t, a, c.kind, "")
			if !strings.Contains(a.Err.Message, c.message) {
				t.Errorf("a person reads %q, want %q", a.Err.Message, c.message)
			}
		})
	}
}

func givingUp(t *testing.T, p Provider) {
	t.Run("a stalled stream is closed", func(t *testing.T) {
		for _, packets := range [][]string{nil, {p.Begin, p.Text("Hel")}} {
			closed := make(chan struct{})
			m := model.Watch(p.at(t, Hang(closed, packets...)), 50*time.Millisecond, 50*time.Millisecond)
			a := Read(t, m.Stream(t.Context(), hello))
			fails(t, a, model.Stalled, a.Text)
			Seen(t, closed)
		}
	})
	t.Run("cancelling half-way closes the connection", func(t *testing.T) {
		closed := make(chan struct{})
		m := p.at(t, Hang(closed, p.Begin, p.Text("Hel")))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var a Answer
		for d, err := range m.Stream(ctx, hello) {
			if a.Text += d.Text; a.Text == "Hel" {
				cancel()
			}
			errors.As(err, &a.Err)
		}
		fails(t, a, model.Cancelled, "Hel")
		Seen(t, closed)
	})
	t.Run("cancelling before the response closes the connection", func(t *testing.T) {
		closed := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		m := p.at(t, func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			cancel()
			<-r.Context().Done()
			close(closed)
		})
		fails(t, Read(t, m.Stream(ctx, hello)), model.Cancelled, "")
		Seen(t, closed)
	})
	t.Run("leaving closes the connection", func(t *testing.T) {
		closed := make(chan struct{})
		m := p.at(t, Hang(closed, p.Begin, p.Text("Hel"), p.Text("lo")))
		for range m.Stream(t.Context(), hello) {
			break
		}
		Seen(t, closed)
	})
	t.Run("a broken stream is asked again", func(t *testing.T) {
		asked := 0
		m := p.at(t, func(w http.ResponseWriter, _ *http.Request) {
			if asked++; asked == 1 {
				Send(w, p.Begin, p.Text("Hel"))
				Cut(w)
				return
			}
			Send(w, p.Begin, p.Text("Hello"), p.End[model.Done])
		})
		text := ""
		for d, err := range model.Retry(m, model.RetryPolicy{First: time.Nanosecond}).Stream(t.Context(), hello) {
			if err != nil {
				t.Fatal(err)
			}
			if d.Restart {
				text = ""
			}
			text += d.Text
		}
		if text != "Hello" || asked != 2 {
			t.Errorf("got %q after %d requests", text, asked)
		}
	})
}
