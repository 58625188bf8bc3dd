package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A notedRequest is what a model was asked.
type notedRequest struct {
	Messages []struct{ Role, Content string }
}

// A notingModel keeps what it was asked last.
type notingModel struct {
	mu   sync.Mutex
	last notedRequest
}

func (m *notingModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m.mu.Lock()
	m.last = notedRequest{}
	err = errors.Join(err, json.Unmarshal(body, &m.last))
	m.mu.Unlock()
	if err != nil {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	says("Noted. [REMEMBER:likes tea]")(w, r)
}

func (m *notingModel) asked() notedRequest {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

type promptObject struct {
	Room, Author, System string
	Messages             []struct {
		Role, Text string
		Images     []struct {
			Type string
			Size int
		}
	}
	Tokens, History, Budget int
	Fold                    bool
}

// What the command shows is what the model is asked then.
func TestThePromptIsWhatTheModelIsAsked(t *testing.T) {
	t.Parallel()
	m := new(notingModel)
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	v := newVictim(t, "sqlite", server.URL)
	persona := filepath.Join(t.TempDir(), "persona.md")
	if err := os.WriteFile(persona, []byte("You are a lighthouse.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(v.config)
	if err == nil {
		err = os.WriteFile(v.config, append(text, "persona: {file: "+persona+"}\nhistory: {tokens: 1000}\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(v.data); err != nil {
		t.Fatal(err)
	}
	isRefused(t, "there is no data in", "prompt", "--room", "web/lobby", "--config", v.config)
	v.start()
	v.settle(v.say("lobby", "first"))
	v.settle(v.upload("lobby", "file", "second", "notes.txt", "Some notes."))
	ask := []string{"prompt", "--room", "web/lobby", "--text", "third", "--config", v.config}

	var running, resting promptObject
	inJSON(t, &running, ask...)
	for _, args := range [][]string{{"--room", "lobby"}, {}, {"--room", "web/"}} {
		e := ran(t, append([]string{"prompt", "--config", v.config}, args...)...)
		if e.code != exitFailure || !oneLine(e.err) || !strings.Contains(e.err, "--room is platform/id, such as web/lobby") {
			t.Errorf("aside prompt %v: exit code %d, %q", args, e.code, e.err)
		}
	}
	shown := succeeds(t, ask...)
	mentions(t, shown, "The next prompt in web/lobby, for a message of you\n", " tokens, ", " of them history, which should be at most 1000; nothing is due to be folded\n",
		"\nSystem\n  You are a lighthouse.\n", "\nHistory\n  user:\n    first\n  assistant:\n    Noted.", "Some notes.", "\nMessage\n  third\n")
	if n := len(v.entries("lobby")); n != 4 {
		t.Errorf("%d entries stand in the room", n)
	}
	v.kill(syscall.SIGTERM)
	inJSON(t, &resting, ask...)
	if !reflect.DeepEqual(running, resting) {
		t.Errorf("while it runs it is\n%+v\nand when it does not\n%+v", running, resting)
	}
	v.start()
	v.settle(v.sayAs("lobby", "third", "you"))

	asked := m.asked()
	if len(asked.Messages) != 6 || asked.Messages[0].Role != "system" || asked.Messages[0].Content != running.System {
		t.Fatalf("the model was asked %+v, the prompt is %+v", asked.Messages, running)
	}
	for i, message := range asked.Messages[1:] {
		if p := running.Messages[i]; p.Role != message.Role || p.Text != message.Content {
			t.Errorf("message %d was %+v, in the prompt it is %+v", i, message, p)
		}
	}
	if running.Tokens <= running.History || running.History == 0 || running.Budget != 1000 || running.Fold || running.Room != "web/lobby" {
		t.Errorf("the prompt is %+v", running)
	}

	var empty promptObject
	inJSON(t, &empty, "prompt", "--room", "web/nowhere", "--config", v.config)
	if len(empty.Messages) != 1 || empty.History != 0 || !strings.HasPrefix(empty.System, "You are a lighthouse.") {
		t.Errorf("in an empty room it is %+v", empty)
	}
	mentions(t, succeeds(t, "prompt", "--room", "web/nowhere", "--config", v.config), "\nHistory\n  (none)\n\nMessage\n  (empty; --text says what it would be)\n")

	v.settle(v.sayAs("lobby", strings.Repeat("many words ", 600), "you"))
	inJSON(t, &running, ask...)
	if !running.Fold || running.History <= running.Budget {
		t.Errorf("with a long history there are %d of %d tokens, folding is due: %v", running.History, running.Budget, running.Fold)
	}
	mentions(t, succeeds(t, ask...), "its older part is due to be folded into the summary\n")
}

// sayAs writes a message as somebody and returns its id.
func (v *victim) sayAs(room, text, user string) string {
	v.t.Helper()
	message, _ := json.Marshal(map[string]string{"text": text, "user": user}) // cannot fail
	answer, err := http.Post(v.url+"/api/v1/rooms/"+room+"/messages", "application/json", bytes.NewReader(message))
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusAccepted {
		v.t.Fatalf("it was answered with %s %s, %v", answer.Status, said, err)
	}
	return idIn(v.t, string(said))
}
