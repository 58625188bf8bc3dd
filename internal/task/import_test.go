package task_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/task"
)

var operator = tasks.By{Platform: "operator", Name: "operator"}

func importLines(t *testing.T, b *task.Board, lines ...string) task.Report {
	t.Helper()
	report, err := b.Import(t.Context(), operator, strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

const shipIt = `{"id":"ws-004","title":"Ship it","description":"Soon.","status":"in_progress","priority":1,"issue_type":"feature","owner":"grace","external_ref":"discord:1234567890123","labels":["Ops"],"comments":[{"author":"bob","body":"Nearly there.","created_at":"2026-01-03T10:00:00Z"}],"created_at":"2026-01-02T10:00:00Z","updated_at":"2026-01-04T10:00:00.5+01:00"}`

func TestAnImportKeepsWhatATaskSays(t *testing.T) {
	b := newBoard(t)
	report := importLines(t, b, "\ufeff"+shipIt, "",
		`{"id":"ws-2","title":"Done","status":"done","closed_at":"2026-01-05T00:00:00Z","close_reason":"It was easy.","priority":"P0","labels":"a, b","external_ref":"gh-12"}`+"\r")
	if report.Added != 2 || report.Unchanged != 0 || len(report.Refused)+len(report.Notes) != 0 {
		t.Errorf("the report is %+v", report)
	}
	got, err := b.Show(t.Context(), "<#1234567890123>")
	if err != nil || got.ID != "ws-004" || got.Title != "Ship it" || got.Description != "Soon." || got.Status != tasks.InProgress || got.Priority != 1 ||
		got.By != "grace" || strings.Join(got.Labels, " ") != "ops feature" || got.Created.String() != "2026-01-02 10:00:00 +0000 UTC" ||
		got.Updated.String() != "2026-01-04 09:00:00.5 +0000 UTC" || got.Changed.Year() != 2026 || got.Changed.Month() != 3 {
		t.Errorf("it is %+v, %v", got, err)
	}
	if len(got.History) != 2 || got.History[0].What != "comment: Nearly there." || got.History[0].By != "bob" || got.History[1].What != "imported" || got.History[1].By != "operator" {
		t.Errorf("its history is %+v", got.History)
	}
	done, err := b.Show(t.Context(), "gh-12")
	if err != nil || done.ID != "ws-002" || done.Status != tasks.Closed || done.Reason != "It was easy." || done.Closed.Day() != 5 || done.Priority != 0 || len(done.Labels) != 2 {
		t.Errorf("it is %+v, %v", done, err)
	}
	if next := create(t, b, tasks.New{Title: "next"}); next.ID != "ws-005" {
		t.Errorf("the next one is %s", next.ID)
	}
}

func TestASecondImportChangesNothing(t *testing.T) {
	b := newBoard(t)
	lines := []string{shipIt, `{"id":"bd-a1b2","title":"From elsewhere","priority":3}`, `{"title":"Without a name"}`}
	importLines(t, b, lines...)
	title := "Shipped"
	if _, _, err := b.Update(t.Context(), ada, "ws-004", tasks.Change{Title: &title}); err != nil {
		t.Fatal(err)
	}
	before, _, err := b.List(t.Context(), tasks.Query{Status: tasks.All})
	if err != nil {
		t.Fatal(err)
	}
	report := importLines(t, b, lines...)
	after, _, err := b.List(t.Context(), tasks.Query{Status: tasks.All})
	if err != nil || report.Added != 0 || report.Unchanged != 3 || len(report.Refused)+len(report.Notes) != 0 || fmt.Sprintf("%+v", before) != fmt.Sprintf("%+v", after) {
		t.Errorf("the report is %+v, %v; there were\n%+v\nand are\n%+v", report, err, before, after)
	}
}

func TestATaskWhoseNameIsTakenGetsAnother(t *testing.T) {
	b := newBoard(t)
	create(t, b, tasks.New{Title: "was here first"})
	report := importLines(t, b,
		`{"id":"ws-001","title":"came later","external_ref":"gh-1"}`,
		`{"id":"dev-001","title":"of another board"}`,
		`{"id":"proj-a3f.1","title":"oddly named"}`,
		shipIt,
		strings.Replace(shipIt, "2026-01-02", "2025-01-02", 1)) // another task with its name and its thread
	var notes []string
	for _, n := range report.Notes {
		notes = append(notes, fmt.Sprint(n.Line, " ", n.Why))
	}
	want := "1 ws-001 is now ws-002; 3 proj-a3f.1 is now ws-003; 5 another task has its thread; 5 ws-004 is now ws-005"
	if report.Added != 5 || strings.Join(notes, "; ") != want {
		t.Errorf("the report is %+v", report)
	}
	for id, external := range map[string]string{"ws-002": "ws-001, gh-1", "dev-1": "", "proj-a3f.1": "proj-a3f.1", "ws-005": "ws-004, discord:1234567890123"} {
		if got, err := b.Show(t.Context(), id); err != nil || got.External != external {
			t.Errorf("%s is %+v, %v", id, got, err)
		}
	}
}

func TestABadLineIsReportedAndTheRestImported(t *testing.T) {
	b := newBoard(t)
	report := importLines(t, b,
		`{"title":"one"}`,
		`not JSON`,
		`{"title":"two"} {"title":"three"}`,
		`["title"]`, `null`,
		`{"id":"ws-9"}`,
		`{"title":"x","status":"lost"}`,
		`{"title":"x","priority":7}`, `{"title":"x","priority":true}`,
		`{"title":"x","created_at":"yesterday"}`,
		`{"title":"x","labels":["`+strings.Repeat("x", 51)+`"]}`,
		`{"title":"`+strings.Repeat("x", 1<<20)+`"}`,
		`{"title":"last","description":"`+strings.Repeat("é", 1901)+`"}`)
	var refused []string
	for _, r := range report.Refused {
		refused = append(refused, fmt.Sprint(r.Line, " ", r.Why))
	}
	want := []string{
		"2 it is not a JSON object", "3 it is not a JSON object", "4 it is not a JSON object", "5 it is not a JSON object",
		"6 a task needs a title", `7 nobody knows the status "lost"; there are open, in_progress, blocked and closed`,
		`8 its priority "7" is no number from 0 to 4`, `9 its priority "" is no number from 0 to 4`,
		`10 its created_at "yesterday" is no time, such as 2026-03-01T12:00:00Z`, "11 a tag has at most 50 characters, got 51",
		"12 it is longer than 1024 KB",
	}
	if report.Added != 2 || strings.Join(refused, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d were added, and refused\n%s", report.Added, strings.Join(refused, "\n"))
	}
	last, err := b.Show(t.Context(), "2")
	if err != nil || len(report.Notes) != 1 || len([]rune(last.Description)) != 1900 || last.History[0].What != "description: "+strings.Repeat("é", 1901) {
		t.Errorf("the last is %+v, %v: %+v", last, err, report.Notes)
	}
}

func TestAnImportOfManyTasksThatBreaksOffCanBeMadeAgain(t *testing.T) {
	b := newBoard(t)
	var lines []string
	for i := range 250 {
		lines = append(lines, fmt.Sprintf(`{"id":"ws-%03d","title":"task %d"}`, i+1, i))
	}
	all := strings.Join(lines, "\n")
	broken := io.MultiReader(strings.NewReader(all[:len(all)*2/3]), iotest.ErrReader(errors.New("the wire was cut")))
	report, err := b.Import(t.Context(), operator, broken)
	if err == nil || report.Added != 100 {
		t.Errorf("%d were added, %v", report.Added, err)
	}
	if report := importLines(t, b, all); report.Added != 150 || report.Unchanged != 100 {
		t.Errorf("then the report is %+v", report)
	}
}

// What is imported is hostile: whatever it is, nothing breaks, and a second time changes
// nothing.
func TestImportingAnythingTwiceChangesNothing(t *testing.T) {
	b := newBoard(t)
	odd := rapid.OneOf(rapid.SampledFrom([]string{
		`"`, `{`, `}`, `[`, `null`, `1e9`, `-1`, `\u0000`, "\x00", "\xff", `,`, `"title":""`, `"id":7`, "\n", "\u00a0", `"labels":["a b"," "]`, `9999999999999999`,
	}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		lines := shipIt
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			from := rapid.IntRange(0, len(lines)).Draw(t, "from")
			to := min(len(lines), from+rapid.IntRange(0, 12).Draw(t, "length"))
			lines = lines[:from] + odd.Draw(t, "odd") + lines[to:]
		}
		var reports []task.Report
		for range 2 {
			report, err := b.Import(context.Background(), operator, strings.NewReader(lines))
			if err != nil {
				t.Fatal(err)
			}
			reports = append(reports, report)
		}
		first, second := reports[0], reports[1]
		if second.Added != 0 || second.Unchanged != first.Added+first.Unchanged || len(second.Refused) != len(first.Refused) {
			t.Errorf("first %+v, then %+v", first, second)
		}
	})
}
