package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/operator"
)

// job is a job as the API tells of it.
func (s *scene) job(id string) operator.Cron {
	s.t.Helper()
	var c operator.Cron
	if body := s.get("/api/v1/crons/" + id); json.Unmarshal([]byte(body), &c) != nil || c.ID != id {
		s.t.Fatalf("%s is %s\n%s", id, body, s.output.String())
	}
	return c
}

// runJob has a job run now, with these replies, and waits until it has ended.
func (s *scene) runJob(id string, replies ...string) operator.CronRun {
	s.t.Helper()
	if len(replies) > 0 {
		s.model.replies(replies...)
	}
	before := len(s.job(id).Runs)
	answer, err := http.Post(s.url+"/api/v1/crons/"+id+"/run", "", nil)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatalf("%s does not run: %v %+v", id, err, answer)
	}
	answer.Body.Close()
	return s.jobEnded(id, before+1)
}

// jobEnded waits until a job has had so many runs, and all have ended.
func (s *scene) jobEnded(id string, runs int) operator.CronRun {
	s.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(25 * time.Millisecond) {
		all := s.job(id).Runs
		if len(all) >= min(runs, 10) && !slices.ContainsFunc(all, func(r operator.CronRun) bool { return r.Ended == nil }) {
			return all[0]
		}
	}
	s.t.Fatalf("%s has not ended: %+v\n%s", id, s.job(id).Runs, s.output.String())
	return operator.CronRun{}
}

const makeJob = `Right away. <action>{"type":"cronCreate","name":"Report","schedule":"0 9 * * 1-5","timezone":"America/New_York","prompt":"Report to {{channel}}. So far: {{state}}"%s}</action>`

func TestCronAJobIsMadeByAReplyAndRuns(t *testing.T) {
	s := newScene(t, "crons: {hook_secret: 0123456789abcdef}\n")
	in := s.discord.General
	m := s.ask(s.mod, in, "report every weekday at nine", fmt.Sprintf(makeJob, ""))
	s.says(in, m, "created cron-001", "in #general; next runs:", "09:00 E")

	// The state goes from run to run, and nobody sees it.
	if r := s.runJob("cron-001", `All is well. <cron-state>{"runs": 1}</cron-state>`); r.Outcome != "done" {
		t.Errorf("%+v", r)
	}
	if got := s.texts(in); !slices.Contains(got, "All is well.") {
		t.Errorf("posts are %q", got)
	}
	if r := s.runJob("cron-001", `Still well. <cron-state>[2]</cron-state>`, `<no-reply/>`); r.Outcome != "failed" || string(s.job("cron-001").State) != `{"runs":1}` {
		t.Errorf("%+v; the state is %s", r, s.job("cron-001").State)
	}
	told := s.model.heard()[0]
	for _, want := range []string{"[job cron-001] Report", `Report to #general. So far: {"runs":1}`, "<cron-state>", "(America/New_York)"} {
		if !strings.Contains(told, want) {
			t.Errorf("the run was told %q, without %q", told, want)
		}
	}

	// The commands, while it runs.
	list := succeeds(t, "cron", "list", "--config", s.config)
	if !strings.Contains(list, "cron-001") || !strings.Contains(list, " 09:00 E") {
		t.Errorf("the list is %s", list)
	}
	show := succeeds(t, "cron", "show", "cron-001", "--config", s.config)
	if !strings.Contains(show, "0 9 * * 1-5 (America/New_York)") || strings.Count(show, "trigger") != 2 {
		t.Errorf("it is shown as %s", show)
	}
	if out := succeeds(t, "cron", "pause", "1", "--config", s.config); out != "cron-001 (Report) is paused\n" || !s.job("cron-001").Paused {
		t.Errorf("%s", out)
	}
	if out := succeeds(t, "cron", "resume", "1", "--config", s.config); !strings.HasPrefix(out, "cron-001 (Report) runs next at ") || s.job("cron-001").Paused {
		t.Errorf("%s", out)
	}
	isRefused(t, `there is no job "cron-009"; aside cron list shows them`, "cron", "run", "cron-009", "--config", s.config)

	// A program starts it.
	at, body := fmt.Sprint(time.Now().Unix()), `{"build": 7}`
	mac := hmac.New(sha256.New, []byte("0123456789abcdef"))
	fmt.Fprintf(mac, "%s.%s", at, body)
	request, err := http.NewRequestWithContext(s.ctx, http.MethodPost, s.url+"/hooks/cron/cron-001", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Aside-Timestamp", at)
	request.Header.Set("X-Aside-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	s.model.replies("Build 7 is there.")
	if answer, err := http.DefaultClient.Do(request); err != nil || answer.StatusCode != http.StatusAccepted {
		t.Fatalf("%+v, %v", answer, err)
	}
	if r := s.jobEnded("cron-001", 3); r.By != "hook" || r.Outcome != "done" || !strings.Contains(s.model.heard()[0], "\n> "+body) {
		t.Errorf("%+v, told %q", r, s.model.heard())
	}

	// While nothing runs: it is done on return.
	s.kill(syscall.SIGKILL)
	s.model.replies("I am back.")
	if out := succeeds(t, "cron", "run", "cron-001", "--config", s.config); out != "cron-001 (Report) runs when Aside does\n" {
		t.Errorf("%s", out)
	}
	s.begin()
	if r := s.jobEnded("cron-001", 4); r.Outcome != "done" || !slices.Contains(s.texts(in), "I am back.") {
		t.Errorf("%+v, posts are %q", r, s.texts(in))
	}
	if out := succeeds(t, "cron", "delete", "cron-001", "--config", s.config); out != "cron-001 (Report) is deleted\n" {
		t.Errorf("%s", out)
	}
}

func TestCronWhatARunMayNotDo(t *testing.T) {
	s := newScene(t, "actions: {categories: {voice: true, moderation: true}, confirm: []}\n")
	in := s.discord.General
	s.ask(s.mod, in, "every day", fmt.Sprintf(makeJob, ""))
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	off := []string{"crons", "profile", "memory", "config", "defer", "loop", "spawn", "voice"}
	var specs []*action.Spec
	for _, spec := range registry.Specs() {
		if spec.Name != "cronState" && (spec.Destructive || slices.Contains(off, spec.Category)) {
			specs = append(specs, spec)
		}
	}
	if len(specs) < 25 {
		t.Fatalf("only %d actions are off in a run", len(specs))
	}
	runs := 0
	for some := range slices.Chunk(specs, mostInAReply) {
		reply := "I try."
		for _, spec := range some {
			reply += "\n<action>" + spec.Example + "</action>"
		}
		if r := s.runJob("cron-001", reply, "<no-reply/>"); r.Outcome != "failed" {
			t.Errorf("what was refused counts as %s", r.Outcome)
		}
		runs++
		refused := 0
		for _, turn := range s.turns(in) {
			for _, a := range turn.Actions {
				i := slices.IndexFunc(some, func(spec *action.Spec) bool { return spec.Name == a.Type })
				if turn.Flow != "cron" || i < 0 {
					continue
				}
				refused++
				category := "a cron cannot use the category " + some[i].Category
				destroys := some[i].Name + " destroys something, and in a cron nobody can confirm it"
				if a.Outcome != "refused" || a.Summary != category && a.Summary != destroys {
					t.Errorf("%s is %s: %s", a.Type, a.Outcome, a.Summary)
				}
			}
		}
		if refused != len(some) {
			t.Errorf("%d of %d are in the ledger", refused, len(some))
		}
	}
	// What it may do, a list narrows.
	s.ask(s.mod, in, "only polls", `<action>{"type":"cronUpdate","cronId":"cron-001","allowedActions":["calculate"]}</action>`)
	r := s.runJob("cron-001", `<action>{"type":"sendMessage","content":"no"}</action>[CALCULATE:6*7]`, "<no-reply/>")
	if r.Outcome != "failed" || !strings.Contains(r.Why, "only these actions are allowed here: calculate, cronState") {
		t.Errorf("%+v", r)
	}
}

// mostInAReply is how many actions of a reply are looked at here: more than twenty are none.
const mostInAReply = 15

func TestCronAJobRoutesItsRepliesAndKeepsItsOutcomes(t *testing.T) {
	s := newScene(t, "")
	in := s.discord.General
	news := s.discord.AddChannel(s.discord.Guild, "news", 0)
	s.ask(s.mod, in, "every day", fmt.Sprintf(makeJob, `,"routingMode":"json"`))
	r := s.runJob("cron-001", `[CALCULATE:6*7] [{"channel":"news","content":"Hear, hear."},{"channel":"attic","content":"Dust."}]`)
	if got := s.texts(news); !slices.Equal(got, []string{"Hear, hear."}) {
		t.Errorf("the news are %q", got)
	}
	here := strings.Join(s.texts(in), "\n")
	if !strings.Contains(here, "Done: 6*7 = 42") || !strings.Contains(here, "For attic") || !strings.Contains(here, "Dust.") || r.Outcome != "failed" {
		t.Errorf("%+v; here is said %q", r, here)
	}
	s.ask(s.mod, in, "quietly", `<action>{"type":"cronUpdate","cronId":"cron-001","routingMode":"","silent":true}</action>`)
	before := len(s.texts(in))
	if r := s.runJob("cron-001", `<no-reply/>`); r.Outcome != "done" || len(s.texts(in)) != before {
		t.Errorf("%+v; posts are %q", r, s.texts(in)[before:])
	}
}

func TestCronAJobOfSomebodyWhoMayNotWriteThereAnyMoreIsBarred(t *testing.T) {
	s := newScene(t, "")
	in := s.discord.General
	s.ask(s.discord.Ada, in, "every day", fmt.Sprintf(makeJob, ""))
	everyone := s.discord.Guild.Roles[0]
	s.discord.ChangeRole(s.discord.Guild, everyone, func(r *discordtest.Role) { r.Permissions &^= discordtest.SendMessages })
	if r := s.runJob("cron-001", "Hello."); r.Outcome != "barred" || r.Why != "the person may not write in that room any more" {
		t.Errorf("%+v", r)
	}
	// Somebody else's job is not Bob's to change.
	bob := s.discord.AddUser("bob")
	s.discord.AddMember(s.discord.Guild, bob)
	m := s.ask(bob, in, "delete it", `<action>{"type":"cronPause","cronId":"cron-001"}</action>`, "OK.")
	s.says(in, m, "Refused: cron-001 is not yours: you may not manage channels in #general")
}
