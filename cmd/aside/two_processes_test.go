package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Two processes on one PostgreSQL are one Aside, whichever of them a page talks to.
func TestAPageAtOneProcessFollowsAndStopsWhatRunsInTheOther(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 1)
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"slow": {func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	}}}}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	database := postgres.Server(t).Database(t)
	here, there := newVictim(t, database, server.URL), newVictim(t, database, server.URL)
	here.start()
	there.start()

	seen := make(chan string, 1)
	go func() {
		defer close(seen)
		seen <- there.events("lobby", 2)
	}()
	slow := here.say("lobby", "slow")
	select {
	case <-began:
	case <-time.After(30 * time.Second):
		t.Fatal("the model was not asked")
	}
	asked := time.Now()
	stop := there.say("lobby", "/stop")
	here.settle(slow)
	there.isAnswered("lobby", stop, "Stopped.")
	got := <-seen
	// The next keep-alive would have come after 15 seconds, the model never.
	if took := time.Since(asked); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	for _, text := range []string{`"text":"slow"`, `"text":"/stop"`, `"text":"Stopped."`} {
		if !strings.Contains(got, text) {
			t.Errorf("the page at the other process did not see %s:\n%s", text, got)
		}
	}
}

// A role that is given to another model in one process is given to it in all.
func TestAModelThatIsChosenAtOneProcessIsAskedByTheOther(t *testing.T) {
	here := prepareScene(t, "")
	database := postgres.Server(t).Database(t)
	here.configured("database: " + database + "\n")
	asked := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Model string }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, "not a request", http.StatusBadRequest)
			return
		}
		asked <- request.Model
		stream(w, "Hello.")
		finish(w)
	}))
	t.Cleanup(server.Close)
	there := newVictim(t, database, server.URL)
	here.begin()
	there.start()

	// What is told is heard a moment later, so the other process is asked until it has.
	questions := 0
	becomes := func(want string) {
		t.Helper()
		last := ""
		for deadline := time.Now().Add(30 * time.Second); last != want && time.Now().Before(deadline); {
			questions++
			there.settle(there.say("lobby", fmt.Sprint("question ", questions)))
			last = <-asked
		}
		if last != want {
			t.Errorf("the other process asks %s, not %s\n%s", last, want, there.output.String())
		}
	}
	becomes("test")
	general := here.discord.General
	here.says(general, here.ask(here.mod, general, "another", block(`{"type":"modelSet","role":"chat","model":"other"}`)), "Done: chat uses other until Aside is started again")
	becomes("other")
	here.says(general, here.ask(here.discord.Ada, general, "mine", block(`{"type":"modelReset"}`)), "Refused: you may not manage the server there")
	here.says(general, here.ask(here.mod, general, "back", block(`{"type":"modelReset"}`)), "Done: chat uses test again")
	becomes("test")
}
