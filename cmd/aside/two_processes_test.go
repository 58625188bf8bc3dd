package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store/pgtest"
)

// Two processes on one PostgreSQL are one Aside, whichever of them a page talks to.
func TestAPageAtOneProcessFollowsAndStopsWhatRunsInTheOther(t *testing.T) {
	began := make(chan struct{}, 1)
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"slow": {func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	}}}}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	database := pgtest.Start(t).Database(t)
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
