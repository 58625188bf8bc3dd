package plans

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A shelf has one plan in memory, and knows what was done with it.
type shelf struct {
	plan Plan
	did  []string
	err  error
}

func (s *shelf) do(what string) (Plan, error) {
	if s.err == nil {
		s.did = append(s.did, what)
	}
	return s.plan, s.err
}

func (s *shelf) Create(_ context.Context, by By, description, more string) (Plan, error) {
	return s.do("create " + by.Key + " " + by.Person.ID + " " + description + "|" + more)
}

func (s *shelf) List(_ context.Context, status string) ([]Plan, []string, error) {
	s.did = append(s.did, "list "+status)
	return []Plan{s.plan}, []string{"plan-002.md, line 1: there is no header"}, s.err
}

func (s *shelf) Show(_ context.Context, id string) (Plan, error) {
	if id != "1" && id != "plan-001" {
		return Plan{}, NoPlan
	}
	return s.plan, s.err
}

func (s *shelf) Approve(_ context.Context, _ By, id string) (Plan, error) {
	return s.do("approve " + id)
}

func (s *shelf) Close(_ context.Context, _ By, id string) (Plan, error) { return s.do("close " + id) }

func (s *shelf) Run(_ context.Context, by By, id string, o Options) (Plan, bool, error) {
	what := "run " + id
	if o.Quiet {
		what += " quiet"
	}
	if o.RollOn {
		what += " rolling on"
	}
	p, err := s.do(what)
	return p, by.Key != "", err
}

// A place is a platform without rights; a guarded one has them.
type (
	place   struct{ platform.Platform }
	guarded struct {
		platform.Platform
		platform.Warden
		keeper string
		asked  platform.Room
		err    error
	}
	world map[string]platform.Platform
)

func (place) Name() string    { return "free" }
func (*guarded) Name() string { return "guarded" }

func (g *guarded) May(_ context.Context, person string, right platform.Right, in platform.Room) (bool, error) {
	g.asked = in
	return person == g.keeper && right == platform.ManageRooms, g.err
}

func (w world) Platform(name string) (platform.Platform, bool) { p, ok := w[name]; return p, ok }

func newShelf() *shelf {
	return &shelf{plan: Plan{
		ID: "plan-001", Status: "DRAFT", Task: "ws-001", File: "data/plans/plan-001-x.md", In: platform.Room{Platform: "guarded", ID: "general"}, Maker: "ada",
		Phases: []Phase{{State: "done"}, {State: "running"}, {State: "pending"}},
	}}
}

func TestEveryActionIsDescribed(t *testing.T) {
	venuetest.Specs(t, category, Specs(world{}, newShelf()), map[string]string{
		"planCreate": "repeatable", "planList": "query repeatable", "planShow": "query repeatable",
		"planApprove": "repeatable", "planClose": "repeatable", "planRun": "repeatable",
	})
}

func TestWhatActionsDo(t *testing.T) {
	for _, c := range []struct {
		name, action, args string
		ok                 bool
		summary, did       string
	}{
		{"a new plan", "planCreate", `{"description":"Do it","context":"now"}`, true, "made plan-001 (task ws-001), a draft; planShow shows it", "create k ada Do it|now"},
		{"a new plan without a context", "planCreate", `{"description":"Do it"}`, true, "made plan-001 (task ws-001), a draft; planShow shows it", "create k ada Do it|"},
		{"a new plan about nothing", "planCreate", `{"description":""}`, false, "", ""},
		{"the list", "planList", `{}`, true, "1 plan", "list "},
		{"the list of a status", "planList", `{"status":"approved"}`, true, "1 plan", "list approved"},
		{"the list of all", "planList", `{"status":"all"}`, true, "1 plan", "list "},
		{"one", "planShow", `{"planId":"1"}`, true, "plan-001 is DRAFT", ""},
		{"one that is not there", "planShow", `{"planId":"9"}`, false, "there is no such plan; planList shows those there are", ""},
		{"a yes", "planApprove", `{"planId":"1"}`, true, "plan-001 is approved; planRun starts it", "approve plan-001"},
		{"a yes to one that is not there", "planApprove", `{"planId":"9"}`, false, "there is no such plan; planList shows those there are", ""},
		{"an end", "planClose", `{"plan":"1"}`, true, "plan-001 is closed", "close plan-001"},
		{"a run", "planRun", `{"planId":"1"}`, true, "started plan-001, which has 3 phases", "run plan-001"},
		{"a run with options", "planRun", `{"planId":1,"skipCompletionNotify":true,"continueOnFailure":"true"}`, true, "started plan-001, which has 3 phases", "run plan-001 quiet rolling on"},
		{"a run of nothing", "planRun", `{}`, false, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf()
			call := action.Call{Key: "k", Platform: "guarded", Room: "elsewhere", Person: "ada", Name: "Ada"}
			out := venuetest.Run(t, Specs(world{"guarded": &guarded{}}, s), call, c.action, c.args)
			if out.OK != c.ok || c.summary != "" && out.Summary != c.summary || strings.Join(s.did, ", ") != c.did {
				t.Errorf("%+v; done was %q", out, s.did)
			}
		})
	}
}

func TestWhyAPlanCannotBeChangedIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a person can do something about it": {Mistake("plan-001 is being implemented"), "plan-001 is being implemented"},
		"nobody can":                         {errors.New("disk on fire"), "planCreate: the plans cannot be read or written at the moment; try again"},
	} {
		s := newShelf()
		s.err = c.err
		out := venuetest.Run(t, Specs(world{}, s), action.Call{}, "planCreate", `{"description":"x"}`)
		if out.OK || out.Summary != c.want {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

func TestWhoMayDecideAboutAPlan(t *testing.T) {
	nobodys := func(p *Plan) { p.In, p.Maker = platform.Room{}, "" }
	for _, c := range []struct {
		name, platform, person string
		change                 func(*Plan)
		err                    error
		why                    string
	}{
		{"who made it", "guarded", "ada", nil, nil, ""},
		{"who looks after its room", "guarded", "grace", nil, nil, ""},
		{"not somebody else", "guarded", "eve", nil, nil, "plan-001 is not yours, and you may not manage channels where it was made"},
		{"not when nobody knows", "guarded", "eve", nil, errors.New("no"), "plan-001 is not yours, and nobody knows whether you may"},
		{"nobody of the same name elsewhere", "free", "ada", nil, nil, "plan-001 was made on guarded; decide about it there, or with aside plan"},
		{"whoever may talk where there are no rights", "free", "eve", func(p *Plan) { p.In = platform.Room{Platform: "free", ID: "x"} }, nil, ""},
		{"who looks after the room, for a file that is nobody's", "guarded", "grace", nobodys, nil, ""},
		{"not just anybody, for a file that is nobody's", "guarded", "", nobodys, nil, "plan-001 is not yours"},
	} {
		for _, name := range []string{"planApprove", "planClose", "planRun"} {
			t.Run(c.name+": "+name, func(t *testing.T) {
				s := newShelf()
				if c.change != nil {
					c.change(&s.plan)
				}
				warden := &guarded{keeper: "grace", err: c.err}
				call := action.Call{Platform: c.platform, Room: "here", Person: c.person}
				out := venuetest.Run(t, Specs(world{"guarded": warden, "free": place{}}, s), call, name, `{"planId":"1"}`)
				if out.OK != (c.why == "") || !strings.Contains(out.Summary, c.why) || out.Refused == out.OK || (len(s.did) == 1) != out.OK {
					t.Errorf("%+v; done was %q", out, s.did)
				}
				if want := s.plan.In.ID; c.person == "eve" && c.platform == "guarded" && warden.asked.ID != want {
					t.Errorf("asked was about %s, want %s", warden.asked, want)
				}
			})
		}
	}
}
