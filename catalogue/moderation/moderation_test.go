package moderation

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A server writes down what is done to people.
type server struct {
	*venuetest.Server
	calls []string
	fail  error
}

func newServer() *server {
	return &server{Server: &venuetest.Server{
		Bare:   "discord",
		People: []platform.Person{{ID: "ada", Name: "Ada"}, {ID: "bob", Name: "Bob"}, {ID: "eve", Name: "Eve"}},
		Ranks:  map[string]int{"ada": 5, "bob": 1, "eve": 5},
	}}
}

func (s *server) did(format string, a ...any) error {
	s.calls = append(s.calls, fmt.Sprintf(format, a...))
	return s.fail
}

func (s *server) Timeout(_ context.Context, near platform.Room, person string, silent time.Duration, reason string) error {
	return s.did("timeout %s near %s for %s: %q", person, near.ID, silent, reason)
}

func (s *server) Kick(_ context.Context, near platform.Room, person, reason string) error {
	return s.did("kick %s near %s: %q", person, near.ID, reason)
}

func (s *server) Ban(_ context.Context, near platform.Room, person, reason string, days int) error {
	return s.did("ban %s near %s, %d days: %q", person, near.ID, days, reason)
}

// run asks for an action on behalf of Ada.
func run(t *testing.T, p platform.Platform, name, args string) action.Outcome {
	t.Helper()
	return venuetest.Run(t, Specs(venuetest.Platforms{p.Name(): p}), action.Call{Platform: p.Name(), Room: "10", Person: "ada", Name: "Ada"}, name, args)
}

func TestActionsOfTheCategory(t *testing.T) {
	venuetest.Specs(t, "moderation", Specs(venuetest.Platforms{}), map[string]string{
		"timeout": "destructive repeatable server: time out members",
		"kick":    "destructive server: kick members",
		"ban":     "destructive server: ban members",
	})
}

func TestWhatIsDone(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary, call string }{
		{"a person is silenced for five minutes", "timeout", `{"userId":"<@bob>"}`, "timed Bob out for 5 minutes", `timeout bob near 10 for 5m0s: ""`},
		{"a person is silenced for as long as can be", "timeout", `{"userId":"@Bob","durationMinutes":"40320","reason":"spam"}`, "timed Bob out for 40320 minutes", `timeout bob near 10 for 672h0m0s: "spam"`},
		{"a person is silenced for a minute", "timeout", `{"user":"bob","minutes":1}`, "timed Bob out for 1 minute", `timeout bob near 10 for 1m0s: ""`},
		{"a person is kicked", "kick", `{"userId":"bob","reason":"spam"}`, "kicked Bob", `kick bob near 10: "spam"`},
		{"a person is banned", "ban", `{"userId":"bob"}`, "banned Bob", `ban bob near 10, 0 days: ""`},
		{"a person is banned with their messages", "ban", `{"userId":"bob","deleteMessageDays":7,"reason":"spam"}`, "banned Bob and deleted their messages of the last 7 days", `ban bob near 10, 7 days: "spam"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if out := run(t, s, test.action, test.args); !out.OK || out.Summary != test.summary {
				t.Errorf("%+v", out)
			}
			if got := strings.Join(s.calls, "\n"); got != test.call {
				t.Errorf("asked was %s", got)
			}
		})
	}
}

func TestWhatIsWrong(t *testing.T) {
	long := strings.Repeat("x", 513)
	for _, test := range []struct{ name, action, args, summary string }{
		{"nobody to silence", "timeout", `{}`, "timeout: userId is missing"},
		{"too short", "timeout", `{"userId":"bob","durationMinutes":0}`, "timeout: durationMinutes needs 1 to 40320, got 0"},
		{"too long", "timeout", `{"userId":"bob","durationMinutes":40321}`, "timeout: durationMinutes needs 1 to 40320, got 40321"},
		{"a reason that is too long", "timeout", `{"userId":"bob","reason":"` + long + `"}`, "timeout: reason needs at most 512 characters, got 513"},
		{"somebody there is not", "timeout", `{"userId":"zoe"}`, "there is nobody called zoe"},
		{"nobody to kick", "kick", `{"reason":"spam"}`, "kick: userId is missing"},
		{"a reason to kick that is too long", "kick", `{"userId":"bob","reason":"` + long + `"}`, "kick: reason needs at most 512 characters, got 513"},
		{"somebody to kick there is not", "kick", `{"userId":"zoe"}`, "there is nobody called zoe"},
		{"nobody to ban", "ban", `{}`, "ban: userId is missing"},
		{"fewer days than none", "ban", `{"userId":"bob","deleteMessageDays":-1}`, "ban: deleteMessageDays needs 0 to 7, got -1"},
		{"too many days", "ban", `{"userId":"bob","deleteMessageDays":8}`, "ban: deleteMessageDays needs 0 to 7, got 8"},
		{"a reason to ban that is too long", "ban", `{"userId":"bob","reason":"` + long + `"}`, "ban: reason needs at most 512 characters, got 513"},
		{"somebody to ban there is not", "ban", `{"userId":"zoe"}`, "there is nobody called zoe"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if out := run(t, s, test.action, test.args); out.OK || out.Refused || out.Summary != test.summary || len(s.calls) > 0 {
				t.Errorf("%+v, asked was %q", out, s.calls)
			}
		})
	}
}

func TestNothingIsDoneToWhomThePersonDoesNotStandAbove(t *testing.T) {
	for _, name := range []string{"timeout", "kick", "ban"} {
		for _, test := range []struct {
			name, args string
			lost       error
			summary    string
		}{
			{"somebody equal", `{"userId":"eve"}`, nil, "you do not stand above Eve"},
			{"oneself", `{"userId":"ada"}`, nil, "you do not stand above Ada"},
			{"nobody knows", `{"userId":"bob"}`, platform.Refuse("Ada has left"), "nobody knows whether you stand above Bob: Ada has left"},
		} {
			t.Run(name+" "+test.name, func(t *testing.T) {
				s := newServer()
				s.Lost = test.lost
				if out := run(t, s, name, test.args); !out.Refused || out.Summary != test.summary || len(s.calls) > 0 {
					t.Errorf("%+v, asked was %q", out, s.calls)
				}
			})
		}
	}
}

// A lawless platform finds people and does not know who stands above whom.
type lawless struct {
	venuetest.Bare
	platform.Finder
	platform.Moderator
}

func TestNothingIsDoneWhereNobodyKnowsRanks(t *testing.T) {
	s := newServer()
	out := run(t, lawless{"discord", s, s}, "kick", `{"userId":"bob"}`)
	if !out.Refused || out.Summary != "discord cannot tell who stands above whom" || len(s.calls) > 0 {
		t.Errorf("%+v, asked was %q", out, s.calls)
	}
}

func TestWhatThePlatformSaysIsPassedOn(t *testing.T) {
	for name, summary := range map[string]string{"timeout": "could not time Bob out: Bob owns the server", "kick": "could not kick Bob: Bob owns the server", "ban": "could not ban Bob: Bob owns the server"} {
		s := newServer()
		s.fail = platform.Refuse("Bob owns the server")
		if out := run(t, s, name, `{"userId":"bob"}`); out.OK || out.Refused || out.Summary != summary {
			t.Errorf("%+v", out)
		}
	}
}

func TestAPlatformThatCannotModerate(t *testing.T) {
	for name, summary := range map[string]string{"timeout": "signal cannot time people out", "kick": "signal cannot kick people", "ban": "signal cannot ban people"} {
		if out := run(t, venuetest.Bare("signal"), name, `{"userId":"bob"}`); out.OK || out.Summary != summary {
			t.Errorf("%+v", out)
		}
	}
}
