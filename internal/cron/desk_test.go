package cron

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/crons"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// An office is a desk on a server with the rooms general, staff and closed, where nobody
// may talk to the agent.
type office struct {
	*process
	*Desk
	server *venuetest.Server
	specs  []*action.Spec
	calls  int
}

func newOffice(t *testing.T) *office {
	t.Helper()
	p := newProcess(t)
	o := &office{process: p, server: &venuetest.Server{Bare: "discord", Denied: map[string]bool{}}}
	for _, name := range []string{"general", "staff", "closed"} {
		o.server.Places = append(o.server.Places, platform.RoomInfo{Room: platform.Room{Platform: "discord", ID: name}, Name: name, Kind: platform.TextRoom})
	}
	o.Desk = &Desk{
		Book: p.Book, Platforms: venuetest.Platforms{"discord": o.server, "signal": venuetest.Bare("signal")}, Timezone: "Europe/Berlin",
		Allowed: func(m platform.Message) bool { return m.Room.ID != "closed" },
		Other: func(name string) error {
			if name == "huge" {
				return fmt.Errorf("there is no huge")
			}
			return nil
		},
	}
	o.specs = crons.Specs(o.Desk, nil)
	sends := action.Define(action.Spec{Name: "sendMessage", Category: "messaging"}, func(context.Context, action.Call, struct{}) action.Outcome { return action.Done("sent") })
	o.Desk.Actions = func() []*action.Spec { return append(o.specs, sends) }
	return o
}

// do does what a person asks for, in general.
func (o *office) do(who, name, args string) action.Outcome {
	o.w.t.Helper()
	return o.in(action.Call{Platform: "discord", Room: "general", Person: who, Name: who}, name, args)
}

func (o *office) in(c action.Call, name, args string) action.Outcome {
	o.w.t.Helper()
	o.calls++
	c.Key = fmt.Sprint("call-", o.calls)
	return venuetest.Run(o.w.t, o.specs, c, name, args)
}

func (o *office) ok(out action.Outcome) string {
	o.w.t.Helper()
	if !out.OK {
		o.w.t.Fatalf("%+v", out)
	}
	return out.Summary + string(out.Data)
}

const hello = `{"name":"Hello","schedule":"0 9 * * 1-5","prompt":"Say hello."`

func TestTheOutcomeOfANewJobNamesItsNextRuns(t *testing.T) {
	o := newOffice(t)
	got := o.ok(o.do("ada", "cronCreate", hello+`}`))
	if want := `created cron-001, "Hello", in general; next runs: 2026-03-03 09:00 CET, 2026-03-04 09:00 CET, 2026-03-05 09:00 CET`; got != want {
		t.Errorf("%s\n%s", got, want)
	}
	got = o.ok(o.do("ada", "cronUpdate", `{"cronId":"1","schedule":"30 2 * * 0","timezone":"America/New_York"}`))
	if want := `changed cron-001, "Hello", in general; next runs: 2026-03-08 03:00 EDT, 2026-03-15 02:30 EDT, 2026-03-22 02:30 EDT`; got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

func TestEveryFieldOfAJobCanBeSetChangedAndTakenAway(t *testing.T) {
	o := newOffice(t)
	o.ok(o.do("ada", "cronCreate", `{"name":"First","schedule":"@daily","prompt":"x"}`))
	o.ok(o.do("ada", "cronCreate", `{"name":"Second","schedule":"@hourly","prompt":"p","channel":"staff","timezone":"Asia/Kolkata","model":"small",
		"tags":["a","b"],"routingMode":"json","allowedActions":["send_message"],"chain":["cron-001"],"silent":true}`))
	j, err := o.Desk.Job(t.Context(), "Second")
	if err != nil || j.Room.ID != "staff" || j.RoomName != "" && j.RoomName != "#staff" || j.Zone != "Asia/Kolkata" || j.Model != "small" || len(j.Tags) != 2 || j.Routing != "json" ||
		strings.Join(j.Allowed, " ") != "sendMessage" || len(j.Chain) != 1 || !j.Silent || j.Person.ID != "ada" {
		t.Errorf("%+v, %v", j, err)
	}
	o.ok(o.do("ada", "cronUpdate", `{"cronId":"second","routingMode":"","allowedActions":"","chain":"","tags":"","model":"","silent":false,"state":{"n":1},"name":"Third","prompt":"q","channel":"general"}`))
	if j, err = o.Desk.Job(t.Context(), "002"); err != nil || j.Routing != "" || j.Allowed != nil || len(j.Chain) > 0 || len(j.Tags) > 0 || j.Model != "" || j.Silent || j.State != `{"n":1}` ||
		j.Name != "Third" || j.Prompt != "q" || j.Room.ID != "general" || j.Schedule != "@hourly" {
		t.Errorf("%+v, %v", j, err)
	}
}

func TestWhatCannotBeAJobIsRefusedWithWhatWouldBeRight(t *testing.T) {
	o := newOffice(t)
	o.ok(o.do("ada", "cronCreate", hello+`}`))
	for _, c := range []struct{ name, args, why string }{
		{"words", `{"name":"x","schedule":"every weekday at 9","prompt":"p"}`, "five fields"},
		{"a zone", hello + `,"timezone":"Europe/Berln"}`, "did you mean Europe/Berlin?"},
		{"an action", hello + `,"allowedActions":["sendMesage"]}`, "did you mean sendMessage?"},
		{"an action that no run may use", hello + `,"allowedActions":["cronCreate"]}`, "a cron cannot use the category crons"},
		{"a job that follows", hello + `,"chain":["cron-009"]}`, "there is no job cron-009"},
		{"a room", hello + `,"channel":"attic"}`, "there is no channel attic"},
		{"a room that is closed", hello + `,"channel":"closed"}`, "not to be talked to"},
		{"a model", hello + `,"model":"huge"}`, "there is no huge"},
		{"a model that is an option", hello + `,"model":"--yes"}`, "no name of a model"},
		{"a way of replying", hello + `,"routingMode":"xml"}`, "routingMode is one of json"},
	} {
		if out := o.do("ada", "cronCreate", c.args); out.OK || !strings.Contains(out.Summary, c.why) {
			t.Errorf("%s: %+v", c.name, out)
		}
	}
	for _, c := range []struct{ name, args, why string }{
		{"a state that is none", `{"cronId":"cron-001","state":"[1]"}`, "is a JSON object"},
		{"a state that is too large", `{"cronId":"cron-001","state":{"x":"` + strings.Repeat("y", MostState) + `"}}`, "at most 16384"},
		{"a circle", `{"cronId":"cron-001","chain":["cron-001"]}`, "for ever"},
		{"a job that is none", `{"cronId":"cron-007"}`, "there is no job cron-007"},
	} {
		if out := o.do("ada", "cronUpdate", c.args); out.OK || !strings.Contains(out.Summary, c.why) {
			t.Errorf("%s: %+v", c.name, out)
		}
	}
	if all, err := o.Desk.Jobs(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("there are %d jobs, %v", len(all), err)
	}
}

func TestWhoMayDoWhatWithAJob(t *testing.T) {
	changes := map[string]string{
		"cronUpdate": `{"cronId":"cron-001","prompt":"q"}`, "cronPause": `{"cronId":"cron-001"}`, "cronResume": `{"cronId":"cron-001"}`,
		"cronTrigger": `{"cronId":"cron-001"}`, "cronDelete": `{"cronId":"cron-001"}`,
		"cronCreate": hello + `,"chain":["cron-001"]}`,
	}
	for _, c := range []struct {
		name, who string
		with      func(*office)
		call      action.Call
		why       string
	}{
		{name: "whose job it is", who: "ada", with: func(o *office) { o.server.Denied["manage channels in staff"] = true }},
		{name: "who manages its room", who: "bob"},
		{name: "who does not", who: "bob", with: func(o *office) { o.server.Denied["manage channels in staff"] = true }, why: "cron-001 is not yours: you may not manage channels in staff"},
		{name: "who cannot see its room", who: "bob", with: func(o *office) { o.server.Denied["see the room in staff"] = true }, why: "there is no job cron-001"},
		{name: "nobody knows", who: "bob", with: func(o *office) { o.server.Lost = platform.Refuse("Bob is gone") }, why: "there is no job cron-001"},
		{name: "who asks on another platform", who: "ada", call: action.Call{Platform: "signal", Room: "x"}, why: "there is no job cron-001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, args := range changes {
				o := newOffice(t)
				o.ok(o.do("ada", "cronCreate", hello+`,"channel":"staff"}`))
				if c.with != nil {
					c.with(o)
				}
				call := c.call
				if call.Platform == "" {
					call = action.Call{Platform: "discord", Room: "general"}
				}
				call.Person = c.who
				out := o.in(call, name, args)
				if out.OK != (c.why == "") || !out.OK && !strings.Contains(out.Summary, c.why) {
					t.Errorf("%s: %+v", name, out)
				}
				list := o.ok(o.in(call, "cronList", `{}`))
				sees := c.why == "" && name != "cronDelete" || strings.Contains(c.why, "not yours")
				if strings.Contains(list, "cron-001") != sees {
					t.Errorf("after %s the list is %s", name, list)
				}
			}
		})
	}
}

func TestWhoChangesAJobHasItRunWithTheirRights(t *testing.T) {
	o := newOffice(t)
	o.ok(o.do("ada", "cronCreate", hello+`}`))
	o.ok(o.do("bob", "cronPause", `{"cronId":"1"}`))
	if j, err := o.Desk.Job(t.Context(), "1"); err != nil || j.Person.ID != "ada" || !j.Paused {
		t.Errorf("%+v, %v", j, err)
	}
	o.ok(o.do("bob", "cronUpdate", `{"cronId":"1","prompt":"Do what Bob wants."}`))
	if j, err := o.Desk.Job(t.Context(), "1"); err != nil || j.Person.ID != "bob" {
		t.Errorf("%+v, %v", j, err)
	}
}

func TestACallThatIsRepeatedAfterACrashHasDoneWhatItDid(t *testing.T) {
	o := newOffice(t)
	c := action.Call{Platform: "discord", Room: "general", Person: "ada", Key: "k"}
	for _, step := range []struct{ name, args string }{{"cronCreate", hello + "}"}, {"cronTrigger", `{"cronId":"cron-001"}`}, {"cronDelete", `{"cronId":"cron-001"}`}} {
		first := o.ok(venuetest.Run(t, o.specs, c, step.name, step.args))
		o.w.quiet(o.process)
		again := o.ok(venuetest.Run(t, o.specs, c, step.name, step.args))
		if step.name == "cronCreate" && again != first {
			t.Errorf("%s: %q, and then %q", step.name, first, again)
		}
	}
	o.expect(store.CronJob{Number: 1}, "12:00 done by trigger")
}

func TestAJobInADirectChatIsItsPersonsAlone(t *testing.T) {
	o := newOffice(t)
	o.ok(o.in(action.Call{Platform: "discord", Room: "dm", Person: "ada", Direct: true}, "cronCreate", hello+`}`))
	if list := o.ok(o.do("bob", "cronList", `{}`)); strings.Contains(list, "cron-001") {
		t.Error(list)
	}
	if show := o.ok(o.do("ada", "cronShow", `{"cronId":"cron-001"}`)); !strings.Contains(show, "Say hello.") {
		t.Error(show)
	}
}

func TestTheStateOfAJobIsThatOfItsRun(t *testing.T) {
	o := newOffice(t)
	o.ok(o.do("ada", "cronCreate", `{"name":"x","schedule":"0 * * * *","prompt":"p"}`))
	outcomes := map[string]string{}
	o.process.step = func(_ context.Context, turn *store.Turn) error {
		for name, args := range map[string]string{"large": `{"x":"` + strings.Repeat("y", MostState) + `"}`, "fine": `{"n":12345678901234567890}`} {
			out := o.in(action.Call{Turn: turn.ID, Flow: action.OnCron}, "cronState", args)
			outcomes[name] = out.Summary
		}
		return nil
	}
	o.at(time.Hour)
	j, err := o.Desk.Job(t.Context(), "1")
	if err != nil || j.State != `{"n":12345678901234567890}` || !strings.Contains(outcomes["large"], "the old one was kept") {
		t.Errorf("%+v, %v, %v", j, err, outcomes)
	}
	if out := o.do("ada", "cronState", `{"n":2}`); out.OK {
		t.Errorf("outside a run: %+v", out)
	}
}

func TestTheStateIsForRunsOnly(t *testing.T) {
	policy := action.Policy{Enabled: true}
	for _, spec := range crons.Specs(nil, nil) {
		for _, flow := range []action.Flow{action.OnMessage, action.OnReaction, action.OnDeferral, action.OnLoop, action.OnPlan, action.OnSpawn, action.OnCron} {
			want := (spec.Name == "cronState") == (flow == action.OnCron)
			if flow == action.OnLoop && !spec.Query || spec.Destructive && flow != action.OnMessage && flow != action.OnReaction {
				want = false
			}
			if got := policy.Offers(action.Situation{Flow: flow}, spec); got != want {
				t.Errorf("%s in a %s: %v", spec.Name, flow, got)
			}
		}
	}
}

// saying is a model that says something.
type saying string

func (s saying) Stream(context.Context, model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) { yield(model.Delta{Text: string(s)}, nil) }
}

func TestAScheduleInPlainWordsIsMadeOfFields(t *testing.T) {
	for _, c := range []struct{ name, says, want, why string }{
		{"it is understood", `{"schedule":"0 9 * * 1-5"}`, "0 9 * * 1-5", ""},
		{"it is not", `{"schedule":""}`, "", "five fields"},
		{"the model says something else", `Sure! {"schedule":"0 9 * * 1-5"}`, "", "five fields"},
		{"the model says more", `{"schedule":"0 9 * * 1-5"} Enjoy!`, "", "five fields"},
		{"the model is wrong", `{"schedule":"0 25 * * *"}`, "", "five fields"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t)
			o.Words = saying(c.says)
			out := o.do("ada", "cronCreate", `{"name":"x","schedule":"every weekday at 9","prompt":"p"}`)
			if out.OK != (c.want != "") || !strings.Contains(out.Summary, c.why) {
				t.Fatalf("%+v", out)
			}
			if c.want != "" {
				if j, err := o.Desk.Job(t.Context(), "1"); err != nil || j.Schedule != c.want {
					t.Errorf("%+v, %v", j, err)
				}
			}
		})
	}
}

func TestTheActionsOfTheCategory(t *testing.T) {
	venuetest.Specs(t, "crons", crons.Specs(nil, nil), map[string]string{
		"cronCreate": "repeatable: write messages", "cronUpdate": "repeatable: write messages", "cronList": "query repeatable", "cronShow": "query repeatable",
		"cronPause": "repeatable", "cronResume": "repeatable", "cronDelete": "destructive repeatable", "cronTrigger": "repeatable",
		"cronSync": "repeatable", "cronTagMapReload": "repeatable", "cronState": "repeatable",
	})
	if out := venuetest.Run(t, crons.Specs(nil, nil), action.Call{}, "cronSync", `{}`); out.OK || out.Summary != "no forum is configured for jobs" {
		t.Errorf("%+v", out)
	}
}

func TestWhatIsShownOfAJob(t *testing.T) {
	o := newOffice(t)
	o.ok(o.do("ada", "cronCreate", `{"name":"x","schedule":"0 * * * *","prompt":"p"}`))
	o.at(time.Hour)
	o.ok(o.do("ada", "cronTrigger", `{"cronId":"1"}`))
	o.w.quiet(o.process)
	out := o.do("ada", "cronShow", `{"cronId":"1"}`)
	var job crons.Job
	if err := json.Unmarshal(out.Data, &job); err != nil || len(job.Runs) != 2 || job.Runs[0].By != "trigger" || job.Runs[1].Due != "2026-03-02 14:00 CET" || job.Last != "done" {
		t.Errorf("%s, %v", out.Data, err)
	}
}
