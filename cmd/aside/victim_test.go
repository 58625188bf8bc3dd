package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store/storetest"
)

// A victim is the real program with a model server beside it.
type victim struct {
	t      *testing.T
	config string
	data   string
	url    string
	cmd    *exec.Cmd
	flags  []string // of the command, after its own
	env    []string // beside ours
	output *transcript
}

// A transcript is what a process has said so far.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *transcript) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func newVictim(t *testing.T, database, model string) *victim {
	t.Helper()
	dir := t.TempDir()
	v := &victim{t: t, config: filepath.Join(dir, "aside.yaml"), data: storetest.Dir(t), output: new(transcript)}
	v.configure(database, model, "none")
	return v
}

// in is the same victim for a subtest.
func (v *victim) in(t *testing.T) *victim {
	again := *v
	again.t = t
	return &again
}

// configure writes the configuration, with an address that is free. The model says what
// it says, so there is no use in asking it again with what came of that.
func (v *victim) configure(database, model, key string) {
	v.t.Helper()
	address := freeAddress(v.t)
	v.url = "http://" + address
	text := fmt.Sprintf("data: %s\ndatabase: %s\nlisten: %s\nmodels:\n  chat: {provider: openai, model: test, base_url: %s, api_key: %s}\nactions: {followup_depth: 0}\n",
		v.data, database, address, model, key)
	if err := os.WriteFile(v.config, []byte(text), 0o600); err != nil {
		v.t.Fatal(err)
	}
}

// freeAddress is one that nobody listens at. It is not one of those that the system gives to
// whoever asks for any: a server of another test could get it before the program does.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		free, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 15000+rand.IntN(15000)))
		if err != nil {
			continue
		}
		defer free.Close()
		return free.Addr().String()
	}
	t.Fatal("nothing is free")
	return ""
}

// start starts the program and waits until it is ready.
func (v *victim) start() {
	v.t.Helper()
	v.cmd = exec.Command("aside", append([]string{"run", "--config", v.config, "--log-level", "warn"}, v.flags...)...)
	v.cmd.Env = append(append(os.Environ(), noWaitAtExit), v.env...)
	v.cmd.Stderr = v.output
	if err := v.cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	cmd := v.cmd
	v.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait() // nothing is removed under its feet
	})
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); {
		if answer, err := http.Get(v.url + "/readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	v.t.Fatalf("it is not ready:\n%s", v.output.String())
}

// kill ends the program and waits until it is gone.
func (v *victim) kill(sig os.Signal) {
	v.t.Helper()
	if err := v.cmd.Process.Signal(sig); err != nil {
		v.t.Fatalf("it is gone already: %v\n%s", err, v.output.String())
	}
	err := v.cmd.Wait()
	if sig == syscall.SIGTERM && err != nil {
		v.t.Errorf("after SIGTERM it ended with %v\n%s", err, v.output.String())
	}
}

// write writes a message, again and again until it is accepted.
func (v *victim) write(room, text string) {
	body, _ := json.Marshal(map[string]string{"text": text, "user": "ada"})
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); {
		r, _ := http.NewRequest(http.MethodPost, v.url+"/api/v1/rooms/"+room+"/messages", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", text)
		answer, err := http.DefaultClient.Do(r)
		if err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if answer.StatusCode == http.StatusAccepted {
				return
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	v.t.Errorf("%s was never accepted", text)
}

// watch follows a room's events and looks for anything raw.
func (v *victim) watch(ctx context.Context, room string) {
	last := "0"
	for ctx.Err() == nil {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, v.url+"/api/v1/rooms/"+room+"/events", nil)
		r.Header.Set("Last-Event-ID", last)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			line := lines.Text()
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				last = id
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				v.look(data)
			}
		}
		answer.Body.Close()
	}
}

type tortureEntry struct {
	ID, Kind, Text string
	ReplyTo        string `json:"reply_to"`
	Reactions      []string
}

// entries are all entries of a room, page by page.
func (v *victim) entries(room string) []tortureEntry {
	v.t.Helper()
	var all []tortureEntry
	for after := ""; ; after = all[len(all)-1].ID {
		answer, err := http.Get(v.url + "/api/v1/rooms/" + room + "/messages?limit=1000&after=" + after)
		if err != nil {
			v.t.Fatal(err)
		}
		var page struct{ Messages []tortureEntry }
		err = json.NewDecoder(answer.Body).Decode(&page)
		answer.Body.Close()
		if err != nil {
			v.t.Fatal(err)
		}
		if len(page.Messages) == 0 {
			return all
		}
		all = append(all, page.Messages...)
	}
}

// stream is how a model sends a reply, or a part of one.
func stream(w http.ResponseWriter, reply string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for chunk := range slices.Chunk([]rune(reply), 7) {
		text, _ := json.Marshal(string(chunk))
		fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", text)
		w.(http.Flusher).Flush()
	}
}

// finish is how it says that the reply is complete.
func finish(w http.ResponseWriter) {
	io.WriteString(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// post writes a message once and returns what the API says to it.
func (v *victim) post(room, text, key string) (status int, body string) {
	v.t.Helper()
	message, _ := json.Marshal(map[string]string{"text": text, "user": "ada"})
	r, _ := http.NewRequest(http.MethodPost, v.url+"/api/v1/rooms/"+room+"/messages", bytes.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatalf("%v\n%s", err, v.output.String())
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer.StatusCode, string(said)
}

// say writes a message, which is accepted, and returns its id.
func (v *victim) say(room, text string) string {
	v.t.Helper()
	status, body := v.post(room, text, text)
	if status != http.StatusAccepted {
		v.t.Fatalf("%q was answered with %d %s", text, status, body)
	}
	return idIn(v.t, body)
}

// idIn is the id of a message that was accepted.
func idIn(t *testing.T, body string) string {
	t.Helper()
	var accepted struct{ ID string }
	if err := json.Unmarshal([]byte(body), &accepted); err != nil || accepted.ID == "" {
		t.Fatalf("accepted with %q", body)
	}
	return accepted.ID
}

// settle waits until the one turn of a message is settled, and returns what the API
// tells about it.
func (v *victim) settle(message string) string {
	v.t.Helper()
	said := ""
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		answer, err := http.Get(v.url + "/api/v1/turns?message=" + message)
		if err != nil {
			v.t.Fatalf("%v\n%s", err, v.output.String())
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		said = string(body)
		var page struct{ Turns []struct{ State string } }
		open := func(t struct{ State string }) bool { return t.State != "settled" }
		if err == nil && json.Unmarshal(body, &page) == nil && len(page.Turns) > 0 && !slices.ContainsFunc(page.Turns, open) {
			return said
		}
	}
	v.t.Fatalf("message %s is not settled: %s\n%s", message, said, v.output.String())
	return ""
}

// answersTo are the agent's posts that answer a message.
func (v *victim) answersTo(room, message string) []string {
	v.t.Helper()
	var all []string
	for _, e := range v.entries(room) {
		if e.Kind == "agent" && e.ReplyTo == message {
			all = append(all, e.Text)
		}
	}
	return all
}

// isAnswered waits for the answer to a message, which is the only one.
func (v *victim) isAnswered(room, message, want string) {
	v.t.Helper()
	v.settle(message)
	if got := v.answersTo(room, message); !slices.Equal(got, []string{want}) {
		v.t.Errorf("the answers in %s are %q, want only %q", room, got, want)
	}
}

// events are all that the event stream of a room has ever sent, up to the given
// number of settled messages.
func (v *victim) events(room string, settled int) string {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), 30*time.Second)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, v.url+"/api/v1/rooms/"+room+"/events?after=0", nil)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	var all strings.Builder
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for settled > 0 && lines.Scan() {
		all.WriteString(lines.Text() + "\n")
		if lines.Text() == "event: settled" {
			settled--
		}
	}
	if settled > 0 {
		v.t.Fatalf("the event stream of %s ended early: %v", room, lines.Err())
	}
	return all.String()
}

// get is the body of an answer of the API, for a message about what went wrong.
func (v *victim) get(path string) string {
	answer, err := http.Get(v.url + path)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}
