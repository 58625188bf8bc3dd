package forges

import (
	"context"
	"errors"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
)

// A smithy says what it was asked for.
type smithy struct {
	asked string
	fail  error
}

func (s *smithy) Create(_ context.Context, c action.Call, description, more string) (Forge, error) {
	s.asked = "create " + c.Key + " " + description + " " + more
	return Forge{Plan: "plan-001"}, s.fail
}

func (s *smithy) Resume(_ context.Context, c action.Call, plan string) (Forge, error) {
	s.asked = "resume " + c.Key + " " + plan
	return Forge{Plan: "plan-001"}, s.fail
}

func (s *smithy) Status(context.Context) (Forge, error) {
	s.asked = "status"
	return Forge{Plan: "plan-001", Text: "Forging plan-001: draft…"}, s.fail
}

func (s *smithy) Cancel(_ context.Context, c action.Call) (Forge, error) {
	s.asked = "cancel " + c.Key
	return Forge{Plan: "plan-001"}, s.fail
}

func TestEveryActionIsDescribed(t *testing.T) {
	venuetest.Specs(t, category, Specs(&smithy{}), map[string]string{
		"forgeCreate": "repeatable", "forgeResume": "repeatable", "forgeStatus": "query repeatable", "forgeCancel": "repeatable",
	})
}

func TestWhatActionsDo(t *testing.T) {
	for _, test := range []struct {
		name, action, args string
		fail               error
		asked, summary     string
	}{
		{"a plan is forged", "forgeCreate", `{"description":"Add a cache","context":"offline"}`, nil, "create k Add a cache offline", "began to forge plan-001; a post shows how far it is"},
		{"a context is not needed", "forgeCreate", `{"description":"Add a cache"}`, nil, "create k Add a cache ", "began to forge plan-001; a post shows how far it is"},
		{"a description is", "forgeCreate", `{"context":"offline"}`, nil, "", "forgeCreate: description is missing"},
		{"another one is running", "forgeCreate", `{"description":"x"}`, Mistake("forge of plan-003 is running"), "create k x ", "forge of plan-003 is running"},
		{"it goes on", "forgeResume", `{"plan":1}`, nil, "resume k 1", "goes on forging plan-001 with an audit; a post shows how far it is"},
		{"how far it is", "forgeStatus", `{}`, nil, "status", "Forging plan-001: draft…"},
		{"nothing was forged", "forgeStatus", `{}`, ErrNone, "status", "nothing was forged yet; forgeCreate begins"},
		{"it is cancelled", "forgeCancel", `{}`, nil, "cancel k", "cancelled the forge of plan-001; forgeResume goes on with it"},
		{"what is not for people", "forgeCancel", `{}`, errors.New("SQLITE_BUSY"), "cancel k", "the forge cannot be read or stored at the moment; try again later"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &smithy{fail: test.fail}
			out := venuetest.Run(t, Specs(s), action.Call{Key: "k"}, test.action, test.args)
			if s.asked != test.asked || out.Summary != test.summary || out.OK != (test.fail == nil && test.asked != "") {
				t.Errorf("asked %q, %+v", s.asked, out)
			}
		})
	}
}
