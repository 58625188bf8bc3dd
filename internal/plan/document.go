package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The sections that a plan has. There may be others, in any order, and some may be missing.
const (
	Objective = "Objective"
	Scope     = "Scope"
	Changes   = "Changes"
	Risks     = "Risks"
	Testing   = "Testing"
	AuditLog  = "Audit log"
)

// SectionNames are the names of the sections in the order in which a new plan has them.
func SectionNames() []string { return []string{Objective, Scope, Changes, Risks, Testing, AuditLog} }

// The fields of the header.
const (
	ID      = "id"
	Task    = "task"
	Created = "created"
	State   = "status"
	Project = "project"
)

// Placeholder stands in a section that nobody has written yet.
const Placeholder = "_Not written yet._"

// A Document is the text of a plan and where its parts stand in it. Whatever is changed in
// it, everything else stays as it was, byte for byte.
type Document struct {
	text     string
	eol      string // what a line ends with
	header   []field
	end      int // where the line stands that ends the header
	title    string
	sections []Section
}

// A field of the header.
type field struct {
	name     string
	from, to int // where its value stands
}

// A Section is what stands below a heading.
type Section struct {
	Name     string
	Level    int // of the heading: 2, or 1 for what no plan has by itself
	Line     int
	Body     string // with all its blank lines
	from, to int    // where the body stands
}

// A Problem is why a file is no plan. It is for the person who edits the file.
type Problem struct {
	File string // "" where nobody knows
	Line int
	What string // is wrong
	Do   string // about it
}

func (p *Problem) Error() string {
	where := fmt.Sprintf("line %d", p.Line)
	if p.File != "" {
		where = p.File + ", " + where
	}
	return where + ": " + p.What + "; " + p.Do
}

// mark is what some editors put at the beginning of a file.
const mark = "\ufeff"

// Parse reads the text of a plan. Where it is none, the error is a *Problem.
func Parse(text string) (*Document, error) {
	d := &Document{text: text, eol: "\n"}
	begin := len(text) - len(strings.TrimPrefix(text, mark))
	if first, _, _ := strings.Cut(text, "\n"); strings.HasSuffix(first, "\r") {
		d.eol = "\r\n"
	}
	next, number, err := d.readHeader(begin)
	if err != nil {
		return nil, err
	}
	return d, d.readBody(next, number)
}

// readHeader reads the header, and returns where the rest begins.
func (d *Document) readHeader(at int) (next, number int, err error) {
	for number = 1; at < len(d.text); number++ {
		to := len(d.text)
		if n := strings.IndexByte(d.text[at:], '\n'); n >= 0 {
			to = at + n + 1
		}
		text := strings.TrimRight(d.text[at:to], " \t\r\n")
		switch {
		case number == 1 && text != "---":
			return 0, 0, noHeader
		case number > 1 && text == "---":
			d.end = at
			return to, number + 1, d.checkHeader(number)
		case number > 1 && text != "" && !strings.HasPrefix(text, "#"):
			f, ok := fieldIn(text, at)
			if !ok {
				return 0, 0, &Problem{Line: number, What: fmt.Sprintf("%q is no line of a header", clip(text)), Do: "write it as name: value, or end the header with --- above it"}
			}
			if slices.ContainsFunc(d.header, func(other field) bool { return other.name == f.name }) {
				return 0, 0, &Problem{Line: number, What: f.name + " stands in the header twice", Do: "leave one of them"}
			}
			d.header = append(d.header, f)
		}
		at = to
	}
	if number == 1 {
		return 0, 0, noHeader
	}
	return 0, 0, &Problem{Line: 1, What: "the header that begins here does not end", Do: "put a line --- below its last field"}
}

var noHeader = &Problem{Line: 1, What: "there is no header", Do: "begin the file with a line ---, then id: plan-001 and status: DRAFT, then a line ---"}

// fieldIn is the field on a line that stands at an offset.
func fieldIn(text string, at int) (field, bool) {
	name, value, ok := strings.Cut(text, ":")
	bare := strings.ToLower(strings.TrimSpace(name))
	if !ok || bare == "" || strings.ContainsAny(bare, " \t") {
		return field{}, false
	}
	to := at + len(text)
	return field{name: bare, from: to - len(strings.TrimLeft(value, " \t")), to: to}, true
}

// An id is plan- and a number of three digits or more, without further zeros.
var idPattern = regexp.MustCompile(`^plan-([0-9]{3}|[1-9][0-9]{3,8})$`)

// checkHeader checks what the program relies on.
func (d *Document) checkHeader(last int) error {
	lineOf := func(name string) int {
		for _, f := range d.header {
			if f.name == name {
				return 1 + strings.Count(d.text[:f.from], "\n")
			}
		}
		return last
	}
	if id := d.Header(ID); !idPattern.MatchString(id) {
		return &Problem{Line: lineOf(ID), What: fmt.Sprintf("the id is %q", clip(id)), Do: "write it as in the file's name, such as id: plan-001"}
	}
	if _, err := ReadStatus(d.Header(State)); err != nil {
		return &Problem{Line: lineOf(State), What: fmt.Sprintf("the status is %q", clip(d.Header(State))), Do: "write status: and one of " + statusList()}
	}
	return nil
}

// readBody finds the sections.
func (d *Document) readBody(at, number int) error {
	lines, open := readLines(d.text, at, number)
	if open > 0 {
		return &Problem{Line: open, What: "the code fence that begins here does not end", Do: "close it with the same sign"}
	}
	for _, l := range lines {
		switch {
		case l.level == 1 && d.sections == nil && d.title == "":
			d.title = l.heading
		case l.level == 1 || l.level == 2:
			if known(l.heading) && l.level == 2 && d.find(l.heading) >= 0 {
				return &Problem{Line: l.number, What: "there is a second section " + l.heading, Do: fmt.Sprintf("put it together with the one in line %d", d.sections[d.find(l.heading)].Line)}
			}
			d.sections = append(d.sections, Section{Name: l.heading, Level: l.level, Line: l.number, from: l.to, to: l.to})
		case d.sections != nil:
			d.sections[len(d.sections)-1].to = l.to
		}
	}
	for i, s := range d.sections {
		d.sections[i].Body = d.text[s.from:s.to]
	}
	return nil
}

func known(name string) bool {
	return slices.ContainsFunc(SectionNames(), func(own string) bool { return strings.EqualFold(own, name) })
}

// find is the number of the section with a name, -1 if there is none.
func (d *Document) find(name string) int {
	return slices.IndexFunc(d.sections, func(s Section) bool { return s.Level == 2 && strings.EqualFold(s.Name, name) })
}

// String is the text of the document.
func (d *Document) String() string { return d.text }

// Header is a field of the header, "" if it is not there.
func (d *Document) Header(name string) string {
	for _, f := range d.header {
		if f.name == name {
			return d.text[f.from:f.to]
		}
	}
	return ""
}

// ID is which plan it is.
func (d *Document) ID() string { return d.Header(ID) }

// Status is how far it has come, as the file says.
func (d *Document) Status() Status {
	s, _ := ReadStatus(d.Header(State)) // Parse has seen to it
	return s
}

// Title is what the plan is called, its id where it is not called anything.
func (d *Document) Title() string {
	title := d.title
	if rest, ok := strings.CutPrefix(title, d.ID()); ok && (rest == "" || strings.HasPrefix(rest, ":")) {
		title = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
	}
	if title == "" {
		return d.ID()
	}
	return title
}

// Sections are the document's sections in order.
func (d *Document) Sections() []Section { return slices.Clone(d.sections) }

// Section is what a section says, without blank lines around it; ok tells whether it is
// there.
func (d *Document) Section(name string) (body string, ok bool) {
	i := d.find(name)
	if i < 0 {
		return "", false
	}
	return trimLines(d.sections[i].Body), true
}

// Written is what a person or a model has written in a section: "" also where it only has
// the placeholder.
func (d *Document) Written(name string) string {
	body, _ := d.Section(name)
	if body == Placeholder {
		return ""
	}
	return body
}

// trimLines takes off the blank lines before and after a text, and leaves the others as
// they are. What comes out has plain line ends.
func trimLines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// Hash stands for what the sections say: not for the header, so that approving a plan does
// not make it another one, and not for the audit log, which grows while it is run.
func (d *Document) Hash() string {
	sum := sha256.New()
	for _, s := range d.sections {
		if !strings.EqualFold(s.Name, AuditLog) {
			fmt.Fprintf(sum, "%d %q %q\n", s.Level, strings.ToLower(s.Name), trimLines(s.Body))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// clip is the beginning of a text that a person has to recognise.
func clip(text string) string {
	if short := []rune(text); len(short) > 60 {
		return string(short[:60]) + "…"
	}
	return text
}
