package plan

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/store"
)

// evidence is what a phase came to, as the model says: it is kept, and shown as its word.
type evidence struct {
	Outcome  string   `json:"outcome"` // done, failed or skipped
	Did      string   `json:"did"`
	Checks   []string `json:"checks"`
	Problems []string `json:"problems"`
	Note     string   `json:"note,omitempty"` // the runtime's own
}

// saidInWords is the note of a phase whose model has not said in the way it was asked to
// what it came to.
const saidInWords = "said in words"

// How much is kept of what a model says: characters of a text, and entries of a list.
const (
	longestSaid = 2000
	mostSaid    = 20
)

// Where evidence is looked for: at the end of a reply, at so many braces. A reply that is
// nothing but braces must not take for ever.
const (
	longestEvidence = 64 << 10
	mostBraces      = 200
)

// evidenceOf is what the errand of a phase came to. A model that was asked again with what
// became of its actions may have said it before.
func evidenceOf(t *store.Turn, before []*store.Turn) evidence {
	if t.Failure != "" {
		return evidence{Outcome: string(store.PhaseFailed), Did: said(t.Failure)}
	}
	if e, ok := readEvidence(t.Reply); ok {
		return e
	}
	for _, earlier := range slices.Backward(before) {
		if e, ok := readEvidence(earlier.Reply); ok {
			return e
		}
	}
	if strings.TrimSpace(t.Shown) == "" && strings.TrimSpace(t.Reply) == "" {
		return evidence{Outcome: string(store.PhaseFailed), Did: "The model said nothing."}
	}
	words := t.Shown
	if strings.TrimSpace(words) == "" {
		words = t.Reply
	}
	return evidence{Outcome: string(store.PhaseDone), Did: said(words), Note: saidInWords}
}

// readEvidence reads the last JSON object of a reply that says an outcome.
func readEvidence(reply string) (evidence, bool) {
	reply = reply[max(len(reply)-longestEvidence, 0):]
	tries := 0
	for at := strings.LastIndexByte(reply, '{'); at >= 0 && tries < mostBraces; at = strings.LastIndexByte(reply[:at], '{') {
		tries++
		if e, ok := evidenceAt(reply[at:]); ok {
			return e, true
		}
	}
	return evidence{}, false
}

// commas are those that models put after the last entry.
var commas = regexp.MustCompile(`,(\s*[}\]])`)

// evidenceAt reads evidence that a text begins with, as it is or repaired.
func evidenceAt(text string) (evidence, bool) {
	for _, text := range []string{text, commas.ReplaceAllString(text, "$1")} {
		var given struct {
			Outcome, Did     any
			Checks, Problems any
		}
		if json.NewDecoder(strings.NewReader(text)).Decode(&given) != nil {
			continue
		}
		word, _ := given.Outcome.(string)
		outcome := outcomes[strings.ToLower(strings.TrimSpace(word))]
		if outcome == "" {
			return evidence{}, false
		}
		return evidence{Outcome: string(outcome), Did: said(strings.Join(texts(given.Did), " ")), Checks: texts(given.Checks), Problems: texts(given.Problems)}, true
	}
	return evidence{}, false
}

// outcomes are the words for what a phase came to.
var outcomes = map[string]store.PhaseState{
	"done": store.PhaseDone, "success": store.PhaseDone, "succeeded": store.PhaseDone, "ok": store.PhaseDone, "passed": store.PhaseDone, "completed": store.PhaseDone,
	"failed": store.PhaseFailed, "failure": store.PhaseFailed, "fail": store.PhaseFailed, "error": store.PhaseFailed, "blocked": store.PhaseFailed,
	"skipped": store.PhaseSkipped, "skip": store.PhaseSkipped,
}

// texts are the texts in a value, whether it is one, a list of them, or something else.
func texts(value any) []string {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		if v = said(v); v == "" {
			return nil
		}
		return []string{v}
	case []any:
		var all []string
		for _, one := range v {
			if all = append(all, texts(one)...); len(all) >= mostSaid {
				return all[:mostSaid]
			}
		}
		return all
	}
	written, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return []string{said(string(written))}
}

// said is a text as it is kept: one line, and not longer than somebody reads.
func said(text string) string { return clipTo(oneLine(text), longestSaid) }

// text is the entry in the audit log. Nothing that the model says begins a line there.
func (e evidence) text(phase store.PlanPhase) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Phase %d, %s, %s: %s", phase.Ordinal, phase.Kind, phase.Title, e.Outcome)
	if e.Note != "" {
		fmt.Fprintf(&b, " (%s)", e.Note)
	}
	b.WriteString("\n")
	for _, part := range []struct {
		name string
		said []string
	}{{"did", texts(e.Did)}, {"check", e.Checks}, {"problem", e.Problems}} {
		for _, text := range part.said {
			fmt.Fprintf(&b, "- %s: %s\n", part.name, text)
		}
	}
	return b.String()
}

// why is why a phase has failed, in short.
func (e evidence) why() string {
	switch {
	case len(e.Problems) > 0:
		return clipTo(e.Problems[0], 200)
	case e.Did != "":
		return clipTo(e.Did, 200)
	}
	return "it does not say why"
}
