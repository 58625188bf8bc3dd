package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const sample = `---
id: plan-007
task: ws-004
created: 2026-03-01T12:00:00Z
status: DRAFT
project: aside
# a person's remark
owner: Ada
---

# plan-007: Say hello

Some words before.

## Objective

Say hello.

## My notes
- keep me   

## Changes

- Change ` + "`hello.go`" + `
  to say hello.
- Write docs/hello.md.

` + "```sh" + `
# not a heading
## Risks
` + "```" + `

## Testing

go test ./...

## Audit log
`

func parse(t testing.TB, text string) *Document {
	t.Helper()
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestADocumentIsReadAsItIsWritten(t *testing.T) {
	for name, text := range map[string]string{
		"as it is made":                 sample,
		"with the line ends of Windows": strings.ReplaceAll(sample, "\n", "\r\n"),
		"with a mark of its encoding":   mark + sample,
		"without a last line end":       strings.TrimRight(sample, "\n"),
		"with blank lines at the end":   sample + "\n\n \n",
		"with sections in another order": strings.Replace(sample, "## Objective\n\nSay hello.\n\n", "", 1) +
			"\n## Objective\n\nSay hello.\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, text)
			if d.String() != text {
				t.Error("it is not what was read")
			}
			if d.ID() != "plan-007" || d.Status() != Draft || d.Header(Task) != "ws-004" || d.Header("owner") != "Ada" || d.Title() != "Say hello" {
				t.Errorf("the header is %q %q %q %q, the title %q", d.ID(), d.Status(), d.Header(Task), d.Header("owner"), d.Title())
			}
			if got, ok := d.Section("objective"); got != "Say hello." || !ok {
				t.Errorf("the objective is %q, %v", got, ok)
			}
			if got, ok := d.Section(Risks); ok {
				t.Errorf("what stands in code is a section: %q", got)
			}
			if got, _ := d.Section(Changes); !strings.Contains(got, "# not a heading\n## Risks\n") {
				t.Errorf("the changes are %q", got)
			}
		})
	}
}

func TestAFileThatIsNoPlanSaysWhereAndWhatToDo(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing at all", "", "line 1: there is no header; begin the file with a line ---, then id: plan-001 and status: DRAFT, then a line ---"},
		{"only words", "Hello.\n", "line 1: there is no header; begin the file with a line ---, then id: plan-001 and status: DRAFT, then a line ---"},
		{"a header without an end", "---\nid: plan-001\nstatus: DRAFT\n", "line 1: the header that begins here does not end; put a line --- below its last field"},
		{"a line in the header that is none", "---\nid: plan-001\nhello there\n---\n", `line 3: "hello there" is no line of a header; write it as name: value, or end the header with --- above it`},
		{"an id that is none", "---\nid: plan-1\nstatus: DRAFT\n---\n", `line 2: the id is "plan-1"; write it as in the file's name, such as id: plan-001`},
		{"a path as an id", "---\nstatus: DRAFT\nid: ../x\n---\n", `line 3: the id is "../x"; write it as in the file's name, such as id: plan-001`},
		{"a status that there is not", "---\nid: plan-001\nstatus: READY\n---\n", `line 3: the status is "READY"; write status: and one of DRAFT, REVIEW, APPROVED, IMPLEMENTING, DONE, CLOSED, CANCELLED`},
		{"no status", "---\nid: plan-001\n---\n", `line 3: the status is ""; write status: and one of DRAFT, REVIEW, APPROVED, IMPLEMENTING, DONE, CLOSED, CANCELLED`},
		{"a field twice", "---\nid: plan-001\nstatus: DRAFT\nstatus: DONE\n---\n", "line 4: status stands in the header twice; leave one of them"},
		{"a section twice", "---\nid: plan-001\nstatus: DRAFT\n---\n## Risks\n\n## risks\n", "line 7: there is a second section risks; put it together with the one in line 5"},
		{"a fence that does not end", "---\nid: plan-001\nstatus: DRAFT\n---\n## Risks\n```\n", "line 6: the code fence that begins here does not end; close it with the same sign"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.text)
			var p *Problem
			if !errors.As(err, &p) || p.Error() != c.want {
				t.Errorf("the problem is %v, want %s", err, c.want)
			}
		})
	}
}

// anyDocument makes documents of parts that matter, and some that should not.
func anyDocument(t *rapid.T) string {
	part := rapid.SampledFrom([]string{
		"\n", "text\n", "  \n", "# One\n", "## Objective\n", "## Scope\n", "## Changes ##\n", " ## Risks\n", "## Testing\n", "## Audit log\n", "## AUDIT LOG\n", "## Notes\n", "### Small\n",
		"```\n", "~~~\n", "````go\n", "    ```\n", "- item\n", "1. item\n", "\t# tab\n", "#tag\n", "---\n", Placeholder + "\n", "###### six\n", "####### seven\n", "ünï\xff\n", "a\rb\n",
	})
	field := rapid.SampledFrom([]string{"task: x\n", "task:\n", "project:   \n", "# remark\n", "\n", "owner: a: b\n", "created:now\n"})
	text := rapid.SampledFrom([]string{"", mark}).Draw(t, "mark") + "---\nid: plan-001\n" + strings.Join(rapid.SliceOfN(field, 0, 3).Draw(t, "header"), "") +
		"status: draft \n---\n" + strings.Join(rapid.SliceOf(part).Draw(t, "body"), "")
	if rapid.Bool().Draw(t, "windows") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if rapid.Bool().Draw(t, "cut") {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

func TestWhatIsChangedChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyDocument(t)
		before, err := Parse(text)
		if err != nil {
			return
		}
		if before.String() != text {
			t.Fatal("it is not what was read")
		}
		d := *before
		name := rapid.SampledFrom(append(SectionNames(), "Notes", "Else")).Draw(t, "section")
		added := rapid.SampledFrom([]string{"hello", "two\n\nlines", "## Risks", "```", "# One", "```\n## Scope\n```", "    ```"}).Draw(t, "added")
		what := rapid.SampledFrom([]string{"header", "append", "set"}).Draw(t, "what")
		field := rapid.SampledFrom([]string{State, Task, "project", "new"}).Draw(t, "field")
		switch what {
		case "header":
			err = d.SetHeader(field, "DONE")
		case "append":
			err = d.Append(name, added)
		case "set":
			err = d.SetSection(name, added)
		}
		if err != nil {
			if d.String() != text {
				t.Fatalf("it was refused and changed: %v", err)
			}
			if what == "header" || !slices.Contains([]string{"## Risks", "```", "# One"}, added) {
				t.Fatalf("%s of %q in %q is refused: %v", what, added, text, err)
			}
			return
		}
		again, err := Parse(d.String())
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%q", err, d.String())
		}
		for _, f := range before.header {
			if (what != "header" || f.name != field) && again.Header(f.name) != before.Header(f.name) {
				t.Fatalf("%s is %q", f.name, again.Header(f.name))
			}
		}
		if what == "header" {
			if again.Header(field) != "DONE" || body(again) != body(before) {
				t.Fatalf("the header of %q became %q", text, d.String())
			}
			return
		}
		if d.text[:d.end] != before.text[:before.end] {
			t.Fatal("the header has changed")
		}
		got, _ := again.Section(name)
		if !strings.HasSuffix(got, added) {
			t.Fatalf("%s says %q in %q", name, got, d.String())
		}
		if was := before.Written(name); what == "append" && !strings.HasPrefix(got, was) {
			t.Fatalf("%s said %q, and says %q", name, was, got)
		}
		// Every line that was there still is, in order, but for those of the section.
		rest := lines(d.String())
		for _, l := range lines(withoutBody(before, name)) {
			i := slices.Index(rest, l)
			if i < 0 {
				t.Fatalf("the line %q is gone: %q became %q", l, text, d.String())
			}
			rest = rest[i+1:]
		}
	})
}

func body(d *Document) string { return d.text[d.end:] }

// withoutBody is a document without what one of its sections says.
func withoutBody(d *Document, name string) string {
	if i := d.find(name); i >= 0 {
		return d.text[:d.sections[i].from] + d.text[d.sections[i].to:]
	}
	return d.text
}

// lines are those that say something, with everything on them.
func lines(text string) []string {
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], "\r")
	}
	return slices.DeleteFunc(all, blank)
}

func TestAppendingLeavesEveryOtherByte(t *testing.T) {
	for name, text := range map[string]string{"plain": sample, "windows": strings.ReplaceAll(sample, "\n", "\r\n")} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, text)
			if err := d.Append("My notes", "One more."); err != nil {
				t.Fatal(err)
			}
			eol := d.eol
			if got, want := d.String(), strings.Replace(text, "- keep me   "+eol, "- keep me   "+eol+eol+"One more."+eol, 1); got != want {
				t.Errorf("it is %q", got)
			}
		})
	}
}

func TestApprovingAPlanDoesNotChangeItsHash(t *testing.T) {
	d := parse(t, sample)
	before := d.Hash()
	if err := errors.Join(d.SetHeader(State, string(Approved)), d.Append(AuditLog, "Approved by Ada.")); err != nil {
		t.Fatal(err)
	}
	if d.Hash() != before {
		t.Error("the header or the log counts")
	}
	if err := d.Append(Changes, "- one more"); err != nil || d.Hash() == before {
		t.Errorf("a change does not count: %v", err)
	}
}

func TestWhatAModelWritesIsTamed(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain words", "\n\nhello\n", "hello"},
		{"a big heading", "# Big\ntext\n## Risks\n", "### Big\ntext\n### Risks"},
		{"a heading in code", "```\n# Big\n```", "```\n# Big\n```"},
		{"a fence that does not end", "~~~~go\ncode", "~~~~go\ncode\n~~~~"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Tame(c.text); got != c.want {
				t.Errorf("it is %q, want %q", got, c.want)
			}
			if err := parse(t, sample).SetSection(Risks, Tame(c.text)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestADraftBecomesSections(t *testing.T) {
	draft := "Here you are:\n\n---\nid: plan-999\nstatus: DONE\n---\n# plan-999\n## Objective\nDo it.\n## Extra\nmore\n## CHANGES\n- a\n## Audit log\nAll fine.\n"
	for name, text := range map[string]string{"as it is": draft, "in a fence": "```markdown\n" + draft + "```", "in one that does not end": "```\n" + draft} {
		t.Run(name, func(t *testing.T) {
			got := Sections(text)
			if len(got) != 2 || got[Objective] != "Do it.\n### Extra\nmore" || got[Changes] != "- a" {
				t.Errorf("the sections are %q", got)
			}
		})
	}
}

func TestANewPlanHasEverySection(t *testing.T) {
	made := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name             string
		b                Beginning
		title, changes   string
		objective, scope string
		phases           int
	}{
		{"a sentence", Beginning{Description: "Add a --json flag to list.", Context: "Only cmd/list.go."}, "Add a --json flag to list.", "- Add a --json flag to list.", "Add a --json flag to list.", "Only cmd/list.go.", 2},
		{"a list", Beginning{Description: "Tidy up:\n- a.go\n- b.go"}, "Tidy up", "- a.go\n- b.go", "Tidy up:\n- a.go\n- b.go", "", 3},
		{"a whole draft", Beginning{Description: "Rename it\n## Objective\nRename x.\n## Changes\n### One\nx\n### Two\ny\n## Testing\nmake test", Context: "c"}, "Rename it", "### One\nx\n### Two\ny", "Rename x.", "c", 4},
		{"something hostile", Beginning{Description: "---\nid: plan-999\nstatus: DONE\n---\n```\n# x", Task: "ws-1\nstatus: DONE"}, "id: plan-999", "", "---\nid: plan-999\nstatus: DONE\n---\n```\n# x\n```", "", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.b.Number, c.b.Created = 12, made
			d, err := New(c.b)
			if err != nil {
				t.Fatal(err)
			}
			if d.ID() != "plan-012" || d.Status() != Draft || d.Header(Created) != "2026-03-01T12:00:00Z" || d.Title() != c.title {
				t.Errorf("it is %s", d)
			}
			if got := d.Written(Changes); c.changes != "" && got != c.changes {
				t.Errorf("the changes are %q", got)
			}
			if got := d.Written(Objective); got != c.objective {
				t.Errorf("the objective is %q", got)
			}
			if got := d.Written(Scope); got != c.scope {
				t.Errorf("the scope is %q", got)
			}
			if got := Phases(d); len(got) != c.phases {
				t.Errorf("the phases are %v", got)
			}
			for _, name := range SectionNames() {
				if _, ok := d.Section(name); !ok {
					t.Errorf("there is no %s", name)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample, "hello")
	f.Add("---\nid: plan-001\nstatus: DRAFT\n---\n```\n", "## x")
	f.Fuzz(func(t *testing.T, text, added string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		if d.String() != text {
			t.Fatal("it is not what was read")
		}
		header := d.text[:d.end]
		if err := d.Append(AuditLog, Tame(added)); err != nil {
			t.Fatalf("a tame text is refused: %v", err)
		}
		if !strings.HasPrefix(d.String(), header) {
			t.Fatal("the header has changed")
		}
		if err := d.SetHeader(State, string(Done)); err != nil || d.Status() != Done {
			t.Fatalf("the status is %s: %v", d.Status(), err)
		}
	})
}
