package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

// duties are what each kind of phase is asked to do.
var duties = map[Kind]string{
	Implement: "Carry out this phase: make the change that it describes, and nothing that belongs to another phase.",
	Read:      "Look and check: run or go through the checks below, and change nothing.",
	Audit:     "Compare what was done with what was wanted: does it reach the objective, and stay within the scope? Change nothing. Where something is missing or wrong, the outcome is failed, and problems say what.",
}

// asked is how the model is to say what it came to.
const asked = `Say only what you have really done and seen. If you had no means to do it, the outcome is
failed; if it was not needed, skipped. End your reply with this JSON and nothing after it:
{"outcome": "done or failed or skipped", "did": "what you did", "checks": ["what you checked, and the result"], "problems": ["what is wrong or left"]}`

// errandText is what the model is told about a phase.
func (p *Plans) errandText(file *File, phases []store.PlanPhase, phase store.PlanPhase) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s: phase %d of %d, %s]\n\n%s\n\n%s\n\n", file.ID(), phase.Ordinal, len(phases), phase.Kind, duties[Kind(phase.Kind)], asked)
	fmt.Fprintf(&b, "# Phase %d: %s\n\n%s\n\n", phase.Ordinal, phase.Title, phase.Text)
	for _, shown := range readProject(p.Project, phase.Files) {
		b.WriteString(shown + "\n\n")
	}
	fmt.Fprintf(&b, "# The plan: %s\n\n", file.Title())
	for _, s := range file.Sections() {
		if !strings.EqualFold(s.Name, AuditLog) && trimLines(s.Body) != Placeholder {
			fmt.Fprintf(&b, "## %s\n\n%s\n\n", s.Name, trimLines(s.Body))
		}
	}
	b.WriteString("# What the phases came to so far\n\n")
	for _, other := range phases {
		fmt.Fprintf(&b, "%d. %s, %s: %s%s\n", other.Ordinal, other.Kind, other.Title, stateFor(other, phase), didIn(other))
	}
	return b.String()
}

// stateFor is the state of a phase as another one is told.
func stateFor(other, phase store.PlanPhase) string {
	if other.Ordinal == phase.Ordinal {
		return "yours"
	}
	return string(other.State)
}

func didIn(phase store.PlanPhase) string {
	var e evidence
	if phase.Evidence == "" || json.Unmarshal([]byte(phase.Evidence), &e) != nil {
		return ""
	}
	text := ""
	if e.Did != "" {
		text += "; " + clipTo(e.Did, 500)
	}
	for _, problem := range e.Problems {
		text += "; problem: " + clipTo(problem, 200)
	}
	return text
}
