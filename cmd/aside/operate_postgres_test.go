package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// PostgreSQL is asked directly, beside the Aside that works on it.
func TestOperatingAsideOnPostgreSQL(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&faultyModel{scripts: map[string][]http.HandlerFunc{"act": {says(actingReply)}}})
	t.Cleanup(server.Close)
	v := newVictim(t, postgres.Server(t).Database(t), server.URL)
	isRefused(t, "there is no data in the database yet; aside run makes it", "turns", "list", "--config", v.config)
	v.start()
	v.settle(v.say("lobby", "act"))
	mentions(t, succeeds(t, "turns", "list", "--config", v.config), "web/lobby", "2 done, 3 failed")
	mentions(t, succeeds(t, "replay", "1", "--config", v.config), "✓ it comes to the same as it did then")
	mentions(t, succeeds(t, "dead", "drop", "turn-1-action-2", "--config", v.config), "turn-1-action-2 is dropped")
	if out := succeeds(t, "dead", "list", "--config", v.config); strings.Contains(out, "turn-1-action-2") || !strings.Contains(out, "turn-1-action-3") {
		t.Errorf("the dead letters are\n%s", out)
	}
	mentions(t, succeeds(t, "doctor", "--config", v.config, "--offline"), "✓ store: PostgreSQL answers; its schema is ", "✓ clock: it agrees with PostgreSQL's")
	isRefused(t, "pg_dump --format=custom", "backup", "b.dump", "--config", v.config)
}
