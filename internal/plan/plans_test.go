package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A desk has plans, the store they are in, and what became of them.
type desk struct {
	*Plans
	t      *testing.T
	dir    string
	tasks  *board
	shown  []Shown
	halted []string
	calls  int
}

// board is a board of tasks in memory.
type board struct{ open, closed []string }

func (b *board) Create(_ context.Context, key string, _ store.Asker, title, _ string) (string, error) {
	if !slices.Contains(b.open, key) {
		b.open = append(b.open, key)
	}
	return fmt.Sprintf("ws-%03d", slices.Index(b.open, key)+1), nil
}

func (b *board) Close(_ context.Context, _ store.Tx, _ string, _ store.Asker, id, reason string) error {
	b.closed = append(b.closed, id+" "+reason)
	return nil
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := storetest.Dir(t)
	s, err := store.Open(t.Context(), "sqlite", dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return newDeskOn(t, s, filepath.Join(dir, "plans"))
}

func newDeskOn(t *testing.T, s *store.Store, dir string) *desk {
	d := &desk{t: t, dir: dir, tasks: &board{}}
	d.Plans = &Plans{
		Store: s, Folder: NewFolder(dir), Now: time.Now, Logger: slog.New(slog.DiscardHandler), Tasks: d.tasks,
		Display: func(_ context.Context, _ store.Tx, s Shown) error { d.shown = append(d.shown, s); return nil },
		Halt:    func(session string) { d.halted = append(d.halted, session) },
	}
	return d
}

// ada asks for something that nobody has asked for before.
func (d *desk) ada() plans.By {
	d.calls++
	return plans.By{
		Key: fmt.Sprintf("call-%d", d.calls), Room: platform.Room{Platform: "test", ID: "a"}, Parent: "p", Message: "m1",
		Person: platform.Person{ID: "ada", Name: "Ada", Handle: "@ada"},
	}
}

func (d *desk) create(description string) plans.Plan {
	d.t.Helper()
	p, err := d.Create(d.t.Context(), d.ada(), description, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// approved is a plan that may be run.
func (d *desk) approved(description string) plans.Plan {
	d.t.Helper()
	p, err := d.Approve(d.t.Context(), d.ada(), d.create(description).ID)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

func (d *desk) run(o plans.Options) plans.Plan {
	d.t.Helper()
	p, _, err := d.Run(d.t.Context(), d.ada(), "1", o)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// edit changes the file of plan-001 as a person does.
func (d *desk) edit(old, text string) {
	d.t.Helper()
	file, err := d.Folder.Read(1)
	if err != nil {
		d.t.Fatal(err)
	}
	if !strings.Contains(file.String(), old) {
		d.t.Fatalf("there is no %q in %s", old, file)
	}
	put(d.t, d.dir, file.Name, strings.Replace(file.String(), old, text, 1))
}

// works has the errand that is open come to something, as the engine does, and returns what
// the model was told.
func (d *desk) works(change func(*store.Turn)) *store.Turn {
	d.t.Helper()
	ctx := d.t.Context()
	if _, err := d.Store.Claim(ctx, 10); err != nil {
		d.t.Fatal(err)
	}
	turn, err := d.Store.NextTurn(ctx, "plan/plan-001")
	if err != nil || turn == nil {
		d.t.Fatalf("there is no errand: %v", err)
	}
	turn.Problems, turn.Timings = json.RawMessage("[]"), json.RawMessage("{}")
	change(turn)
	if err := d.Store.SaveReply(ctx, turn, store.Reply{Unanswered: turn.Unanswered}); err != nil {
		d.t.Fatal(err)
	}
	if err := d.Store.SettleAnd(ctx, turn, nil, func(ctx context.Context, tx store.Tx) error { return d.Ended(ctx, tx, turn) }); err != nil {
		d.t.Fatal(err)
	}
	return turn
}

// says has the model reply something.
func (d *desk) says(reply string) *store.Turn {
	d.t.Helper()
	return d.works(func(t *store.Turn) { t.Reply, t.Shown = reply, reply })
}

const done = `Done. {"outcome":"done","did":"changed it","checks":["go test: ok"],"problems":[]}`

// idle checks that nothing is left to be worked on.
func (d *desk) idle() {
	d.t.Helper()
	if err := d.Store.In(d.t.Context(), func(tx store.Tx) error {
		n, err := tx.OpenErrands(d.t.Context(), "plan/plan-001")
		if n != 0 {
			d.t.Errorf("%d errands are open", n)
		}
		return err
	}); err != nil {
		d.t.Fatal(err)
	}
}

// look is the plan now, with its file written.
func (d *desk) look() plans.Plan {
	d.t.Helper()
	if err := d.Write(d.t.Context(), 1); err != nil {
		d.t.Fatal(err)
	}
	p, err := d.Show(d.t.Context(), "plan-001")
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

func states(p plans.Plan) string {
	var all []string
	for _, phase := range p.Phases {
		all = append(all, phase.State)
	}
	return strings.Join(all, " ")
}

// status is what the file itself says.
func (d *desk) status() Status {
	d.t.Helper()
	file, err := d.Folder.Read(1)
	if err != nil {
		d.t.Fatal(err)
	}
	return file.Status()
}

func (d *desk) refused(err error, want string) {
	d.t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		d.t.Errorf("it is refused with %v, want %s", err, want)
	}
}

func TestAPlanIsCreatedOnceWithItsTask(t *testing.T) {
	d := newDesk(t)
	by := d.ada()
	first, err := d.Create(t.Context(), by, "Say hello", "Kindly.")
	if err != nil {
		t.Fatal(err)
	}
	if first.ID != "plan-001" || first.Task != "ws-001" || first.Status != "DRAFT" || first.By != "Ada" || first.Maker != "ada" || first.Room != "test/a" {
		t.Errorf("it is %+v", first)
	}
	again, err := d.Create(t.Context(), by, "Say hello", "Kindly.")
	if err != nil || again.ID != first.ID || again.File != first.File {
		t.Errorf("the second time it is %+v, %v", again, err)
	}
	if len(d.tasks.open) != 1 {
		t.Errorf("the tasks are %v", d.tasks.open)
	}
	if second := d.create("Say goodbye"); second.ID != "plan-002" {
		t.Errorf("the next is %+v", second)
	}
	for _, id := range []string{"plan-001", "001", "1", "ws-001", "WS-001", "plan-001-say-hello.md"} {
		if p, err := d.Show(t.Context(), id); err != nil || p.ID != "plan-001" || !strings.Contains(p.Text, "Kindly.") {
			t.Errorf("%s is %+v, %v", id, p, err)
		}
	}
	_, err = d.Show(t.Context(), "ws-009")
	d.refused(err, "there is no such plan; planList shows those there are")
}

// A crash between any two steps of making a plan is made good by doing it again.
func TestAPlanWhoseFileWasNotWrittenIsMadeByDoingItAgain(t *testing.T) {
	d := newDesk(t)
	by := d.ada()
	if _, err := d.Store.AddPlan(t.Context(), store.Plan{Key: by.Key, By: askerOf(by)}, 0); err != nil {
		t.Fatal(err)
	}
	p, err := d.Create(t.Context(), by, "Say hello", "")
	if err != nil || p.ID != "plan-001" || p.Task != "ws-001" {
		t.Errorf("it is %+v, %v", p, err)
	}
}

func TestPlansAreListedByStatusWithFilesThatAreNone(t *testing.T) {
	d := newDesk(t)
	d.approved("One")
	d.create("Two")
	put(t, d.dir, "plan-007-mine.md", "---\nid: plan-007\nstatus: approved\n---\n## Changes\n- by hand\n")
	put(t, d.dir, "plan-008-bad.md", "nothing")
	for status, want := range map[string]string{"": "plan-001 plan-002 plan-007", "approved": "plan-001 plan-007", "DRAFT": "plan-002", "DONE": ""} {
		all, wrong, err := d.List(t.Context(), status)
		var ids []string
		for _, p := range all {
			ids = append(ids, p.ID)
		}
		if got := strings.Join(ids, " "); got != want || err != nil || len(wrong) != 1 || !strings.HasPrefix(wrong[0], "plan-008-bad.md, line 1: there is no header") {
			t.Errorf("with %q it is %s, %v, %v", status, got, wrong, err)
		}
	}
	_, _, err := d.List(t.Context(), "ready")
	d.refused(err, `"ready" is no status of a plan`)
	if next := d.create("Three"); next.ID != "plan-008" && next.ID != "plan-009" {
		t.Errorf("the next is %s", next.ID)
	}
}

func TestAFileThatAPersonPutThereIsAPlan(t *testing.T) {
	d := newDesk(t)
	put(t, d.dir, "plan-001.md", "---\nid: plan-001\nstatus: APPROVED\n---\n## Changes\n- by hand\n")
	p := d.run(plans.Options{})
	if p.Status != "IMPLEMENTING" || states(p) != "running pending" || p.Maker != "" {
		t.Errorf("it is %+v", p)
	}
}

func TestApprovingAndClosingChangeTheFileAndNothingElseInIt(t *testing.T) {
	d := newDesk(t)
	d.create("Say hello")
	d.edit("## Risks", "## My own\n\nkeep\n\n## Risks")
	before, _ := d.Show(t.Context(), "1")
	by := d.ada()
	if _, err := d.Approve(t.Context(), by, "1"); err != nil {
		t.Fatal(err)
	}
	after, err := d.Approve(t.Context(), by, "1") // it is repeated after a crash
	if err != nil || after.Status != "APPROVED" {
		t.Fatalf("%+v, %v", after, err)
	}
	head, log, _ := strings.Cut(after.Text, "## Audit log")
	if want := strings.Replace(strings.TrimSuffix(before.Text, "## Audit log\n"), "status: DRAFT", "status: APPROVED", 1); head != want {
		t.Errorf("the file is %s", after.Text)
	}
	if strings.Count(log, "UTC: APPROVED by Ada.") != 1 {
		t.Errorf("the log is %s", log)
	}
	closed, err := d.Close(t.Context(), d.ada(), "1")
	if err != nil || closed.Status != "CLOSED" || d.status() != Closed || !slices.Equal(d.tasks.closed, []string{"ws-001 the plan was closed"}) {
		t.Errorf("closed it is %+v, %v; tasks %v", closed, err, d.tasks.closed)
	}
	if _, err := d.Close(t.Context(), d.ada(), "1"); err != nil {
		t.Errorf("closing what is closed: %v", err)
	}
	_, err = d.Approve(t.Context(), d.ada(), "1")
	d.refused(err, "plan-001 is CLOSED, and that is its end")
	_, _, err = d.Run(t.Context(), d.ada(), "1", plans.Options{})
	d.refused(err, "plan-001 is CLOSED, and that is its end")
}

func TestAFileThatCannotBeReadIsSaidWithItsLine(t *testing.T) {
	d := newDesk(t)
	d.create("Say hello")
	d.edit("status: DRAFT", "status: MAYBE")
	for name, do := range map[string]func() error{
		"show":    func() error { _, err := d.Show(t.Context(), "1"); return err },
		"approve": func() error { _, err := d.Approve(t.Context(), d.ada(), "1"); return err },
		"close":   func() error { _, err := d.Close(t.Context(), d.ada(), "1"); return err },
		"run":     func() error { _, _, err := d.Run(t.Context(), d.ada(), "1", plans.Options{}); return err },
	} {
		t.Run(name, func(t *testing.T) {
			d.refused(do(), `plan-001-say-hello.md, line 5: the status is "MAYBE"; write status: and one of`)
		})
	}
	text, err := os.ReadFile(filepath.Join(d.dir, "plan-001-say-hello.md"))
	if err != nil || !strings.Contains(string(text), "MAYBE") {
		t.Errorf("the file is %s, %v", text, err)
	}
}
