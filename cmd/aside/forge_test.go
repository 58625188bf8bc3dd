package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/plan"
)

// A smith is a model that drafts and audits: the first audit finds something, the second
// nothing. Whoever talks to it begins a forge, or whatever else they are to do.
type smith struct {
	mu     sync.Mutex
	does   string   // the instruction in an answer to people
	asked  []string // the first lines of steps, in order
	holds  string   // a part of the first line of a step that is not answered, once
	began  chan struct{}
	lets   chan struct{} // ends the holding
	always bool          // every audit finds something
}

func newSmith(t *testing.T, does string) *smith {
	m := &smith{does: does, began: make(chan struct{}, 1), lets: make(chan struct{})}
	t.Cleanup(func() { close(m.lets) })
	return m
}

const (
	smithFirst   = "## Objective\n\nA cache.\n\n## Scope\n\nThe reader.\n\n## Changes\n\n- Write `reader.go`.\n\n## Risks\n\nNone.\n\n## Testing\n\nRun it.\n"
	smithRevised = "## Objective\n\nA cache.\n\n## Scope\n\nThe reader.\n\n## Changes\n\n- Write `reader.go`.\n- Write `undo.go`.\n\n## Risks\n\nIt can be undone.\n\n## Testing\n\nRun it.\n"
	smithBlocks  = "```json\n{\"maxSeverity\":\"blocking\",\"shouldLoop\":true,\"summary\":\"It cannot be undone.\",\"concerns\":[{\"severity\":\"blocking\",\"concern\":\"There is no way back.\"}],}\n```"
	smithClears  = `{"maxSeverity":"none","shouldLoop":false,"summary":"It is fine.","concerns":[]}`
)

func (m *smith) reply(w http.ResponseWriter, asked string) {
	first, _, _ := strings.Cut(asked, "\n")
	m.mu.Lock()
	says := "Right away.\n<action>" + m.does + "</action>"
	step := strings.HasPrefix(first, "[forge of ")
	if step {
		m.asked = append(m.asked, first)
	}
	switch {
	case strings.Contains(first, ": draft]"):
		says = smithFirst
	case strings.Contains(first, ": revision "):
		says = smithRevised
	case strings.Contains(first, ": audit 1]"), strings.Contains(first, ": audit ") && m.always:
		says = smithBlocks
	case strings.Contains(first, ": audit "):
		says = smithClears
	case strings.HasPrefix(first, "[results]"):
		says = "So it is."
	}
	held := step && m.holds != "" && strings.Contains(first, m.holds)
	if held {
		m.holds = ""
	}
	m.mu.Unlock()
	if held {
		stream(w, says[:len(says)/2])
		m.began <- struct{}{}
		<-m.lets
		return
	}
	stream(w, says)
	finish(w)
}

func (m *smith) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

func (m *smith) steps() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// forge is how far the forge is, as the API tells.
func (v *victim) forge() (f forges.Forge) {
	v.t.Helper()
	body := v.get("/api/v1/forge")
	if err := json.Unmarshal([]byte(body), &f); err != nil {
		v.t.Fatalf("the forge is %q\n%s", body, v.output.String())
	}
	return f
}

// forged waits until the forge has ended.
func (v *victim) forged() forges.Forge {
	v.t.Helper()
	var f forges.Forge
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if f = v.forge(); f.Plan != "" && !f.Running {
			return f
		}
	}
	v.t.Fatalf("the forge does not end: %+v\n%s", f, v.output.String())
	return f
}

// plan is what the file of the only plan says.
func (v *victim) plan() *plan.Document {
	v.t.Helper()
	files, err := filepath.Glob(filepath.Join(v.data, "plans", "plan-*.md"))
	if err != nil || len(files) != 1 {
		v.t.Fatalf("the plans are %q, %v\n%s", files, err, v.output.String())
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		v.t.Fatal(err)
	}
	d, err := plan.Parse(string(text))
	if err != nil {
		v.t.Fatalf("%v in\n%s", err, text)
	}
	return d
}

// forgePost is what is shown of a forge.
var forgePost = regexp.MustCompile(`^(?:Forging|Forged|The forge of) plan-\d+`)

// showing waits until the post about the forge begins with something, and returns it. There
// is one such post.
func (s *scene) showing(in *discordtest.Channel, begins string) (text string) {
	s.t.Helper()
	s.until("the post about the forge", func() bool {
		n := 0
		for _, p := range s.discord.Posts(in) {
			if forgePost.MatchString(p.Content) {
				n, text = n+1, p.Content
			}
		}
		return n == 1 && strings.HasPrefix(text, begins)
	})
	return text
}

const forgeIt = `{"type":"forgeCreate","description":"Add a cache to the reader","context":"It is slow."}`

func TestDiscordAPlanIsForgedThroughTwoAudits(t *testing.T) {
	s := prepareScene(t, "")
	m := newSmith(t, forgeIt)
	s.model.does(m.reply)
	s.begin()
	general := s.discord.General
	message := s.discord.Write(s.discord.Ada, general, s.to("forge a plan for a cache"))
	s.settle(general, message)
	s.says(general, message, "Done: began to forge plan-001; a post shows how far it is")
	f := s.forged()
	if f.State != "done" || len(f.Audits) != 2 || f.Audits[0].Concerns[0].Text != "There is no way back." {
		t.Errorf("the forge is %+v", f)
	}
	want := []string{"[forge of plan-001: draft]", "[forge of plan-001: audit 1]", "[forge of plan-001: revision 1]", "[forge of plan-001: audit 2]"}
	if got := m.steps(); !slices.Equal(got, want) {
		t.Errorf("asked were %q", got)
	}
	d := s.plan()
	if risks, _ := d.Section(plan.Risks); d.Status() != plan.Review || risks != "It can be undone." || strings.Count(d.String(), "### Audit ") != 2 {
		t.Errorf("the plan is\n%s", d)
	}
	s.showing(general, "Forged plan-001: draft ✅ · audit 1: 1 blocking · revision ✅ · audit 2: no concerns. It is ready for review")

	// What is asked about it, and what is refused.
	m.set(func() { m.does = `{"type":"forgeStatus"}` })
	message = s.discord.Write(s.discord.Ada, general, s.to("how far is it?"))
	if turns := s.settle(general, message); turns[0].Actions[0].Outcome != "done" || !strings.HasPrefix(turns[0].Actions[0].Summary, "Forged plan-001") {
		t.Errorf("%+v", turns)
	}
	m.set(func() { m.does = `{"type":"forgeCancel"}` })
	message = s.discord.Write(s.discord.Ada, general, s.to("cancel it"))
	s.settle(general, message)
	s.says(general, message, "Failed: no forge is running; forgeStatus shows the last one")
}

// Killed while a model drafts, audits or revises: the next process goes on there, and asks
// for nothing twice but for what was being written.
func TestAForgeGoesOnWhereItWasKilled(t *testing.T) {
	for _, during := range []string{": draft]", ": audit 1]", ": revision 1]", ": audit 2]"} {
		t.Run("during"+strings.Trim(during, ":]"), func(t *testing.T) {
			s := prepareScene(t, "")
			m := newSmith(t, forgeIt)
			m.holds = during
			s.model.does(m.reply)
			s.begin()
			general := s.discord.General
			message := s.discord.Write(s.discord.Ada, general, s.to("forge a plan for a cache"))
			select {
			case <-m.began:
			case <-s.ctx.Done():
				t.Fatalf("nobody was asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			s.begin()
			if f := s.forged(); f.State != "done" {
				t.Errorf("the forge is %+v", f)
			}
			s.settle(general, message)
			asked := map[string]int{}
			for _, step := range m.steps() {
				asked[step]++
			}
			for step, times := range asked {
				want := 1
				if strings.Contains(step, during) {
					want = 2
				}
				if times != want {
					t.Errorf("%s was asked for %d times", step, times)
				}
			}
			if len(asked) != 4 {
				t.Errorf("asked were %v", asked)
			}
			if d := s.plan(); d.Status() != plan.Review || strings.Count(d.String(), "### Audit ") != 2 {
				t.Errorf("the plan is\n%s", d)
			}
			s.showing(general, "Forged plan-001")
		})
	}
}

func TestAForgeIsCancelledWhileTheModelWrites(t *testing.T) {
	s := prepareScene(t, "")
	m := newSmith(t, forgeIt)
	m.holds = ": revision 1]"
	s.model.does(m.reply)
	s.begin()
	d, general := s.discord, s.discord.General
	s.settle(general, d.Write(d.Ada, general, s.to("forge a plan for a cache")))
	select {
	case <-m.began:
	case <-s.ctx.Done():
		t.Fatalf("nobody was asked\n%s", s.output.String())
	}
	s.showing(general, "Forging plan-001: draft ✅ · audit 1: 1 blocking · revision…")

	// A second one is refused, and so is whoever has not begun it and does not look after the room.
	m.set(func() { m.does = forgeIt })
	second := d.Write(d.Ada, general, s.to("forge another one"))
	s.settle(general, second)
	s.says(general, second, "Failed: forge of plan-001 is running; forgeStatus shows it, forgeCancel ends it")
	m.set(func() { m.does = `{"type":"forgeCancel"}` })
	eve := d.AddUser("eve")
	d.AddMember(d.Guild, eve)
	hers := d.Write(eve, general, s.to("cancel it"))
	s.settle(general, hers)
	s.says(general, hers, "the forge of plan-001 is not yours, and you may not manage")

	cancel := d.Write(d.Ada, general, s.to("cancel it"))
	s.settle(general, cancel)
	s.says(general, cancel, "Done: cancelled the forge of plan-001; forgeResume goes on with it")
	steps := s.settleAll(general, func(turn sceneTurn) bool { return turn.Flow == "plan" })
	if len(steps) != 3 || len(m.steps()) != 3 {
		t.Errorf("%d turns, asked were %q", len(steps), m.steps())
	}
	if f := s.forge(); f.State != "cancelled" || f.Running {
		t.Errorf("the forge is %+v", f)
	}
	if doc := s.plan(); doc.Status() != plan.Draft || strings.Contains(doc.String(), "undo.go") {
		t.Errorf("the plan is\n%s", doc)
	}
	s.showing(general, "The forge of plan-001 was cancelled: draft ✅ · audit 1: 1 blocking · revision not finished.")

	// And it goes on from there, with an audit.
	m.set(func() { m.does = `{"type":"forgeResume","planId":"plan-001"}` })
	s.settle(general, d.Write(d.Ada, general, s.to("go on")))
	if f := s.forged(); f.State != "done" || len(m.steps()) != 4 {
		t.Errorf("the forge is %+v, asked were %q", f, m.steps())
	}
}

func TestAForgeByCommandBesideARunningAsideAndWithoutOne(t *testing.T) {
	s := prepareScene(t, "")
	m := newSmith(t, "")
	m.holds = ": audit 1]"
	s.model.does(m.reply)
	at := func(args ...string) []string { return append([]string{"forge"}, append(args, "--config", s.config)...) }

	if got := ran(t, at("status")...); got.code == 0 || !strings.Contains(got.err, "nothing was forged yet; aside forge start begins") {
		t.Errorf("%+v", got)
	}
	if got := succeeds(t, at("start", "Add a cache to the reader")...); got != "Forging plan-001: draft…\n" {
		t.Errorf("started without a process: %q", got)
	}
	s.begin() // which takes it up
	select {
	case <-m.began:
	case <-s.ctx.Done():
		t.Fatalf("nobody was asked\n%s", s.output.String())
	}
	if got := ran(t, at("start", "Another one")...); got.code == 0 || !strings.Contains(got.err, "forge of plan-001 is running") {
		t.Errorf("%+v", got)
	}
	if got := succeeds(t, at("status")...); got != "Forging plan-001: draft ✅ · audit 1…\n" {
		t.Errorf("its status: %q", got)
	}
	if got := succeeds(t, at("cancel")...); !strings.HasPrefix(got, "The forge of plan-001 was cancelled: draft ✅ · audit 1 not finished.") {
		t.Errorf("cancelled: %q", got)
	}
	s.settleIn("web/forge", func(turn sceneTurn) bool { return turn.Flow == "plan" })
	if got := ran(t, at("resume", "plan-002")...); got.code == 0 || !strings.Contains(got.err, "there is no such plan") {
		t.Errorf("%+v", got)
	}
	var f forges.Forge
	inJSON(t, &f, at("resume", "1")...)
	if f.Plan != "plan-001" || !f.Running {
		t.Errorf("resumed: %+v", f)
	}
	if f := s.forged(); f.State != "done" || f.By != "operator" || f.Room != "web/forge" {
		t.Errorf("the forge is %+v", f)
	}
	if got := s.plan().Status(); got != plan.Review {
		t.Errorf("the plan is %s", got)
	}
	s.kill(syscall.SIGTERM)
	if got := succeeds(t, at("status")...); !strings.HasPrefix(got, "Forged plan-001: ") {
		t.Errorf("its status: %q", got)
	}
	s.configured("actions: {categories: {forge: false}}\n")
	if got := ran(t, at("status")...); got.code == 0 || !strings.Contains(got.err, "the category forge is switched off") {
		t.Errorf("%+v", got)
	}
}
