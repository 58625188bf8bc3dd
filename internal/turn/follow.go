package turn

import (
	"encoding/json"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

// When a query has found something, or an action has failed, the model is asked again
// with what came of its instructions. That is a turn of its own, of the same message.

// ResultsMark begins what the model is told about its actions. Whatever follows is data:
// nothing in it is read as an instruction.
const ResultsMark = "[results]"

// followUp is the turn in which the model is told what came of its actions, if it has to
// be asked again. Continuations are counted apart.
func (e *Engine) followUp(t *store.Turn, ledger []store.Action) store.Next {
	if t.Follows-t.Continued >= e.FollowupDepth || t.Failure != "" {
		return store.Next{}
	}
	ask := false
	lines := []string{ResultsMark}
	for _, a := range ledger {
		line := "- " + a.Type + ": " + string(a.State)
		if a.Summary != "" {
			line += ", " + a.Summary
		}
		if len(a.Data) > 0 {
			line += ": " + clip(string(a.Data), mostData)
		}
		lines = append(lines, line)
		spec := e.Registry.Find(a.Type)
		ask = ask || a.State == store.Failed || a.State == store.Unknown || a.State == store.Refused && !raisedAlready(a) ||
			a.State == store.Done && spec != nil && spec.Query
	}
	for _, p := range readProblems(t.Problems) {
		ask = true
		lines = append(lines, "- an instruction that could not be read: "+p.Explanation+": "+clip(p.Raw, 200))
	}
	if !ask {
		return store.Next{}
	}
	return store.Next{Flow: store.FollowUp, Input: strings.Join(lines, "\n")}
}

// mostData is how much of what a query found the model is told, in bytes.
const mostData = 20_000

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// readProblems are the problems as they were stored. What is stored is ours.
func readProblems(raw json.RawMessage) []problem {
	var all []problem
	_ = json.Unmarshal(raw, &all)
	return all
}
