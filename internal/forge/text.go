package forge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
)

// What the models are told. Descriptions, documents and concerns are material: they stand
// between lines that they cannot contain.

const shape = `Write the plan in Markdown with exactly these five sections, in this order, each below its heading:

## Objective
What is true when the plan is done, and why it is wanted. One paragraph.

## Scope
What belongs to it, and what does not.

## Changes
A list, one item for each change that can be made and checked by itself, in the order in which they are made. Name the files of each.

## Risks
What can go wrong, how it would be noticed, and how to get back.

## Testing
How somebody finds out that the objective is met: commands, checks, what they have to show.

Be concrete and short. Do not invent files or facts: where something has to be found out first, say so in the plan. No header, no audit log, no words before or after the plan.`

// draftText asks for a first draft.
func draftText(f *store.Forge, files []string) string {
	text := fmt.Sprintf("[forge of %s: draft]\nDraft a plan for what is wanted below.\n\n%s\n\n%s", f.Plan, shape, material("what is wanted", f.Description))
	if f.Context != "" {
		text += "\n\n" + material("context", f.Context)
	}
	if len(files) > 0 {
		text += "\n\n" + material("files of the project", strings.Join(files, "\n"))
	}
	return text
}

const judging = `Find what would make it fail: steps that are missing or in the wrong order, changes that cannot be made or undone, data that could be lost, an objective that the changes do not reach, tests that would not notice. Do not ask for more words, another style or more scope.

How severe something is:
- blocking: carried out as it stands, the plan would fail, do harm, or not reach its objective
- major, medium, minor: worth knowing, but the plan can be carried out

Reply with one JSON object and nothing else:
{"maxSeverity": "none|minor|medium|major|blocking", "shouldLoop": true if something is blocking and false if not, "summary": "one sentence", "concerns": [{"severity": "…", "section": "…", "concern": "what is wrong and what would make it right"}]}`

// auditText asks for an audit.
func auditText(f *store.Forge, d *plan.Document, before []Verdict) string {
	text := fmt.Sprintf("[forge of %s: audit %d]\nAudit the plan below before anybody carries it out.\n\n%s", f.Plan, f.Earlier+f.Round, judging)
	if len(before) > 0 {
		text += "\n\n" + material("what the last audit found blocking, and the plan was revised for", concernLines(before[len(before)-1].Blockers()))
	}
	return text + "\n\n" + wanted(f) + material("plan", sections(d))
}

// reviseText asks for a revision.
func reviseText(f *store.Forge, d *plan.Document, v Verdict) string {
	concerns := concernLines(v.Concerns)
	if concerns == "" {
		concerns = v.Summary
	}
	return fmt.Sprintf("[forge of %s: revision %d]\nRevise the plan below: meet every blocking concern of the audit, and those others that are right. Keep what is good, word for word.\n\n%s\n\n%s%s\n\n%s",
		f.Plan, f.Earlier+f.Round, shape, wanted(f), material("concerns of the audit", concerns), material("plan", sections(d)))
}

// wanted is what the plan is for, where somebody has said so.
func wanted(f *store.Forge) string {
	if f.Description == "" {
		return ""
	}
	return material("what is wanted", f.Description) + "\n\n"
}

// sections are those of a document that are drafted and audited.
func sections(d *plan.Document) string {
	var b strings.Builder
	for _, s := range d.Sections() {
		if !strings.EqualFold(s.Name, plan.AuditLog) {
			fmt.Fprintf(&b, "## %s\n\n%s\n\n", s.Name, strings.TrimSpace(strings.ReplaceAll(s.Body, "\r\n", "\n")))
		}
	}
	return strings.TrimSpace(b.String())
}

func concernLines(all []Concern) string {
	var lines []string
	for _, c := range all {
		if c.Severity != "" {
			lines = append(lines, fmt.Sprintf("- [%s] %s", c.Severity, c.Text))
			continue
		}
		lines = append(lines, "- "+c.Text)
	}
	return strings.Join(lines, "\n")
}

// longestMaterial is how much of a text a model is shown, in bytes.
const longestMaterial = 100_000

// material is a text between two lines. It cannot pretend to have ended: none can contain
// its own sum.
func material(name, text string) string {
	if len(text) > longestMaterial {
		text = strings.ToValidUTF8(text[:longestMaterial], "") + "\n… (the rest is left out)"
	}
	s := sha256.Sum256([]byte(text))
	line := "----- " + name + " " + hex.EncodeToString(s[:8]) + " -----"
	return line + "\n" + text + "\n" + line
}
