package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A faultyModel does with the first try at a message what the message's script says
// first, and so on; the last step counts for all further tries. A message without a
// script is answered.
type faultyModel struct {
	scripts map[string][]http.HandlerFunc

	mu    sync.Mutex
	tries map[string][]time.Time
}

func (m *faultyModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body) // all of it, or the server does not notice who goes away
	var request struct {
		Messages []struct{ Content string }
	}
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	asked := request.Messages[len(request.Messages)-1].Content
	m.mu.Lock()
	if m.tries == nil {
		m.tries = map[string][]time.Time{}
	}
	m.tries[asked] = append(m.tries[asked], time.Now())
	script, try := m.scripts[asked], len(m.tries[asked])
	m.mu.Unlock()
	if len(script) == 0 {
		says("Answer to "+asked)(w, r)
		return
	}
	script[min(try, len(script))-1](w, r)
}

// triesAt is when the model was asked a message.
func (m *faultyModel) triesAt(asked string) []time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.tries[asked])
}

// says is a step that answers.
func says(reply string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		stream(w, reply)
		finish(w)
	}
}

// refuses is a step that answers with an error.
func refuses(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// sends is a step that sends a body as it is and claims success.
func sends(body string) http.HandlerFunc { return refuses(http.StatusOK, body) }

// hangsUp is a step that closes the connection without an answer.
func hangsUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// breaksOff is a step that sends half of a reply and then cuts the connection, but
// not before the room shows what it has.
func breaksOff(v *victim, room, seen, hidden string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		stream(w, seen)
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && !v.shows(room, seen); time.Sleep(20 * time.Millisecond) {
			stream(w, " and") // what is shown is looked at again only when more comes
		}
		stream(w, hidden)
		panic(http.ErrAbortHandler)
	}
}

// shows tells whether a text stands in a room, also while a server's goroutine asks.
func (v *victim) shows(room, text string) bool {
	answer, err := http.Get(v.url + "/api/v1/rooms/" + room + "/messages")
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return err == nil && strings.Contains(string(body), text)
}

const (
	// What may be seen neither by people nor by the operator.
	configuredKey = "sk-configured-0123456789"
	anotherKey    = "sk-another-9876543210"
	onlyInJSON    = "what-only-the-json-says"
)

// newFaulty is a victim with a faulty model.
func newFaulty(t *testing.T, m *faultyModel) *victim {
	t.Helper()
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	v := newVictim(t, "sqlite", server.URL)
	v.configure("sqlite", server.URL, configuredKey)
	return v
}

func startFaulty(t *testing.T, m *faultyModel) *victim {
	t.Helper()
	v := newFaulty(t, m)
	v.start()
	return v
}

func TestAFaultOfTheModelThatPassesIsNotSeenInTheRoom(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{}}
	v := startFaulty(t, m)
	tests := []struct {
		room, name string
		faults     []http.HandlerFunc
		least      time.Duration // between the first try and the last
	}{
		{"busy", "it asks twice to come back in a second", []http.HandlerFunc{
			refuses(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "Retry-After", "1"),
			refuses(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "Retry-After", "1"),
		}, 2 * time.Second},
		{"error", "it does not work once", []http.HandlerFunc{refuses(500, `{"error":{"message":"`+onlyInJSON+`"}}`)}, 0},
		{"page", "a web page comes once", []http.HandlerFunc{sends("<html><body>" + onlyInJSON + "</body></html>")}, 0},
		{"object", "something else than a stream comes once", []http.HandlerFunc{sends(`{"status":"` + onlyInJSON + `"}`)}, 0},
		{"noise", "noise comes once", []http.HandlerFunc{sends("\x00\xff\x01" + onlyInJSON + "\x80\n\n")}, 0},
		{"nonsense", "events that make no sense come once", []http.HandlerFunc{sends("data: {" + onlyInJSON + "\n\n")}, 0},
		{"nothing", "an empty stream comes once", []http.HandlerFunc{sends("data: [DONE]\n\n")}, 0},
		{"gone", "the connection is closed without an answer once", []http.HandlerFunc{hangsUp}, 0},
		{"cut", "the stream is cut half-way once", []http.HandlerFunc{breaksOff(v, "cut", "First half",
			` <action>{"type":"sendMessage","chat":"log","content":"of the first"}</action> <action>{"type":"sendMess`)}, 0},
	}
	m.mu.Lock()
	for _, test := range tests {
		m.scripts[test.name] = append(test.faults,
			says(`Second and whole. <action>{"type":"sendMessage","chat":"log","content":"after: `+test.name+`"}</action>`))
	}
	m.mu.Unlock()
	ids := map[string]string{}
	for _, test := range tests {
		ids[test.room] = v.say(test.room, test.name) // in all rooms at once
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := v.in(t)
			v.isAnswered(test.room, ids[test.room], "Second and whole.")
			tries := m.triesAt(test.name)
			if len(tries) != len(test.faults)+1 {
				t.Errorf("the model was asked %d times", len(tries))
			}
			if took := tries[len(tries)-1].Sub(tries[0]); took < test.least {
				t.Errorf("the last try came after %v", took)
			}
			events := v.events(test.room, 1)
			for _, raw := range []string{"sendMess", "\\u003cact", "of the first", onlyInJSON} {
				if strings.Contains(events, raw) {
					t.Errorf("%q was on the event stream:\n%s", raw, events)
				}
			}
			if test.room == "cut" && !strings.Contains(events, "First half") {
				t.Errorf("the first half was never shown, so nothing had to be taken back:\n%s", events)
			}
			if n := len(v.entries(test.room)); n != 2 {
				t.Errorf("%d entries stand in the room", n)
			}
		})
	}
	var did, want []string
	for _, e := range v.entries("log") {
		did = append(did, e.Text)
	}
	for _, test := range tests {
		want = append(want, "after: "+test.name)
	}
	slices.Sort(did)
	slices.Sort(want)
	if !slices.Equal(did, want) {
		t.Errorf("the actions did %q, want %q", did, want)
	}
	if said := v.output.String(); said != "" {
		t.Errorf("nothing was wrong in the end, but the operator reads:\n%s", said)
	}
}

func TestAFaultOfTheModelThatStaysIsAnsweredInWordsForAPerson(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{}}
	v := startFaulty(t, m)
	badKey := fmt.Sprintf(`{"error":{"message":"Incorrect API key provided: %s (was %s)","code":"invalid_api_key","trace":"%s"}}`, configuredKey, anotherKey, onlyInJSON)
	tests := []struct {
		room, name string
		step       http.HandlerFunc
		want       string
	}{
		{"key", "the key is refused", refuses(401, badKey), "The model's provider does not accept the key. Check api_key."},
		{"model", "the model is unknown", refuses(404, `{"error":{"message":"The model 'test' does not exist","code":"model_not_found","trace":"`+onlyInJSON+`"}}`), `The provider has no model called "test".`},
		{"long", "the conversation is too long", refuses(400, `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded","trace":"`+onlyInJSON+`"}}`), "The conversation is too long for the model."},
		{"request", "the request is not understood", refuses(400, `{"error":{"message":"the seventh parameter is odd","trace":"`+onlyInJSON+`"}}`), "The model's provider does not understand the request. The log says why."},
		{"half", "the key is refused half-way", func(w http.ResponseWriter, _ *http.Request) {
			stream(w, `Here it is. <action>{"type":"sendMessage","chat":"log","content":"never"}</action> <action>{"type":"sendMess`)
			io.WriteString(w, "data: "+badKey+"\n\n")
		}, "Here it is.\n\nThe model's provider does not accept the key. Check api_key."},
	}
	m.mu.Lock()
	for _, test := range tests {
		m.scripts[test.name] = []http.HandlerFunc{test.step}
	}
	m.mu.Unlock()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := v.in(t)
			id := v.say(test.room, test.name)
			v.isAnswered(test.room, id, test.want)
			if n := len(m.triesAt(test.name)); n != 1 {
				t.Errorf("the model was asked %d times what it will never answer", n)
			}
			next := v.say(test.room, "and now in "+test.room)
			v.isAnswered(test.room, next, "Answer to and now in "+test.room)
			for where, text := range map[string]string{
				"the event stream": v.events(test.room, 2), "the turns API": v.settle(id), "the operator's log": v.output.String(),
			} {
				for _, secret := range []string{configuredKey, anotherKey, onlyInJSON, `{"error"`, `{\"error`} {
					if strings.Contains(text, secret) {
						t.Errorf("%q is in %s:\n%s", secret, where, text)
					}
				}
			}
			events := v.events(test.room, 2)
			if strings.Contains(events, "sendMess") || strings.Contains(events, "\\u003cact") {
				t.Errorf("something raw was on the event stream:\n%s", events)
			}
		})
	}
	if said := v.output.String(); !strings.Contains(said, "the seventh parameter is odd") {
		t.Errorf("the answer refers to the log, which does not say why:\n%s", said)
	}
	if got := v.entries("log"); len(got) != 0 {
		t.Errorf("a reply that broke off has acted: %+v", got)
	}
}

// The tries take eight to sixteen seconds: that is how long a person waits before
// being told.
func TestAModelThatCannotBeReachedIsAnsweredSo(t *testing.T) {
	t.Parallel()
	v := newVictim(t, "sqlite", "http://"+freeAddress(t))
	v.start()
	id := v.say("lobby", "Anybody there?")
	v.isAnswered("lobby", id, "The model cannot be reached: nothing answers at its address. Is the server running?")
}

func TestStopEndsTheRunningTurnAtOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		step   func(v *victim, began chan<- struct{}) http.HandlerFunc
		begins string // the answer to what is stopped
	}{
		{"while the model is silent", func(_ *victim, began chan<- struct{}) http.HandlerFunc {
			return func(_ http.ResponseWriter, r *http.Request) {
				began <- struct{}{}
				<-r.Context().Done()
			}
		}, "Stopped."},
		{"half-way through a reply", func(v *victim, began chan<- struct{}) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && !v.shows("lobby", "Well"); time.Sleep(20 * time.Millisecond) {
					stream(w, "Well ")
				}
				began <- struct{}{}
				<-r.Context().Done()
			}
		}, "Well"},
		{"while the model has asked to wait", func(_ *victim, began chan<- struct{}) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				refuses(429, `{}`, "Retry-After", "60")(w, r)
				began <- struct{}{}
			}
		}, "Stopped."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			began := make(chan struct{}, 1)
			m := &faultyModel{scripts: map[string][]http.HandlerFunc{}}
			v := startFaulty(t, m)
			m.mu.Lock()
			m.scripts["slow"] = []http.HandlerFunc{test.step(v, began)}
			m.mu.Unlock()
			slow := v.say("lobby", "slow")
			select {
			case <-began:
			case <-time.After(30 * time.Second):
				t.Fatal("the model was not asked")
			}
			asked := time.Now()
			stop := v.say("lobby", "/stop")
			v.settle(slow)
			v.isAnswered("lobby", stop, "Stopped.")
			// Left alone it would have taken a minute or more.
			if took := time.Since(asked); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			got := v.answersTo("lobby", slow)
			if len(got) != 1 || !strings.HasPrefix(got[0], test.begins) || !strings.HasSuffix(got[0], "Stopped.") {
				t.Errorf("the answers to what was stopped are %q", got)
			}
			v.isAnswered("lobby", v.say("lobby", "and now"), "Answer to and now")
		})
	}
}
