package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store/pgtest"
)

const phaseDone = `It is done. {"outcome":"done","did":"changed it","checks":["looked at it"],"problems":[]}`

// A foreman is a model that answers people as it is told to, and does phases of plans.
type foreman struct {
	mu     sync.Mutex
	say    string                                                     // to people
	phase  func(w http.ResponseWriter, r *http.Request, phase string) // nil does it
	phases []string                                                   // that it was asked to do: "plan-001 2"
}

var phasePattern = regexp.MustCompile(`^\[(plan-\d+): phase (\d+) of \d+, `)

func (f *foreman) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request struct{ Messages []struct{ Content string } }
	if err != nil || json.Unmarshal(body, &request) != nil || len(request.Messages) == 0 {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	say, does := f.say, f.phase
	found := phasePattern.FindStringSubmatch(request.Messages[len(request.Messages)-1].Content)
	if found != nil {
		f.phases = append(f.phases, found[1]+" "+found[2])
	}
	f.mu.Unlock()
	switch {
	case found != nil && does != nil:
		does(w, r, found[2])
		return
	case found != nil:
		say = phaseDone
	}
	stream(w, say)
	finish(w)
}

func (f *foreman) says(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.say = text
}

func (f *foreman) does(phase func(w http.ResponseWriter, r *http.Request, phase string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.phase = phase
}

func (f *foreman) asked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.phases)
}

// A site is the real program with a foreman.
type site struct {
	*victim
	foreman *foreman
}

func newSite(t *testing.T, database, more string) *site {
	t.Helper()
	t.Parallel()
	f := &foreman{}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	s := &site{newVictim(t, database, server.URL), f}
	s.append(more)
	return s
}

// append adds lines to the configuration.
func (s *site) append(more string) {
	s.t.Helper()
	text, err := os.ReadFile(s.config)
	if err == nil {
		err = os.WriteFile(s.config, append(text, more...), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// asks has Ada say something that the model answers with an instruction, and returns what
// she reads.
func (s *site) asks(text, instruction string) string {
	s.t.Helper()
	s.foreman.says(block(instruction))
	message := s.say("lobby", text)
	s.settle(message)
	return strings.Join(s.answersTo("lobby", message), "\n")
}

// planned has an approved plan with two changes and an audit.
func (s *site) planned() {
	s.t.Helper()
	mentions(s.t, s.asks("plan it", `{"type":"planCreate","description":"Tidy up:\n- One\n- Two"}`), "Done: made plan-001 (task ws-001), a draft; planShow shows it")
	mentions(s.t, s.asks("yes", `{"type":"planApprove","planId":"plan-001"}`), "Done: plan-001 is approved; planRun starts it")
}

// plan is what the API tells of plan-001.
func (s *site) plan() (p plans.Plan) {
	s.t.Helper()
	body := s.get("/api/v1/plans/1")
	if err := json.Unmarshal([]byte(body), &p); err != nil || p.ID == "" {
		s.t.Fatalf("the plan is %s\n%s", body, s.output.String())
	}
	return p
}

// becomes waits until the file of plan-001 has a status, and returns its text.
func (s *site) becomes(status string) string {
	s.t.Helper()
	text := ""
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(filepath.Join(s.data, "plans", "plan-001-tidy-up.md"))
		if text = string(data); err == nil && strings.Contains(text, "\nstatus: "+status+"\n") {
			return text
		}
	}
	s.t.Fatalf("the plan is not %s: %s\n%+v\n%s", status, text, s.plan(), s.output.String())
	return ""
}

func phaseStates(p plans.Plan) string {
	var all []string
	for _, phase := range p.Phases {
		all = append(all, phase.State)
	}
	return strings.Join(all, " ")
}

// errands are the keys of the errands in the lobby, each as often as it has turns.
func (s *site) errands() (keys []string) {
	s.t.Helper()
	for _, turn := range s.turnsIn("web/lobby") {
		if turn.Flow == "plan" {
			keys = append(keys, turn.Message)
		}
	}
	return keys
}

func TestAPlanIsMadeApprovedAndRun(t *testing.T) {
	s := newSite(t, "sqlite", "")
	s.start()
	s.planned()
	mentions(t, s.asks("go", `{"type":"planRun","planId":"plan-001"}`), "Done: started plan-001, which has 3 phases")
	text := s.becomes("DONE")
	for _, want := range []string{"Phase 1, implement, One: done", "Phase 2, implement, Two: done", "Phase 3, audit, ", "Run 1 ended: done."} {
		if strings.Count(text, want) != 1 {
			t.Errorf("the file does not say %q once:\n%s", want, text)
		}
	}
	if got := s.foreman.asked(); !slices.Equal(got, []string{"plan-001 1", "plan-001 2", "plan-001 3"}) {
		t.Errorf("the model was asked for %q", got)
	}
	if p := s.plan(); p.Status != "DONE" || phaseStates(p) != "done done done" || p.By != "ada" || p.Room != "web/lobby" {
		t.Errorf("it is %+v", p)
	}
	for _, e := range s.entries("lobby") {
		if strings.Contains(e.Text, "It is done.") {
			t.Errorf("what a phase says is posted: %+v", e)
		}
	}
}

// A kill -9 in a phase: the next process takes it up where it was.
func TestAKillInAPhaseIsMadeGood(t *testing.T) {
	for number := 1; number <= 3; number++ {
		t.Run(fmt.Sprint("phase ", number), func(t *testing.T) { killInPhase(t, number) })
	}
}

func killInPhase(t *testing.T, number int) {
	s := newSite(t, "sqlite", "")
	s.start()
	s.planned()
	began := make(chan struct{}, 10)
	s.foreman.does(func(w http.ResponseWriter, r *http.Request, phase string) {
		if phase == fmt.Sprint(number) {
			began <- struct{}{}
			<-r.Context().Done()
			return
		}
		stream(w, phaseDone)
		finish(w)
	})
	s.asks("go", `{"type":"planRun","planId":"plan-001"}`)
	select {
	case <-began:
	case <-time.After(60 * time.Second):
		t.Fatalf("the phase was not begun\n%s", s.output.String())
	}
	s.kill(syscall.SIGKILL)
	if text := s.becomes("IMPLEMENTING"); strings.Contains(text, fmt.Sprintf("Phase %d,", number)) {
		t.Errorf("the file is\n%s", text)
	}
	s.foreman.does(nil)
	s.start()
	text := s.becomes("DONE")
	for _, want := range []string{"Phase 1, implement", "Phase 2, implement", "Phase 3, audit", "Run 1 ended: done."} {
		if strings.Count(text, want) != 1 {
			t.Errorf("the file does not say %q once:\n%s", want, text)
		}
	}
	if got := s.errands(); !slices.Equal(got, []string{"plan-001/run-1/1", "plan-001/run-1/2", "plan-001/run-1/3"}) {
		t.Errorf("the errands are %q", got)
	}
	want := slices.Insert([]string{"plan-001 1", "plan-001 2", "plan-001 3"}, number, fmt.Sprint("plan-001 ", number)) // the one in flight, once more
	if got := s.foreman.asked(); !slices.Equal(got, want) {
		t.Errorf("the model was asked for %q", got)
	}
}

func TestAPlanIsStoppedWhileItsPhaseRuns(t *testing.T) {
	for name, stop := range map[string]func(t *testing.T, s *site){
		"by a word in the room": func(_ *testing.T, s *site) { s.isAnswered("lobby", s.say("lobby", "/stop"), "Stopped.") },
		"by a command": func(t *testing.T, s *site) {
			if got := succeeds(t, "plan", "stop", "1", "--config", s.config); got != "plan-001 is being stopped\n" {
				t.Errorf("the command says %q", got)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, "sqlite", "")
			s.start()
			s.planned()
			began := make(chan struct{}, 10)
			s.foreman.does(func(_ http.ResponseWriter, r *http.Request, _ string) {
				began <- struct{}{}
				<-r.Context().Done() // for ever, if nobody stops it
			})
			s.asks("go", `{"type":"planRun","planId":"plan-001"}`)
			<-began
			s.becomes("IMPLEMENTING")
			const busy = "plan-001 is being implemented; wait until its run has ended, or stop it first"
			mentions(t, s.asks("close it", `{"type":"planClose","planId":"1"}`), "Failed: "+busy)
			mentions(t, s.asks("approve it", `{"type":"planApprove","planId":"1"}`), "Failed: "+busy)
			isRefused(t, busy, "plan", "close", "1", "--config", s.config)
			stop(t, s)
			s.becomes("APPROVED")
			if p := s.plan(); phaseStates(p) != "pending pending pending" || p.Run.State != "stopped" || p.Run.Note != "somebody has stopped it" {
				t.Errorf("it is %+v, %+v", p, p.Run)
			}
			s.foreman.does(nil)
			mentions(t, s.asks("go on", `{"type":"planRun","planId":"1"}`), "Done: started plan-001")
			s.becomes("DONE")
		})
	}
}

// From inside a phase neither plans nor forges can be used, and nothing is destroyed.
func TestAPhaseMayNotStartPlansOrDestroy(t *testing.T) {
	s := newSite(t, "sqlite", "")
	s.start()
	s.planned()
	refusals := map[string]string{
		"planCreate": "a plan cannot use the category plan", "planList": "a plan cannot use the category plan", "planShow": "a plan cannot use the category plan",
		"planApprove": "a plan cannot use the category plan", "planClose": "a plan cannot use the category plan", "planRun": "a plan cannot use the category plan",
		"channelDelete": "channelDelete destroys something, and in a plan nobody can confirm it",
	}
	s.foreman.does(func(w http.ResponseWriter, _ *http.Request, _ string) {
		reply := phaseDone
		for name := range refusals {
			reply += fmt.Sprintf("\n<action>{\"type\":%q,\"planId\":\"1\",\"description\":\"x\",\"channel\":\"lobby\"}</action>", name)
		}
		stream(w, reply)
		finish(w)
	})
	s.asks("go", `{"type":"planRun","planId":"1"}`)
	s.becomes("DONE")
	seen := 0
	for _, turn := range s.turnsIn("web/lobby") {
		for _, a := range turn.Actions {
			if turn.Flow == "plan" {
				seen++
				if a.Outcome != "refused" || a.Summary != refusals[a.Type] {
					t.Errorf("%s came to %s: %s", a.Type, a.Outcome, a.Summary)
				}
			}
		}
	}
	if seen != 3*len(refusals) {
		t.Errorf("%d actions were looked at", seen)
	}
}

// Two processes on one PostgreSQL that share the data directory run a plan once.
func TestTwoProcessesRunAPlanOnce(t *testing.T) {
	here := newSite(t, pgtest.Start(t).Database(t), "")
	text, err := os.ReadFile(here.config)
	if err != nil {
		t.Fatal(err)
	}
	there := &site{newVictim(t, "sqlite", "http://unused"), here.foreman}
	mine := strings.TrimPrefix(there.url, "http://")
	if err := os.WriteFile(there.config, []byte(strings.Replace(string(text), strings.TrimPrefix(here.url, "http://"), mine, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	here.start()
	there.start()
	here.planned()
	var both sync.WaitGroup
	for _, at := range []*site{here, there, here, there} {
		both.Go(func() {
			answer, err := http.Post(at.url+"/api/v1/plans/plan-001/run", "application/json", nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			body, _ := io.ReadAll(answer.Body) // it is for the message
			// Whoever comes when it is done already is told so.
			if answer.StatusCode != http.StatusAccepted && !strings.Contains(string(body), "plan-001 is DONE") {
				t.Errorf("it is answered with %s %s", answer.Status, body)
			}
		})
	}
	both.Wait()
	text2 := here.becomes("DONE")
	if got := here.foreman.asked(); !slices.Equal(got, []string{"plan-001 1", "plan-001 2", "plan-001 3"}) {
		t.Errorf("the model was asked for %q", got)
	}
	for _, want := range []string{"Phase 1, implement", "Phase 2, implement", "Phase 3, audit", "Run 1 ended: done."} {
		if strings.Count(text2, want) != 1 {
			t.Errorf("the file does not say %q once:\n%s", want, text2)
		}
	}
}

// The commands do the same while Aside runs and while it does not.
func TestPlansOnTheCommandLine(t *testing.T) {
	s := newSite(t, "sqlite", "")
	s.start()
	where := []string{"--config", s.config}
	on := func(args ...string) []string { return append(append([]string{"plan"}, args...), where...) }
	mentions(t, s.asks("plan it", `{"type":"planCreate","description":"Tidy up:\n- One\n- Two","context":"Kindly."}`), "Done: made plan-001")
	if err := os.WriteFile(filepath.Join(s.data, "plans", "plan-007-bad.md"), []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	look := func(status string) {
		t.Helper()
		list := succeeds(t, on("list")...)
		mentions(t, list, "PLAN", "plan-001", status, "Tidy up", "cannot be read: plan-007-bad.md, line 1: there is no header")
		if got := succeeds(t, on("list", "--status", "CANCELLED")...); !strings.HasPrefix(got, "there are no such plans\n") {
			t.Errorf("the list is %q", got)
		}
		var listed operator.PlanList
		inJSON(t, &listed, on("list")...)
		var shown plans.Plan
		inJSON(t, &shown, on("show", "1")...)
		if len(listed.Plans) != 1 || listed.Plans[0].ID != "plan-001" || shown.Status != status || !strings.Contains(shown.Text, "Kindly.") {
			t.Errorf("listed is %+v, shown is %+v", listed, shown)
		}
		mentions(t, succeeds(t, on("show", "plan-001")...), "plan-001 Tidy up: "+status, "made by ada in web/lobby", "## Objective", "Kindly.")
		isRefused(t, `there is no plan "99"; aside plan list shows those there are`, on("show", "99")...)
		isRefused(t, `there is no plan "../lock"; aside plan list shows those there are`, on("approve", "../lock")...)
		isRefused(t, `"ready" is no status of a plan`, on("list", "--status", "ready")...)
	}
	look("DRAFT")
	isRefused(t, "plan-001 is DRAFT and has to be approved before it can run", on("run", "1")...)
	s.kill(syscall.SIGTERM)
	look("DRAFT")
	if got := succeeds(t, on("approve", "1")...); got != "plan-001 is approved; aside plan run starts it\n" {
		t.Errorf("approving says %q", got)
	}
	look("APPROVED")
	if got := succeeds(t, on("run", "1", "--continue-on-failure")...); got != "plan-001 runs as soon as Aside does\n" {
		t.Errorf("running says %q", got)
	}
	s.start()
	s.becomes("DONE")
	mentions(t, succeeds(t, on("show", "1")...), "run 1, begun ", "  1. implement, One: done\n     did: changed it\n     check: looked at it\n")
	isRefused(t, "plan-001 is not running", on("stop", "1")...)
	if got := succeeds(t, on("close", "1")...); got != "plan-001 is closed\n" {
		t.Errorf("closing says %q", got)
	}
	s.becomes("CLOSED")

	// One that somebody has put there is nobody's: it is run for the operator.
	byHand := filepath.Join(s.data, "plans", "plan-009.md")
	if err := os.WriteFile(byHand, []byte("---\nid: plan-009\nstatus: APPROVED\n---\n## Changes\nBy hand.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := succeeds(t, on("run", "9")...); got != "plan-009 is running\n" {
		t.Errorf("running says %q", got)
	}
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(byHand)
		if err == nil && strings.Contains(string(text), "status: DONE") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it is %s, %v\n%s", text, err, s.output.String())
		}
	}
}

func TestPlansThatAreSwitchedOff(t *testing.T) {
	s := newSite(t, "sqlite", "")
	text, err := os.ReadFile(s.config)
	if err == nil {
		err = os.WriteFile(s.config, []byte(strings.Replace(string(text), "actions: {followup_depth: 0}", "actions: {followup_depth: 0, categories: {plan: false}}", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.start()
	mentions(t, s.asks("plan it", `{"type":"planCreate","description":"x"}`), "Refused: the category plan is switched off")
	answer, err := http.Get(s.url + "/api/v1/plans")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusForbidden || string(body) != `{"error":"the category plan is switched off"}`+"\n" {
		t.Errorf("the API answers %s %s, %v", answer.Status, body, err)
	}
	isRefused(t, "the category plan is switched off", "plan", "list", "--config", s.config)
	s.kill(syscall.SIGTERM)
	isRefused(t, "the category plan is switched off", "plan", "list", "--config", s.config)
}
