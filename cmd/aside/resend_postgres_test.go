package main

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// On PostgreSQL the command works on the database and tells nobody: the running Aside
// has to find by itself that there is something to send.
func TestALetterThatIsSentAgainOnPostgreSQLIsDeliveredByTheRunningAside(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&faultyModel{})
	t.Cleanup(server.Close)
	database := postgres.Server(t).Database(t)
	v := newVictim(t, database, server.URL)
	v.start()
	v.settle(v.say("lobby", "hello"))

	s, err := store.Open(t.Context(), database, "", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	letter := store.Post{
		Key: "turn-1-post-7", Turn: 1, Room: platform.Room{Platform: "web", ID: "lobby"}, Text: "what was lost",
		State: store.Dead, Reason: "the room was closed", Created: time.Now(),
	}
	if err := s.AddPost(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	mentions(t, succeeds(t, "dead", "list", "--config", v.config), letter.Key, "the room was closed")
	mentions(t, succeeds(t, "dead", "resend", letter.Key, "--config", v.config), letter.Key+" is queued again, and is sent while Aside runs\n")
	v.events("lobby", 2) // the turn is settled once more when it is sent

	var texts []string
	for _, e := range v.entries("lobby") {
		texts = append(texts, e.Text)
	}
	if got := strings.Join(texts, ", "); got != "hello, Answer to hello, what was lost" {
		t.Errorf("in the room stand %s", got)
	}
	mentions(t, succeeds(t, "dead", "list", "--config", v.config), "there are no dead letters")
	mentions(t, succeeds(t, "turns", "show", "1", "--config", v.config), letter.Key+" in web/lobby: delivered after 1 try\n")
}
