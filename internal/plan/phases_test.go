package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func document(t *testing.T, sections ...string) *Document {
	t.Helper()
	text := "---\nid: plan-001\nstatus: APPROVED\n---\n"
	for i := 0; i < len(sections); i += 2 {
		text += fmt.Sprintf("\n## %s\n\n%s\n", sections[i], sections[i+1])
	}
	return parse(t, text)
}

func TestThePhasesOfAPlan(t *testing.T) {
	for _, c := range []struct {
		name string
		d    *Document
		want []string
	}{
		{"nothing is to be changed", document(t, Objective, "Think.", Testing, "make test"), nil},
		{"the changes are not written yet", document(t, Changes, Placeholder), nil},
		{"one change in words", document(t, Changes, "Rename it."), []string{"implement: Rename it.", "audit: Compare with the objective"}},
		{
			"items with lines of their own", document(t, Changes, "First:\n- Change `a.go`\n  and more\n  - a part\n* [ ] Write **docs**\n3) Third", Testing, "make test"),
			[]string{"implement: Change a.go", "implement: Write docs", "implement: Third", "read: Run the checks", "audit: Compare with the objective"},
		},
		{
			"headings before items", document(t, Changes, "Intro\n### One\n- a\n- b\n### Two\nx\n```\n### no\n```"),
			[]string{"implement: One", "implement: Two", "audit: Compare with the objective"},
		},
		{"an item in code is none", document(t, Changes, "```\n- a\n```"), []string{"implement: a", "audit: Compare with the objective"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range Phases(c.d) {
				got = append(got, p.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the phases are %q, want %q", got, c.want)
			}
		})
	}
}

func TestAPhaseHasTheWholeTextOfItsItem(t *testing.T) {
	d := document(t, Objective, "Be kind.", Scope, "All of it.", Changes, "- one\n  more\n\n  and more\n- two")
	phases := Phases(d)
	if len(phases) != 3 || phases[0].Text != "- one\n  more\n\n  and more" || phases[1].Text != "- two" {
		t.Fatalf("the phases are %+v", phases)
	}
	if want := "Objective:\nBe kind.\n\nScope:\nAll of it."; phases[2].Text != want {
		t.Errorf("the audit is about %q", phases[2].Text)
	}
	other := Phases(document(t, Changes, "- one\n  more\n\n  and more\n- three"))
	if other[0].Hash() != phases[0].Hash() || other[1].Hash() == phases[1].Hash() {
		t.Error("a phase is known by its text")
	}
}

func TestTheFilesThatATextNames(t *testing.T) {
	for text, want := range map[string]string{
		"Change `a.go` and `cmd/b.go`.":                  "a.go cmd/b.go",
		"In internal/plan/doc.go, doc.md and (main.go):": "internal/plan/doc.go doc.md main.go",
		"Run `go test ./...` for e.g. version 1.2":       "",
		"`./x/../y.go` and `y.go`":                       "y.go",
		"`/etc/passwd` `../../secret.txt` ../up.go":      "",
		"see https://example.com/page.html":              "",
		"`https://example.com/page.html`":                "",
		"`Makefile` and `internal/plan`":                 "internal/plan",
		"`a b.go` `x*.go`":                               "",
	} {
		if got := strings.Join(filesIn(text), " "); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
	many := ""
	for i := range 50 {
		many += fmt.Sprintf("`f%d.go` ", i)
	}
	if got := filesIn(many); len(got) != mostFiles {
		t.Errorf("there are %d", len(got))
	}
}
