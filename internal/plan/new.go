package plan

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// A Beginning is what a new plan is made from.
type Beginning struct {
	Number      int
	Task        string // that stands behind it, "" for none
	Created     time.Time
	Project     string
	Description string // what is to be done; a draft with sections is taken as one
	Context     string
}

// IDOf is the id of the plan with a number.
func IDOf(number int) string { return fmt.Sprintf("plan-%03d", number) }

// New makes a plan.
func New(b Beginning) (*Document, error) {
	id := IDOf(b.Number)
	sections := Sections(b.Description)
	if sections[Objective] == "" {
		sections[Objective] = Tame(beforeSections(b.Description))
	}
	if sections[Scope] == "" {
		sections[Scope] = Tame(b.Context)
	} else if context := Tame(b.Context); context != "" {
		sections[Scope] += "\n\n" + context
	}
	if sections[Changes] == "" {
		sections[Changes] = changesIn(sections[Objective])
	}
	var text strings.Builder
	fmt.Fprintf(&text, "---\nid: %s\ntask: %s\ncreated: %s\nstatus: %s\nproject: %s\n---\n\n# %s: %s\n",
		id, oneLine(b.Task), b.Created.UTC().Format(time.RFC3339), Draft, oneLine(b.Project), id, Name(b.Description))
	for _, name := range SectionNames() {
		fmt.Fprintf(&text, "\n## %s\n", name)
		switch body := sections[name]; {
		case name == AuditLog:
		case body == "":
			fmt.Fprintf(&text, "\n%s\n", Placeholder)
		default:
			fmt.Fprintf(&text, "\n%s\n", body)
		}
	}
	return Parse(text.String())
}

// changesIn are the changes that a description tells of: its list, or else itself as the
// only one.
func changesIn(description string) string {
	if items := blocks(description); len(items) > 0 && items[0].listed {
		var all []string
		for _, item := range items {
			all = append(all, item.text)
		}
		return strings.Join(all, "\n")
	}
	if description == "" {
		return ""
	}
	return "- " + oneLine(description)
}

// beforeSections is what stands in a text before its first section, all of it where there
// is none.
func beforeSections(text string) string {
	lines, _ := readLines(text, 0, 1)
	for _, l := range lines {
		if l.level == 2 && known(l.heading) {
			return text[:l.from]
		}
	}
	return text
}

// Sections are the sections of a plan that a text has which a model has written, tamed,
// by their names; the audit log is not a model's to write. A code fence around the whole
// text and a header are taken off.
func Sections(text string) map[string]string {
	text = unfenced(text)
	all := map[string]string{}
	lines, _ := readLines(text, 0, 1)
	name, from := "", 0
	end := func(at int) {
		if name != "" && name != AuditLog && all[name] == "" {
			all[name] = Tame(text[from:at])
		}
	}
	for _, l := range lines {
		if l.level != 1 && l.level != 2 {
			continue
		}
		if l.level == 2 && !known(l.heading) && name != "" {
			continue // a part of the section, which Tame makes smaller
		}
		end(l.from)
		name, from = "", l.to
		for _, own := range SectionNames() {
			if l.level == 2 && strings.EqualFold(own, l.heading) {
				name = own
			}
		}
	}
	end(len(text))
	return all
}

// unfenced takes off a code fence around a whole text.
func unfenced(text string) string {
	text = trimLines(text)
	lines, open := readLines(text, 0, 1)
	if len(lines) < 2 || fenceOf(lines[0].text) == "" {
		return text
	}
	last := lines[len(lines)-1]
	if marker := fenceOf(last.text); open == 0 && marker != "" && strings.HasPrefix(marker, fenceOf(lines[0].text)) {
		return trimLines(text[lines[0].to:last.from])
	}
	if open == 1 { // it was not even closed
		return trimLines(text[lines[0].to:])
	}
	return text
}

// longestName is how many characters of a description are a plan's name.
const longestName = 80

// Name is what a plan with a description is called: its first line that says something.
func Name(description string) string {
	for _, text := range strings.Split(description, "\n") {
		name := strings.TrimRight(oneLine(strings.TrimLeft(text, "#-*+> \t")), ": ")
		if name == "" || known(name) || fenceOf(text) != "" {
			continue
		}
		if all := []rune(name); len(all) > longestName {
			name = strings.TrimSpace(string(all[:longestName-1])) + "…"
		}
		return name
	}
	return "A plan"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// longestSlug is how long the part of a file's name is that people read.
const longestSlug = 40

// slug is a name as a part of a file's name.
func slug(name string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-") && (unicode.IsSpace(c) || unicode.IsPunct(c) || unicode.IsLetter(c)):
			b.WriteByte('-')
		}
		if b.Len() >= longestSlug {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "plan"
}
