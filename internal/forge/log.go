package forge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
)

// What becomes of a draft stands in the audit log of its plan, each entry behind a line by
// which it is found again.

// marker is the line of an entry about a step.
func marker(row *store.Forge, about string) string {
	return fmt.Sprintf("<!-- forge %d %s %d -->", row.ID, about, row.Round)
}

// addEntry adds an entry to the audit log, once.
func addEntry(d *plan.Document, marker, text string) error {
	log, _ := d.Section(plan.AuditLog)
	if slices.Contains(strings.Split(log, "\n"), marker) {
		return nil
	}
	return d.Append(plan.AuditLog, marker+"\n"+plan.Tame(text))
}

// auditEntry is what the audit log says of an audit.
func auditEntry(row *store.Forge, v Verdict, at time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Audit %d, %s: %s\n", row.Earlier+row.Round, at.UTC().Format("2006-01-02 15:04 UTC"), v.inShort())
	if v.Unsure != "" {
		fmt.Fprintf(&b, "\nRead it yourself: %s.\n", v.Unsure)
	}
	if v.Summary != "" {
		fmt.Fprintf(&b, "\n%s\n", v.Summary)
	}
	if lines := concernLines(v.Concerns); lines != "" {
		fmt.Fprintf(&b, "\n%s\n", lines)
	}
	return b.String()
}

// inShort is a verdict in a word or two.
func (v Verdict) inShort() string {
	switch v.Severity {
	case "":
		return "unclear"
	case None:
		return "no concerns"
	case Blocking:
		return fmt.Sprintf("%d blocking", max(1, len(v.Blockers())))
	}
	return "nothing blocking (" + string(v.Severity) + ")"
}

// stillBlocks names what blocks a plan.
func stillBlocks(v Verdict) string {
	var all []string
	for _, c := range v.Blockers() {
		all = append(all, oneLine(c.Text, 160))
	}
	if len(all) == 0 {
		all = []string{oneLine(v.Summary, 300)}
	}
	if len(all) > 4 {
		all = append(all[:4], "…")
	}
	return strings.Join(all, "; ")
}
