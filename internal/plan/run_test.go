package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

const three = "Tidy up:\n- One\n- Two\n- Three"

func TestARunWorksThroughAllPhasesAndClosesPlanAndTask(t *testing.T) {
	d := newDesk(t)
	d.approved(three)
	p := d.run(plans.Options{})
	if p.Status != "IMPLEMENTING" || d.status() != Implementing || states(p) != "running pending pending pending" {
		t.Errorf("at first it is %+v", p)
	}
	var told []*store.Turn
	for range 4 {
		told = append(told, d.says(done))
	}
	d.idle()
	p = d.look()
	if p.Status != "DONE" || d.status() != Done || states(p) != "done done done done" || p.Run.State != "done" {
		t.Errorf("in the end it is %+v", p)
	}
	if len(d.tasks.closed) != 1 || d.tasks.closed[0] != "ws-001 plan-001 is done" {
		t.Errorf("closed are %v", d.tasks.closed)
	}
	for i, turn := range told {
		b := turn.Brief
		if turn.Flow != "plan" || turn.Depth != 1 || b.Role != Role || b.Job != "plan-001" || !b.Unposted || !b.Alone || turn.Message.Room.ID != "a" || turn.Message.Author.ID != "ada" || turn.Message.Parent != "p" {
			t.Errorf("errand %d is %+v, %+v", i, turn, b)
		}
	}
	if text := told[1].Message.Text; !strings.Contains(text, "[plan-001: phase 2 of 4, implement]") || !strings.Contains(text, "1. implement, One: done; changed it") || !strings.Contains(text, "2. implement, Two: yours") {
		t.Errorf("the second is told %s", text)
	}
	for _, want := range []string{"Phase 1, implement, One: done\n- did: changed it\n- check: go test: ok", "Phase 4, audit, Compare with the objective: done", "Run 1 ended: done."} {
		if strings.Count(p.Text, want) != 1 {
			t.Errorf("the file does not say %q once: %s", want, p.Text)
		}
	}
}

func TestTheStatusIsTrueAtEveryMoment(t *testing.T) {
	d := newDesk(t)
	d.approved("Tidy up:\n- One\n- Two")
	// What is shown is compared with the store in the transaction that shows it.
	d.Display = func(ctx context.Context, tx store.Tx, s Shown) error {
		d.shown = append(d.shown, s)
		phases, err := tx.PlanPhases(ctx, 1)
		for _, phase := range phases {
			if line := fmt.Sprintf("%d %s %s", phase.Ordinal, signs[phase.State], phase.Title); s.Key == "plan-001/run-1" && !strings.Contains(s.Text, line) {
				t.Errorf("%q was shown while phase %d is %s", s.Text, phase.Ordinal, phase.State)
			}
		}
		return err
	}
	d.run(plans.Options{})
	d.says(done)
	d.says(`{"outcome":"skipped","did":"not needed"}`)
	d.says(done)
	want := []string{
		"Plan plan-001 (Tidy up): running\n1 ⏳ One\n2 · Two\n3 · Compare with the objective",
		"Plan plan-001 (Tidy up): running\n1 ✅ One\n2 ⏳ Two\n3 · Compare with the objective",
		"Plan plan-001 (Tidy up): running\n1 ✅ One\n2 ⏭ Two\n3 ⏳ Compare with the objective",
		"Plan plan-001 (Tidy up): done\n1 ✅ One\n2 ⏭ Two\n3 ✅ Compare with the objective",
		"plan-001 (Tidy up) is done: 2 of 3 phases, 1 skipped; task ws-001 is closed.",
	}
	if len(d.shown) != len(want) {
		t.Fatalf("shown was %+v", d.shown)
	}
	for i, s := range d.shown {
		key := "plan-001/run-1"
		if i == 4 {
			key += "/done"
		}
		if s.Text != want[i] || s.Key != key || s.Room.ID != "a" || i < 4 && s.ReplyTo != "m1" || s.Over != (i >= 3) {
			t.Errorf("%d: %+v, want %s", i, s, want[i])
		}
	}
}

func TestNothingMoreIsSaidAtTheEndWhereNobodyWantsIt(t *testing.T) {
	d := newDesk(t)
	d.approved("One")
	d.run(plans.Options{Quiet: true})
	d.says(done)
	d.says(done)
	for _, s := range d.shown {
		if s.Key != "plan-001/run-1" {
			t.Errorf("%+v was said", s)
		}
	}
}

// Lesson: the status IMPLEMENTING is really set, and its guards fire.
func TestAPlanThatIsBeingRunCanBeNeitherApprovedNorClosed(t *testing.T) {
	d := newDesk(t)
	d.approved(three)
	d.run(plans.Options{})
	if d.status() != Implementing {
		t.Errorf("the file says %s", d.status())
	}
	const want = "plan-001 is being implemented; wait until its run has ended, or stop it first"
	_, err := d.Approve(t.Context(), d.ada(), "1")
	d.refused(err, want)
	_, err = d.Close(t.Context(), d.ada(), "1")
	d.refused(err, want)
	// Not even where somebody has written something else into the file.
	d.edit("status: IMPLEMENTING", "status: DRAFT")
	_, err = d.Approve(t.Context(), d.ada(), "1")
	d.refused(err, want)
}

func TestAPlanThatNobodyHasApprovedIsNotRun(t *testing.T) {
	d := newDesk(t)
	d.create("Say hello")
	_, _, err := d.Run(t.Context(), d.ada(), "1", plans.Options{})
	d.refused(err, "plan-001 is DRAFT and has to be approved before it can run")
	d.edit("- Say hello", Placeholder)
	if _, err := d.Approve(t.Context(), d.ada(), "1"); err != nil {
		t.Fatal(err)
	}
	_, _, err = d.Run(t.Context(), d.ada(), "1", plans.Options{})
	d.refused(err, "plan-001 names no changes; write them below ## Changes in plan-001-say-hello.md")
	d.idle()
}

func TestARunIsBegunOnceForEachCallAndOnceAtATime(t *testing.T) {
	d := newDesk(t)
	d.approved("One")
	by := d.ada()
	for range 2 {
		if _, _, err := d.Run(t.Context(), by, "1", plans.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if p := d.run(plans.Options{}); p.Run.Number != 1 { // by another call
		t.Errorf("the run is %+v", p.Run)
	}
	d.says(done)
	d.says(done)
	d.idle()
	if _, _, err := d.Run(t.Context(), by, "1", plans.Options{}); err != nil { // the same call, taken up later
		t.Errorf("the same call: %v", err)
	}
	d.idle()
}

func TestAFailedPhaseEndsTheRunUnlessItIsToRollOn(t *testing.T) {
	const failed = `{"outcome":"failed","did":"tried","problems":["no compiler"]}`
	t.Run("it ends the run", func(t *testing.T) {
		d := newDesk(t)
		d.approved(three)
		d.run(plans.Options{})
		d.says(done)
		d.says(failed)
		d.idle()
		p := d.look()
		if p.Status != "APPROVED" || d.status() != Approved || states(p) != "done failed pending pending" || p.Run.State != "failed" || p.Run.Note != "phase 2 failed: no compiler" {
			t.Errorf("it is %+v, %+v", p, p.Run)
		}
		if last := d.shown[len(d.shown)-1].Text; !strings.HasPrefix(last, "Plan plan-001 (Tidy up): not finished, phase 2 failed: no compiler\n1 ✅ One\n2 ❌ Two (no compiler)\n3 · Three") {
			t.Errorf("shown is %s", last)
		}
		// The next run goes on where this one stopped.
		if p := d.run(plans.Options{}); p.Run.Number != 2 || states(p) != "done running pending pending" {
			t.Errorf("then it is %+v", p)
		}
		for range 3 {
			d.says(done)
		}
		if p := d.look(); p.Status != "DONE" || states(p) != "done done done done" {
			t.Errorf("in the end it is %+v", p)
		}
	})
	t.Run("it rolls on", func(t *testing.T) {
		d := newDesk(t)
		d.approved(three)
		d.run(plans.Options{RollOn: true})
		d.says(failed)
		d.says(done)
		d.says(done)
		d.says(done)
		d.idle()
		p := d.look()
		if p.Status != "APPROVED" || states(p) != "failed done done done" || p.Run.State != "failed" || p.Run.Note != "1 of 4 phases failed; the next run tries them again" || len(d.tasks.closed) > 0 {
			t.Errorf("it is %+v, %+v", p, p.Run)
		}
		// What looked at the result looks again after the change.
		if p := d.run(plans.Options{}); states(p) != "running done done pending" {
			t.Errorf("then it is %s", states(p))
		}
	})
}

func TestWhatAModelSaysIsReadAsWellAsCanBe(t *testing.T) {
	for _, c := range []struct {
		name          string
		turn          store.Turn
		outcome, did  string
		checks, wrong int
		note          string
	}{
		{"as it was asked to", store.Turn{Reply: done}, "done", "changed it", 1, 0, ""},
		{"in a fence", store.Turn{Reply: "Ok\n```json\n{\"outcome\": \"failed\", \"did\": \"x\", \"problems\": [\"a\", \"b\"]}\n```\nBye."}, "failed", "x", 0, 2, ""},
		{"with commas too many", store.Turn{Reply: `{"outcome":"skipped","did":"x","checks":["a",],}`}, "skipped", "x", 1, 0, ""},
		{"the last of several", store.Turn{Reply: `{"outcome":"failed"} no: {"outcome":"Done","did":["a","b"],"checks":"one"}`}, "done", "a b", 1, 0, ""},
		{"with objects inside", store.Turn{Reply: `{"outcome":"done","did":"x","checks":[{"name":"vet","result":"ok"}]}`}, "done", "x", 1, 0, ""},
		{"in other words", store.Turn{Reply: `{"outcome":"SUCCESS"}`}, "done", "", 0, 0, ""},
		{"in no word that there is", store.Turn{Reply: `{"outcome":"maybe"}`, Shown: "Maybe."}, "done", "Maybe.", 0, 0, saidInWords},
		{"in words", store.Turn{Reply: "I changed it.", Shown: "I changed it."}, "done", "I changed it.", 0, 0, saidInWords},
		{"nothing", store.Turn{Reply: " "}, "failed", "The model said nothing.", 0, 0, ""},
		{"that it could not answer", store.Turn{Reply: done, Failure: "The model is overloaded."}, "failed", "The model is overloaded.", 0, 0, ""},
		{"on many lines, with a heading", store.Turn{Reply: `{"outcome":"done","did":"a\n## Risks\n` + "```" + `\n<!-- x -->"}`}, "done", "a ## Risks ``` <!-- x -->", 0, 0, ""},
		{"braces for ever", store.Turn{Reply: strings.Repeat(`{"a":`, 50_000), Shown: "x"}, "done", "x", 0, 0, saidInWords},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := evidenceOf(&c.turn, nil)
			if e.Outcome != c.outcome || e.Did != c.did || len(e.Checks) != c.checks || len(e.Problems) != c.wrong || e.Note != c.note {
				t.Errorf("it is %+v", e)
			}
			d := parse(t, sample)
			if err := d.Append(AuditLog, e.text(store.PlanPhase{Ordinal: 1, Kind: "implement", Title: "One"})); err != nil {
				t.Errorf("it does not fit into the log: %v", err)
			}
		})
	}
}

func TestWhatAModelSaidBeforeItWasAskedAgainCounts(t *testing.T) {
	before := []*store.Turn{{Reply: `{"outcome":"failed"}`}, {Reply: done}, {Reply: "Looking."}}
	if e := evidenceOf(&store.Turn{Reply: "Thanks.", Shown: "Thanks."}, before); e.Outcome != "done" || e.Did != "changed it" {
		t.Errorf("it is %+v", e)
	}
	if e := evidenceOf(&store.Turn{Reply: `{"outcome":"skipped"}`}, before); e.Outcome != "skipped" {
		t.Errorf("what it said last is %+v", e)
	}
	if e := evidenceOf(&store.Turn{Failure: "The model is overloaded."}, before); e.Outcome != "failed" {
		t.Errorf("after a failure it is %+v", e)
	}
}

func TestAnErrandThatMayNotBeRunStopsTheRun(t *testing.T) {
	d := newDesk(t)
	d.approved(three)
	d.run(plans.Options{})
	d.works(func(t *store.Turn) { t.Unanswered = "the person may not talk to the agent any more" })
	d.idle()
	if p := d.look(); p.Status != "APPROVED" || states(p) != "pending pending pending pending" || p.Run.Note != "the person may not talk to the agent any more" {
		t.Errorf("it is %+v, %+v", p, p.Run)
	}
}

func TestARunThatIsStoppedLeavesItsPhaseToBeDone(t *testing.T) {
	d := newDesk(t)
	d.approved(three)
	d.run(plans.Options{})
	d.says(done)
	brief := store.Brief{Role: Role, More: []byte(`{"plan":1,"run":1,"phase":2}`)}
	if stopping, err := d.Stopping(t.Context(), brief); err != nil || stopping {
		t.Errorf("before: %v, %v", stopping, err)
	}
	if err := d.StopIn(t.Context(), platform.Room{Platform: "test", ID: "elsewhere"}); err != nil || len(d.halted) > 0 {
		t.Errorf("a stop in another room: %v, %v", d.halted, err)
	}
	if err := d.StopIn(t.Context(), platform.Room{Platform: "test", ID: "a"}); err != nil || len(d.halted) != 1 || d.halted[0] != "plan/plan-001" {
		t.Errorf("halted is %v, %v", d.halted, err)
	}
	if stopping, err := d.Stopping(t.Context(), brief); err != nil || !stopping {
		t.Errorf("after it: %v, %v", stopping, err)
	}
	d.works(func(t *store.Turn) { t.Failure = store.StoppedByPerson })
	d.idle()
	p := d.look()
	if p.Status != "APPROVED" || states(p) != "done pending pending pending" || p.Run.State != "stopped" {
		t.Errorf("it is %+v, %+v", p, p.Run)
	}
	_, err := d.Stop(t.Context(), "1")
	d.refused(err, "plan-001 is not running")
	if p := d.run(plans.Options{}); states(p) != "done running pending pending" {
		t.Errorf("then it is %s", states(p))
	}
	if stopping, err := d.Stopping(t.Context(), store.Brief{Role: Role, More: []byte(`{"plan":1,"run":2,"phase":2}`)}); err != nil || stopping {
		t.Errorf("the next run is stopped too: %v, %v", stopping, err)
	}
}

// A stop that comes when the model has just answered ends the run after that phase.
func TestAStopThatComesTooLateForAPhaseKeepsWhatItDid(t *testing.T) {
	d := newDesk(t)
	d.approved(three)
	d.run(plans.Options{})
	if _, err := d.Stop(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	d.says(done)
	d.idle()
	if p := d.look(); states(p) != "done pending pending pending" || p.Run.State != "stopped" || p.Status != "APPROVED" {
		t.Errorf("it is %+v, %+v", p, p.Run)
	}
}

// Lesson: approving a plan does not make its phases stale.
func TestApprovingAPlanKeepsWhatIsDone(t *testing.T) {
	d := newDesk(t)
	d.approved(three)
	d.run(plans.Options{})
	d.says(done)
	d.says(`{"outcome":"failed"}`)
	d.look()
	if _, err := d.Approve(t.Context(), d.ada(), "1"); err != nil {
		t.Fatal(err)
	}
	if p := d.run(plans.Options{}); states(p) != "done running pending pending" {
		t.Errorf("it is %s", states(p))
	}
}

func TestAPlanThatWasChangedSince(t *testing.T) {
	begun := func(t *testing.T) *desk {
		d := newDesk(t)
		d.approved(three)
		d.run(plans.Options{})
		d.says(done)
		d.says(`{"outcome":"failed"}`)
		d.look()
		return d
	}
	t.Run("what was not run yet is made anew", func(t *testing.T) {
		d := begun(t)
		d.edit("## Changes\n\n- One\n- Two\n- Three", "## Changes\n\n- One\n- Two, better\n- Three\n- Four")
		p := d.run(plans.Options{})
		if states(p) != "done running pending pending pending" || p.Phases[1].Title != "Two, better" {
			t.Errorf("it is %+v", p.Phases)
		}
	})
	t.Run("what is done and was changed has to be approved", func(t *testing.T) {
		d := begun(t)
		d.edit("## Changes\n\n- One", "## Changes\n\n- One, otherwise")
		_, _, err := d.Run(t.Context(), d.ada(), "1", plans.Options{})
		d.refused(err, "phase 1 of plan-001 (One) is done, and the plan says something else about it by now; approve plan-001 again")
		d.idle()
		if _, err := d.Approve(t.Context(), d.ada(), "1"); err != nil {
			t.Fatal(err)
		}
		if p := d.run(plans.Options{}); states(p) != "running pending pending pending" {
			t.Errorf("it is %s", states(p))
		}
	})
	t.Run("while it runs", func(t *testing.T) {
		d := newDesk(t)
		d.approved(three)
		d.run(plans.Options{})
		d.edit("- Three\n\n## Risks", "- Three\n- Four\n\n## Risks")
		d.says(done)
		p := d.look()
		if states(p) != "done running pending pending pending" || p.Phases[3].Title != "Four" {
			t.Errorf("it is %+v", p.Phases)
		}
		d.edit("## Changes\n\n- One", "## Changes\n\n- One, otherwise")
		d.says(done)
		d.idle()
		if p := d.look(); p.Status != "APPROVED" || !strings.Contains(p.Run.Note, "approve plan-001 again") {
			t.Errorf("it is %+v, %+v", p, p.Run)
		}
	})
	t.Run("a person ends it in the file", func(t *testing.T) {
		d := newDesk(t)
		d.approved(three)
		d.run(plans.Options{})
		d.edit("status: IMPLEMENTING", "status: CANCELLED")
		d.says(done)
		d.idle()
		if p := d.look(); p.Status != "CANCELLED" || d.status() != Cancelled || p.Run.Note != "its file says CANCELLED" {
			t.Errorf("it is %+v, %+v", p, p.Run)
		}
	})
	t.Run("its file breaks", func(t *testing.T) {
		d := newDesk(t)
		d.approved(three)
		d.run(plans.Options{})
		d.edit("id: plan-001", "id: plan-1")
		d.says(done)
		d.idle()
		run, err := d.Store.LastPlanRun(t.Context(), 1)
		if err != nil || run.State != store.RunStopped || !strings.Contains(run.Note, "its file cannot be read: plan-001-tidy-up.md, line 2") {
			t.Errorf("the run is %+v, %v", run, err)
		}
	})
}

// A crash between the store and the file neither loses an entry nor writes it twice.
func TestWhatWasNotWrittenIsWrittenLaterAndOnce(t *testing.T) {
	d := newDesk(t)
	d.approved("One")
	d.run(plans.Options{})
	d.says(done)
	entries, err := d.Store.UnwrittenEntries(t.Context(), 1)
	if err != nil || len(entries) != 1 {
		t.Fatalf("unwritten are %v, %v", entries, err)
	}
	// It was written into the file, and then the process was killed.
	if _, err := d.Folder.Change(1, func(doc *Document) error {
		return doc.Append(AuditLog, marked(entries[0].Marker)+"\n"+entries[0].Text)
	}); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	w := &Writer{Plans: d.Plans}
	if next, err := w.Next(t.Context()); err != nil || next.IsZero() || next.After(now) { // now was before
		t.Errorf("next is %v, %v", next, err)
	}
	if err := w.Ring(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	if next, err := w.Next(t.Context()); err != nil || !next.IsZero() {
		t.Errorf("then next is %v, %v", next, err)
	}
	if p := d.look(); strings.Count(p.Text, "Phase 1, implement, One: done") != 1 {
		t.Errorf("the file is %s", p.Text)
	}
}

func TestAFileThatCannotBeWrittenIsTriedAgainAfterAWhile(t *testing.T) {
	d := newDesk(t)
	d.approved("One")
	d.run(plans.Options{})
	d.says(done)
	d.edit("id: plan-001", "id: plan-1")
	now := time.Now()
	w := &Writer{Plans: d.Plans}
	if err := w.Ring(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	if next, err := w.Next(t.Context()); err != nil || !next.Equal(now.Add(rest)) {
		t.Errorf("next is %v, %v", next, err)
	}
	file := filepath.Join(d.dir, "plan-001-one.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	put(t, d.dir, "plan-001-one.md", strings.Replace(string(text), "id: plan-1", "id: plan-001", 1))
	if err := w.Ring(t.Context(), now.Add(rest)); err != nil {
		t.Fatal(err)
	}
	if p := d.look(); strings.Count(p.Text, "Phase 1, implement, One: done") != 1 {
		t.Errorf("the file is %s", p.Text)
	}
}

func TestAPhaseIsShownTheProjectsFilesAndNothingElse(t *testing.T) {
	d := newDesk(t)
	d.Project = t.TempDir()
	outside := filepath.Join(t.TempDir(), "outside.txt")
	for name, text := range map[string]string{
		filepath.Join(d.Project, "a.go"): "package a\n```\n", filepath.Join(d.Project, "big.txt"): strings.Repeat("x", longestShown+10),
		filepath.Join(d.Project, ".env"): "KEY=hunter2", filepath.Join(d.Project, "key.txt"): "-----BEGIN RSA PRIVATE KEY-----hunter2", filepath.Join(d.Project, "bin.dat"): "a\x00hunter2",
		outside: "hunter2",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(d.Project, "link.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.go", filepath.Join(d.Project, "inside.go")); err != nil {
		t.Fatal(err)
	}
	d.approved("- Change `a.go`, `inside.go`, `big.txt`, `new.go`, `.env`, `key.txt`, `bin.dat`, `link.txt`, `../outside.txt`, `" + outside + "`")
	d.run(plans.Options{})
	text := d.says(done).Message.Text
	for _, want := range []string{
		"File a.go:\n````\npackage a\n```\n````", "File inside.go:\n````\npackage a", "… (the rest is not shown)", "File new.go: there is no such file yet",
		"File .env: it may hold secrets, which are not shown", "File key.txt: it may hold secrets", "File bin.dat: it is not a text", "File link.txt: it cannot be read",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it is not told %q", want)
		}
	}
	if strings.Contains(text, "hunter2") {
		t.Error("it is told a secret")
	}
}

func TestErrandsOfOthersAreLeftAlone(t *testing.T) {
	d := newDesk(t)
	for _, turn := range []*store.Turn{
		{Session: "forge/plan-001", Brief: &store.Brief{More: []byte(`{"plan":1}`)}},
		{Session: "plan/plan-001"},
		{Session: "plan/plan-001", Brief: &store.Brief{}},
		{Session: "plan/plan-001", Brief: &store.Brief{More: []byte(`{"plan":1,"run":1,"phase":1}`)}},
	} {
		if err := d.Store.In(t.Context(), func(tx store.Tx) error { return d.Ended(t.Context(), tx, turn) }); err != nil {
			t.Error(err)
		}
	}
}
