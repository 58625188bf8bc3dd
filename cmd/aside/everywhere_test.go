package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/asidehq/aside/internal/slacktest"
)

// A direct chat is one of Ada's with the real program, on one of the platforms.
type directChat struct {
	*victim
	model  *prompter
	gate   *gate
	begin  func()                        // starts the program and waits until it is connected
	write  func(text string) (id string) // Ada writes
	repeat func(id string)               // the platform delivers a message a second time
	settle func(of func(sceneTurn) bool) // waits until there are such turns and all of them are settled
	turns  func() []sceneTurn            // those of the chat
	posts  func() []string               // what stands there of the agent's
}

// settled waits until a message has been dealt with.
func (d *directChat) settled(id string) { d.settle(func(t sceneTurn) bool { return t.Message == id }) }

// everywhere runs a test on each platform that people chat on. The program has not begun.
func everywhere(t *testing.T, test func(t *testing.T, d *directChat)) {
	t.Run("discord", func(t *testing.T) {
		s := prepareScene(t, "")
		in := s.discord.Direct(s.discord.Ada)
		test(t, &directChat{
			victim: s.victim, model: s.model, gate: newGate(t, s.victim, s.discord.APIURL()), begin: s.begin,
			write:  func(text string) string { return s.discord.Write(s.discord.Ada, in, text) },
			repeat: func(id string) { s.discord.Repeat(in, id) },
			settle: func(of func(sceneTurn) bool) { s.settleAll(in, of) },
			turns:  func() []sceneTurn { return s.turns(in) },
			posts: func() (all []string) {
				for _, m := range s.discord.Posts(in) {
					all = append(all, m.Content)
				}
				return all
			},
		})
	})
	t.Run("telegram", func(t *testing.T) {
		s := prepareTelegramScene(t, "", "")
		in := s.telegram.Private
		test(t, &directChat{
			victim: s.victim, model: s.model, gate: newGate(t, s.victim, s.telegram.URL()), begin: s.begin,
			write:  func(text string) string { return s.telegram.Write(s.telegram.Ada, in, text) },
			repeat: func(id string) { s.telegram.Repeat(in, id) },
			settle: func(of func(sceneTurn) bool) { s.settleAll(in, of) },
			turns:  func() []sceneTurn { return s.turns(in) },
			posts: func() (all []string) {
				for _, m := range s.telegram.Posts(in) {
					all = append(all, m.Text)
				}
				return all
			},
		})
	})
	t.Run("slack", func(t *testing.T) {
		s := prepareSlackScene(t, "app_token: "+slacktest.AppToken, "")
		in := s.slack.Direct(s.slack.Ada)
		test(t, &directChat{
			victim: s.victim, model: s.model, gate: newGate(t, s.victim, s.slack.APIURL()), begin: s.begin,
			write:  func(text string) string { return s.slack.Write(s.slack.Ada, in, text) },
			repeat: func(id string) { s.slack.Repeat(in, id) },
			settle: func(of func(sceneTurn) bool) { s.settleAll(in.ID, of) },
			turns:  func() []sceneTurn { return s.turns(in.ID) },
			posts: func() (all []string) {
				for _, m := range s.slack.Posts(in, "") {
					all = append(all, m.Text)
				}
				return all
			},
		})
	})
}

// A gate stands between the program and a platform. It can be shut, and knows everything
// that the program has sent.
type gate struct {
	proxy *httputil.ReverseProxy

	mu   sync.Mutex
	shut bool
	sent bytes.Buffer
}

// newGate puts a gate before the platform at an address.
func newGate(t *testing.T, v *victim, address string) *gate {
	t.Helper()
	behind, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	d := &gate{proxy: &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: behind.Host}) },
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // whoever asked is gone
	}}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	text, err := os.ReadFile(v.config)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(text), behind.Host, strings.TrimPrefix(server.URL, "http://"))
	if err := os.WriteFile(v.config, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	d.mu.Lock()
	d.sent.WriteString(r.URL.RawQuery + "\n")
	d.sent.Write(append(body, '\n'))
	shut := d.shut
	d.mu.Unlock()
	if shut || err != nil {
		panic(http.ErrAbortHandler) // as if nobody were there
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	d.proxy.ServeHTTP(w, r)
}

func (d *gate) setShut(yes bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = yes
}

// everythingSent is all that the program has sent to the platform, as it was sent.
func (d *gate) everythingSent() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sent.String()
}
