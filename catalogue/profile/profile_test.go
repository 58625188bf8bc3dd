package profile

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A stage writes down how the agent wants to appear.
type stage struct {
	venuetest.Bare
	calls []string
	fail  error
}

func (s *stage) did(format string, a ...any) error {
	s.calls = append(s.calls, fmt.Sprintf(format, a...))
	return s.fail
}

func (s *stage) SetStatus(_ context.Context, status string) error { return s.did("status %s", status) }

func (s *stage) SetActivity(_ context.Context, kind, name string) error {
	return s.did("activity %s %q", kind, name)
}

func (s *stage) SetNickname(_ context.Context, near platform.Room, name string) error {
	return s.did("nickname %q near %s", name, near.ID)
}

func run(t *testing.T, p platform.Platform, name, args string) action.Outcome {
	t.Helper()
	return venuetest.Run(t, Specs(venuetest.Platforms{p.Name(): p}), action.Call{Platform: p.Name(), Room: "10", Person: "ada"}, name, args)
}

func TestActionsOfTheCategory(t *testing.T) {
	venuetest.Specs(t, "profile", Specs(venuetest.Platforms{}), map[string]string{
		"botSetStatus":   "repeatable: manage the server",
		"botSetActivity": "repeatable: manage the server",
		"botSetNickname": "repeatable server: manage nicknames",
	})
}

func TestWhatIsDone(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary, call string }{
		{"a status", "botSetStatus", `{"status":"DND"}`, "set the status to dnd", "status dnd"},
		{"an activity", "botSetActivity", `{"name":"chess"}`, "set the activity to Playing chess", `activity Playing "chess"`},
		{"an activity of another kind", "botSetActivity", `{"name":"jazz","activityType":"listening"}`, "set the activity to Listening jazz", `activity Listening "jazz"`},
		{"an activity in one's own words", "botSetActivity", `{"name":"Reading mail","activityType":"Custom"}`, "set the activity to Reading mail", `activity Custom "Reading mail"`},
		{"a nickname", "botSetNickname", `{"nickname":"Librarian"}`, "set the nickname to Librarian", `nickname "Librarian" near 10`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &stage{Bare: "discord"}
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
	long := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ name, action, args, summary string }{
		{"no status", "botSetStatus", `{}`, "botSetStatus: status is missing"},
		{"a status there is not", "botSetStatus", `{"status":"away"}`, `botSetStatus: status is one of online, idle, dnd, invisible, got "away"`},
		{"no activity", "botSetActivity", `{"activityType":"Playing"}`, "botSetActivity: name is missing"},
		{"an activity that is too long", "botSetActivity", `{"name":"` + long(129) + `"}`, "botSetActivity: name needs 1 to 128 characters, got 129"},
		{"a kind of activity there is not", "botSetActivity", `{"name":"a","activityType":"Streaming"}`, `botSetActivity: activityType is one of Playing, Listening, Watching, Competing, Custom, got "Streaming"`},
		{"no nickname", "botSetNickname", `{}`, "botSetNickname: nickname is missing"},
		{"a nickname that is too long", "botSetNickname", `{"nickname":"` + long(33) + `"}`, "botSetNickname: nickname needs 1 to 32 characters, got 33"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &stage{Bare: "discord"}
			if out := run(t, s, test.action, test.args); out.OK || out.Summary != test.summary || len(s.calls) > 0 {
				t.Errorf("%+v, asked was %q", out, s.calls)
			}
		})
	}
}

func TestWhatThePlatformSaysAndWhatItCannot(t *testing.T) {
	for name, test := range map[string]struct{ args, says, cannot string }{
		"botSetStatus":   {`{"status":"idle"}`, "could not set the status to idle: too often", "signal cannot show a status"},
		"botSetActivity": {`{"name":"chess"}`, "could not set the activity to Playing chess: too often", "signal cannot show an activity"},
		"botSetNickname": {`{"nickname":"Ada"}`, "could not set the nickname to Ada: too often", "signal cannot have nicknames"},
	} {
		if out := run(t, &stage{Bare: "discord", fail: platform.Refuse("too often")}, name, test.args); out.OK || out.Summary != test.says {
			t.Errorf("%+v", out)
		}
		if out := run(t, venuetest.Bare("signal"), name, test.args); out.OK || out.Summary != test.cannot {
			t.Errorf("%+v", out)
		}
	}
}
