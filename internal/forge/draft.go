package forge

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/asidehq/aside/internal/plan"
)

// sectionNames are the sections that a drafter writes. The audit log is nobody's to write.
func sectionNames() []string {
	return []string{plan.Objective, plan.Scope, plan.Changes, plan.Risks, plan.Testing}
}

var (
	// looseHeading is a section's name as drafters write it besides "## Name".
	looseHeading = regexp.MustCompile(`(?i)^ {0,3}(#{1,6})?\s*(?:\d+[.)]\s*)?[*_]*(objective|scope|changes|risks|testing|audit log)[*_]*:?[*_]*\s*#*\s*$`)

	// wrapped is a line that begins a document in a fence.
	wrapped = regexp.MustCompile("(?i)^ {0,3}(`{3,}|~{3,})\\s*(?:markdown|md)\\s*$")

	fenceLine = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
)

// ReadDraft reads a drafter's reply: what it says in each section of a plan. What stands
// around the document, a header, and whatever it says of the audit log are left out.
func ReadDraft(reply string) map[string]string {
	sections := plan.Sections(withHeadings(unwrapped(reply)))
	draft := map[string]string{}
	for _, name := range sectionNames() {
		if body := sections[name]; body != "" && body != plan.Placeholder {
			draft[name] = body
		}
	}
	return draft
}

// unwrapped is the document in a reply that says something before or after it.
func unwrapped(reply string) string {
	lines := strings.Split(reply, "\n")
	for i, line := range lines {
		m := wrapped.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		for last := len(lines) - 1; last > i; last-- { // fences inside the document end before it
			if text := strings.TrimSpace(lines[last]); strings.HasPrefix(text, m[1]) && strings.Trim(text, m[1][:1]) == "" {
				return strings.Join(lines[i+1:last], "\n")
			}
		}
		return strings.Join(lines[i+1:], "\n")
	}
	return reply
}

// withHeadings writes the headings of sections as a plan has them. Smaller ones are such
// headings only where there are no others: a plan may speak of the testing of a change.
func withHeadings(text string) string {
	lines := strings.Split(text, "\n")
	deepest := 6
	each := func(do func(i, level int, name string)) {
		fence := ""
		for i, line := range lines {
			line = strings.TrimRight(line, "\r")
			if m := fenceLine.FindStringSubmatch(line); m != nil {
				switch {
				case fence == "":
					fence = m[1]
				case strings.HasPrefix(m[1], fence) && strings.Trim(strings.TrimSpace(line), fence[:1]) == "":
					fence = ""
				}
				continue
			}
			if m := looseHeading.FindStringSubmatch(line); fence == "" && m != nil {
				level := len(m[1])
				if level == 0 {
					if strings.TrimSpace(line) == m[2] {
						continue // a word on a line of its own
					}
					level = 6
				}
				do(i, level, m[2])
			}
		}
	}
	each(func(_, level int, _ string) { deepest = min(deepest, max(level, 2)) })
	each(func(i, level int, name string) {
		if level <= deepest {
			lines[i] = "## " + name
		}
	})
	return strings.Join(lines, "\n")
}

// base is what the sections of a document are, as far as it takes to see that somebody has
// changed one.
func base(d *plan.Document) map[string]string {
	all := map[string]string{}
	for _, name := range sectionNames() {
		all[name] = sum(d, name)
	}
	return all
}

func sum(d *plan.Document, name string) string {
	body, _ := d.Section(name)
	s := sha256.Sum256([]byte(body))
	return hex.EncodeToString(s[:8])
}

// merge puts a draft into a document. A section that is no longer what it was when the
// draft was asked for has been written by a person: it is left as it is, and named. Doing it
// again changes nothing.
func merge(d *plan.Document, was map[string]string, draft map[string]string) (kept []string, err error) {
	for _, name := range sectionNames() {
		body, ok := draft[name]
		if !ok {
			continue
		}
		now, _ := d.Section(name)
		if now == body {
			continue
		}
		if sum(d, name) != was[name] {
			kept = append(kept, name)
			continue
		}
		if err := d.SetSection(name, body); err != nil {
			return nil, err
		}
	}
	return kept, nil
}
