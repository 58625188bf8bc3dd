package forge

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/asidehq/aside/internal/store"
)

// Text is what is shown of a forge: how far it has come, and in the end what it came to and
// what can be done then.
func Text(row *store.Forge) string {
	way := strings.Join(steps(row), " · ")
	switch row.State {
	case store.Forged:
		text := fmt.Sprintf("Forged %s: %s. It is ready for review: ask to see it, then approve it (planApprove %s).", row.Plan, way, row.Plan)
		if row.Note != "" {
			text += " Read the last audit yourself: " + row.Note + "."
		}
		return text
	case store.Capped:
		return fmt.Sprintf("Forged %s: %s. After %d rounds this still blocks it: %s. It is ready for review: change or approve it (planApprove %s), or forgeResume has it revised further.",
			row.Plan, way, row.Round, strings.TrimRight(row.Note, ". "), row.Plan)
	case store.Broken:
		return fmt.Sprintf("The forge of %s has failed: %s. %s forgeResume %s goes on with it.", row.Plan, way, sentence(row.Note), row.Plan)
	case store.CalledOff:
		text := fmt.Sprintf("The forge of %s was cancelled: %s.", row.Plan, way)
		if row.Note != "" {
			return text + " " + sentence(row.Note)
		}
		return text + fmt.Sprintf(" The plan is a draft with what there is; forgeResume %s goes on with it.", row.Plan)
	}
	return fmt.Sprintf("Forging %s: %s", row.Plan, way)
}

// steps are what was done and what is being done, in order.
func steps(row *store.Forge) []string {
	var all []string
	verdicts, _ := Verdicts(row) // what is stored is ours
	first := row.Earlier + 1
	if !row.Resumed {
		all = append(all, ended("draft", row, store.Drafting, row.Round > 0))
	}
	for i, v := range verdicts {
		all = append(all, fmt.Sprintf("audit %d: %s", first+i, v.inShort()))
		if i+1 < row.Round {
			all = append(all, "revision ✅")
		}
	}
	switch {
	case row.Round > len(verdicts):
		all = append(all, ended(fmt.Sprintf("audit %d", first+len(verdicts)), row, store.Auditing, false))
	case len(verdicts) > 0 && verdicts[len(verdicts)-1].Blocks() && row.State != store.Capped:
		all = append(all, ended("revision", row, store.Revising, false))
	}
	return all
}

// ended is a step that is done, or being done, or was not finished.
func ended(name string, row *store.Forge, doing store.ForgeState, done bool) string {
	switch {
	case done:
		return name + " ✅"
	case row.State != doing:
		return name + " not finished"
	case row.Failures > 0:
		return fmt.Sprintf("%s… (try %d of %d)", name, row.Failures+1, tries)
	}
	return name + "…"
}

// sentence is a text that ends as one does and begins as one does.
func sentence(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
