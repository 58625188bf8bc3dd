package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// A logLine is a line of the log in JSON, with what these tests look at.
type logLine struct {
	Level, Msg, Session string
	Turn                int64
}

func TestTheLogSaysWhichTurnItIsAboutAndNothingPrivate(t *testing.T) {
	t.Parallel()
	const asked, reply = "what only Ada knows", "what only Ada may read"
	v := newFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{
		asked:   {says(reply + ` <actions><react emoji="eyes"/></actions>`)},
		"break": {refuses(http.StatusBadRequest, "do not say "+configuredKey)},
	}})
	v.flags = []string{"--log-format", "json", "--log-level", "debug"}
	v.start()
	v.settle(v.say("lobby", asked))
	v.settle(v.say("lobby", "break"))
	v.kill(syscall.SIGTERM)

	said := map[string]int{}
	for text := range strings.Lines(v.output.String()) {
		var line logLine
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		said[line.Msg]++
		switch line.Msg {
		case "stage ended", "action ended", "turn settled", "request ended", "no reply":
			if line.Turn == 0 || line.Session != "web/lobby" {
				t.Errorf("this does not say which turn it is about: %s", text)
			}
		}
		private := line.Level != "DEBUG" && (strings.Contains(text, asked) || strings.Contains(text, reply))
		if private || strings.Contains(text, configuredKey) {
			t.Errorf("this is nobody's business: %s", text)
		}
	}
	// Seven stages: the turn without a reply has no actions.
	for message, times := range map[string]int{"stage ended": 7, "action ended": 1, "turn settled": 2, "request ended": 2, "no reply": 1} {
		if said[message] != times {
			t.Errorf("%q is there %d times, want %d:\n%s", message, said[message], times, v.output.String())
		}
	}
}
