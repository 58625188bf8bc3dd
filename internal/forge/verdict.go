package forge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/asidehq/aside/extract"
)

// A Severity is how bad the worst is that an audit has found.
type Severity string

const (
	None     Severity = "none"
	Minor    Severity = "minor"
	Medium   Severity = "medium"
	Major    Severity = "major"
	Blocking Severity = "blocking"
)

// severities are in order, the worst last.
var severities = []Severity{None, Minor, Medium, Major, Blocking}

// worse is the worse one of two; "" is none that is known.
func worse(a, b Severity) Severity {
	if slices.Index(severities, a) > slices.Index(severities, b) {
		return a
	}
	return b
}

// A Concern is something that an audit has found.
type Concern struct {
	Severity Severity `json:"severity,omitempty"` // "" where the auditor has given none
	Text     string   `json:"text"`
}

// A Verdict is what an audit came to. Only a blocking one is a reason for another round.
type Verdict struct {
	Severity Severity  `json:"severity"` // "" where nobody can tell
	Summary  string    `json:"summary"`
	Concerns []Concern `json:"concerns,omitempty"`

	// Unsure says why a person had better read the audit: it could not be read as one.
	Unsure string `json:"unsure,omitempty"`
}

// Blocks tells whether the draft has to be revised.
func (v Verdict) Blocks() bool { return v.Severity == Blocking }

// Blockers are the concerns that have to be met. An auditor who has said that something
// blocks and not what means all of them.
func (v Verdict) Blockers() []Concern {
	if !v.Blocks() {
		return nil
	}
	worst := slices.DeleteFunc(slices.Clone(v.Concerns), func(c Concern) bool { return c.Severity != Blocking })
	if len(worst) == 0 {
		return v.Concerns
	}
	return worst
}

const (
	mostConcerns   = 20   // that are kept of an audit
	longestConcern = 1000 // characters
	longestSummary = 600
)

// ReadVerdict reads an auditor's reply: the JSON that was asked for, however it is wrapped
// and whatever is wrong with its commas, or else what its words say of severity. What it
// cannot read is no reason for another round: a person reads it.
func ReadVerdict(reply string) Verdict {
	if v, ok := verdictInJSON(reply); ok {
		return v
	}
	v := verdictInWords(reply)
	v.Summary = oneLine(reply, longestSummary)
	if v.Blocks() || v.Severity == Major || v.Severity == Medium {
		v.Concerns = concernsInWords(reply)
	}
	return v
}

// verdictInJSON is the last object in a reply that is a verdict. What comes before it may
// be the format, repeated, or thoughts.
func verdictInJSON(reply string) (v Verdict, found bool) {
	tries := 0
	for at := 0; at < len(reply) && tries < mostObjects; {
		begin := strings.IndexByte(reply[at:], '{')
		if begin < 0 {
			break
		}
		begin += at
		at = begin + 1
		tries++
		end := objectEnd(reply[begin:])
		if end == 0 {
			continue
		}
		object, err := extract.Object([]byte(reply[begin : begin+end]))
		if err != nil {
			continue
		}
		if read, ok := verdictOf(object); ok {
			v, found = read, true
			at = begin + end // what stands inside it is its own
		}
	}
	return v, found
}

// mostObjects is how many opening braces are looked at: each may cost reading to the end.
const mostObjects = 200

// objectEnd is the length of the object that a text begins with, 0 if it does not end.
func objectEnd(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// verdictOf reads an object. One that says nothing of severity is no verdict.
func verdictOf(object json.RawMessage) (Verdict, bool) {
	var fields map[string]any
	if json.Unmarshal(object, &fields) != nil {
		return Verdict{}, false
	}
	given := map[string]any{}
	for name, value := range fields {
		given[letters(name)] = value
	}
	if inner, ok := given["verdict"].(map[string]any); ok { // {"verdict": {…}}
		for name, value := range inner {
			given[letters(name)] = value
		}
	}
	said := firstOf(given, "maxseverity", "severity", "overallseverity", "verdict")
	loop, loops := given["shouldloop"].(bool)
	concerns, listed := firstOf(given, "concerns", "issues", "findings").([]any)
	if said == nil && !loops && !listed {
		return Verdict{}, false
	}
	v := Verdict{Concerns: concernsOf(concerns)}
	if summary, ok := firstOf(given, "summary", "reason").(string); ok {
		v.Summary = oneLine(summary, longestSummary)
	}
	word, _ := said.(string)
	v.Severity = severityOf(word)
	unknown := v.Severity == "" && word != ""
	for _, c := range v.Concerns {
		v.Severity = worse(v.Severity, c.Severity)
	}
	switch {
	case v.Severity != "" && !unknown || v.Blocks():
	case loops && loop:
		v.Severity = Blocking
	case unknown:
		v.Unsure = fmt.Sprintf("the auditor calls the severity %q, which is none that is known", oneLine(word, 40))
	case loops && len(v.Concerns) > 0:
		v.Severity = Minor
	case loops || listed && len(v.Concerns) == 0:
		v.Severity = None
	default:
		v.Unsure = "the auditor lists concerns and does not say how severe they are"
	}
	return v, true
}

func firstOf(given map[string]any, names ...string) any {
	for _, name := range names {
		if value, ok := given[name]; ok && value != nil {
			return value
		}
	}
	return nil
}

// concernsOf reads a list of concerns: texts, or objects with a text and a severity.
func concernsOf(list []any) []Concern {
	var all []Concern
	for _, item := range list {
		var c Concern
		switch item := item.(type) {
		case string:
			c.Text = item
		case map[string]any:
			given := map[string]any{}
			for name, value := range item {
				given[letters(name)] = value
			}
			word, _ := firstOf(given, "severity", "level").(string)
			c.Severity = severityOf(word)
			var parts []string
			for _, name := range []string{"section", "title", "concern", "text", "description", "issue", "message", "detail", "suggestion"} {
				if text, ok := given[name].(string); ok && strings.TrimSpace(text) != "" {
					parts = append(parts, strings.TrimSpace(text))
				}
			}
			c.Text = strings.Join(parts, ": ")
		}
		if c.Text = oneLine(c.Text, longestConcern); c.Text != "" && len(all) < mostConcerns {
			all = append(all, c)
		}
	}
	return all
}

// otherNames are what auditors call severities besides their names.
var otherNames = map[string]Severity{
	"no": None, "ok": None, "clean": None, "approved": None, "pass": None,
	"low": Minor, "trivial": Minor, "info": Minor, "nit": Minor, "nonblocking": Minor, "suggestion": Minor,
	"moderate": Medium, "high": Major, "severe": Major, "serious": Major,
	"blocker": Blocking, "blocked": Blocking, "critical": Blocking, "fatal": Blocking,
}

// severityOf is the severity that a word means, "" if it means none.
func severityOf(word string) Severity {
	name := letters(word)
	if slices.Contains(severities, Severity(name)) {
		return Severity(name)
	}
	return otherNames[name]
}

// letters are those of a word, in lower case: max_severity and maxSeverity are one name.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, word)
}

// oneLine is a text on one line, of at most so many characters.
func oneLine(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if runes := []rune(text); len(runes) > most {
		return strings.TrimSpace(string(runes[:most])) + "…"
	}
	return text
}
