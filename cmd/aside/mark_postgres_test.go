package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"
)

// markOf is the mark of a message on the page, as the API tells it.
func (v *victim) markOf(room, message string) string {
	v.t.Helper()
	var page struct {
		Messages []struct{ ID, Mark string }
	}
	if err := json.Unmarshal([]byte(v.get("/api/v1/rooms/"+room+"/messages")), &page); err != nil {
		v.t.Fatal(err)
	}
	for _, m := range page.Messages {
		if m.ID == message {
			return m.Mark
		}
	}
	v.t.Fatalf("there is no message %s", message)
	return ""
}

// marked waits until a message has a mark.
func (v *victim) marked(room, message, want string, within time.Duration) {
	v.t.Helper()
	got := ""
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if got = v.markOf(room, message); got == want {
			return
		}
	}
	v.t.Fatalf("the mark of %s is %q, want %q\n%s", message, got, want, v.output.String())
}

// 👀 stood for seven hours on messages while the worker was dead. Of two processes on one
// PostgreSQL one is killed; the other has no room for its session, says so, and mends it
// when it has.
func TestAMessageOfADeadProcessIsNotLeftWithItsEyesOpen(t *testing.T) {
	t.Parallel()
	began, onward := make(chan string, 10), make(chan struct{})
	slow := func(w http.ResponseWriter, r *http.Request) {
		began <- "slow"
		select {
		case <-onward:
			stream(w, "Done.")
			finish(w)
		case <-r.Context().Done():
		}
	}
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"dies": {slow, slow}, "busy": {slow}}}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	database := postgres.Server(t).Database(t)
	here, there := newVictim(t, database, server.URL), newVictim(t, database, server.URL)
	text, err := os.ReadFile(there.config)
	if err == nil {
		err = os.WriteFile(there.config, append(text, "sessions: {parallel: 1}\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	here.start()
	message := here.say("lobby", "dies")
	<-began
	behind := here.say("lobby", "hello")
	there.start()
	busy := there.say("other", "busy")
	<-began
	there.marked("lobby", message, "received", 30*time.Second)
	here.kill(syscall.SIGKILL)
	there.marked("lobby", message, "stalled", 90*time.Second)
	there.marked("lobby", behind, "stalled", 30*time.Second)
	close(onward)
	for _, done := range []string{message, behind} {
		there.marked("lobby", done, "complete", 60*time.Second)
	}
	there.marked("other", busy, "complete", 30*time.Second)
}
