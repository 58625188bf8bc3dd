package forge

import (
	"regexp"
	"strings"
)

// An auditor that does not answer in JSON still says how bad it is. Words alone do not
// tell: "no blocking concerns" blocks nothing, and "blocking IO" is about something else.
// So a word counts only where it is a label, or stands beside what it qualifies, and only
// where nothing in its clause takes it back.

var (
	// labelled is a severity that stands behind its label, such as "Max severity: **blocking**".
	labelled = regexp.MustCompile(`(?i)\b(max(?:imum)?[ _-]?severity|overall(?: severity)?|severity|verdict)\b[\s*_"'` + "`" + `]*(?:[:=]|\bis\b)[\s*_"'` + "`" + `]*(non-?blocking|not blocking|[a-z]+)`)

	// listed is a list of what is of a severity, such as "Blocking:" or "- [blocking] …".
	listed = regexp.MustCompile(`(?im)^[\s#>*_\-\d.)(]*[\[(]?\**(non-?blocking|blocking|blockers?|major|medium|minor)\**(?:\s+(?:concerns?|issues?|problems?|findings?|items?))?\**[\])]?\**\s*(?:[:\-–—]|$|\]|\))\s*\**\s*(.*)$`)

	// qualifying is a severity beside what it is said of.
	qualifying = regexp.MustCompile(`(?i)\b(non-?blocking|blocking|major|medium|minor)\b[\s*_"'` + "`" + `]+(?:\w+\s+)?(concerns?|issues?|problems?|findings?|defects?|gaps?|flaws?|risks?|questions?|items?|severity|nits?|omissions?)\b`)

	// saidOf is a severity as what something is, at the end of a clause.
	saidOf = regexp.MustCompile(`(?i)\b(?:is(?:n['’]t)?|are(?:n['’]t)?|remains?|it'?s|that'?s|seems|considered|as|still|nothing|none|any)\s+(?:\w+\s+)?(non-?blocking|blocking|major|medium|minor)\**\s*$`)

	// asNoun is a blocker.
	asNoun = regexp.MustCompile(`(?i)\bblockers?\b|\bmust not (?:be approved|go ahead|proceed)\b`)

	clean = regexp.MustCompile(`(?i)\bno (?:further |remaining |real |other |more )?(?:concerns|issues|problems|findings|objections)\b|\blgtm\b|\blooks good\b|\bnothing to (?:add|object)\b`)

	// negated takes back what comes after it in a clause.
	negated = regexp.MustCompile(`(?i)\b(?:no|not|none|nothing|never|without|zero|0|neither|nor|cannot|free of|lacks)\b|n't\b|n’t\b`)

	// doubted makes of a clause something that is not said to be so.
	doubted = regexp.MustCompile(`(?i)\b(?:if|would|could|might|were there|whether|unless|hypothetical(?:ly)?|e\.g|for example)\b`)

	// over says that something is no longer so, unless it is still to be done.
	over     = regexp.MustCompile(`(?i)\b(?:resolved|addressed|fixed|cleared|closed|gone|mitigated|settled|dealt with)\b`)
	stillDue = regexp.MustCompile(`(?i)\b(?:must|should|shall|needs?|has to|have to|to be|until|before|not|yet|remains?|still|un\w+)\b|n't\b|n’t\b`)

	// nothingListed is an empty list.
	nothingListed = regexp.MustCompile(`(?i)^[\s*_(\[]*(?:(?:none|nothing|0|zero|n/?a)\b|no (?:concerns|issues|problems|findings|blockers)\b|(?:no|-|–|—)[.\s*_]*$)`)

	sentenceEnd = regexp.MustCompile(`[.!?](?:\s|$)|[\n;]`)
	clauseEnd   = regexp.MustCompile(`(?i)[,:()–—]|\b(?:but|which|because|however|although|though|while|so that|yet)\b|\band\s+(?:this|that|it|there|they|these|those|is|are)\b`)
	goesOn      = regexp.MustCompile(`(?i)^\s*(?:or|nor)\b`)
)

// verdictInWords is what the words of a reply say of severity.
func verdictInWords(reply string) Verdict {
	if s := byLabel(reply); s != "" {
		return Verdict{Severity: s}
	}
	worst := byList(reply)
	for _, sentence := range sentenceEnd.Split(reply, -1) {
		worst = worse(worst, bySentence(sentence))
	}
	if worst != "" {
		return Verdict{Severity: worst}
	}
	return Verdict{Unsure: "the auditor's reply could not be read as a verdict"}
}

// byLabel is the severity that a reply names as its own. What is said of the whole counts
// more than what is said of single concerns.
func byLabel(reply string) Severity {
	var whole, single Severity
	for _, m := range labelled.FindAllStringSubmatch(reply, -1) {
		s := wordSeverity(m[2])
		if strings.EqualFold(m[1], "severity") {
			single = worse(single, s)
		} else if s != "" {
			whole = s // of several the last: what comes before is how it got there
		}
	}
	if whole != "" {
		return whole
	}
	return single
}

func wordSeverity(word string) Severity {
	word = strings.ToLower(word)
	if strings.HasPrefix(word, "non") && strings.HasSuffix(word, "blocking") || word == "not blocking" {
		return Minor
	}
	return severityOf(strings.TrimSuffix(word, "s"))
}

// byList is the worst severity that heads a list with something in it.
func byList(reply string) Severity {
	var worst Severity
	lines := strings.Split(reply, "\n")
	for i, line := range lines {
		m := listed.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		first := m[2]
		for next := i + 1; strings.TrimSpace(strings.Trim(first, "*_:")) == "" && next < len(lines); next++ {
			if first = lines[next]; listed.MatchString(first) {
				first = "none" // the next list begins: this one is empty
			}
			first = strings.TrimLeft(first, " \t-*•")
		}
		if strings.TrimSpace(first) == "" || nothingListed.MatchString(first) {
			worst = worse(worst, None)
			continue
		}
		if clauses := clausesOf(first); len(clauses) > 0 && over.MatchString(clauses[0]) && !stillDue.MatchString(clauses[0]) {
			worst = worse(worst, None)
			continue
		}
		worst = worse(worst, wordSeverity(m[1]))
	}
	return worst
}

// bySentence is the worst severity that a sentence says is there. Where it says of one
// that it is not there, and of no other that it is, that is none.
func bySentence(sentence string) Severity {
	var worst Severity
	if doubted.MatchString(sentence) {
		return ""
	}
	if clean.MatchString(sentence) {
		worst = None
	}
	for _, clause := range clausesOf(sentence) {
		for _, found := range saysSeverity(clause) {
			before := clause[:found.at]
			switch {
			case negated.MatchString(before):
				worst = worse(worst, None)
			case over.MatchString(clause) && !stillDue.MatchString(clause):
				worst = worse(worst, None)
			default:
				worst = worse(worst, found.severity)
			}
		}
	}
	return worst
}

type said struct {
	at       int
	severity Severity
}

// saysSeverity finds the severities that a clause speaks of.
func saysSeverity(clause string) []said {
	var all []said
	for _, pattern := range []*regexp.Regexp{qualifying, saidOf} {
		for _, m := range pattern.FindAllStringSubmatchIndex(clause, -1) {
			all = append(all, said{m[2], wordSeverity(clause[m[2]:m[3]])})
		}
	}
	for _, m := range asNoun.FindAllStringIndex(clause, -1) {
		all = append(all, said{m[0], Blocking})
	}
	return all
}

// clausesOf cuts a sentence where what takes something back no longer reaches. "or" goes
// on with what came before it.
func clausesOf(sentence string) []string {
	var all []string
	begin := 0
	for _, end := range append(clauseEnd.FindAllStringIndex(sentence, -1), []int{len(sentence), len(sentence)}) {
		clause := sentence[begin:end[0]]
		begin = end[1]
		if !goesOn.MatchString(clause) {
			all = append(all, clause)
			continue
		}
		for len(all) > 1 && len(strings.Fields(all[len(all)-1])) <= 2 { // "no major, medium, or blocking …"
			all, clause = all[:len(all)-1], all[len(all)-1]+clause
		}
		if len(all) > 0 {
			all, clause = all[:len(all)-1], all[len(all)-1]+clause
		}
		all = append(all, clause)
	}
	return all
}

var bullet = regexp.MustCompile(`(?m)^\s*(?:[-*•]|\d+[.)])\s+(.+)$`)

// concernsInWords are the items of a reply's lists, or else its text.
func concernsInWords(reply string) []Concern {
	var all []Concern
	for _, m := range bullet.FindAllStringSubmatch(reply, mostConcerns) {
		if text := oneLine(m[1], longestConcern); !nothingListed.MatchString(text) {
			all = append(all, Concern{Text: text})
		}
	}
	if len(all) == 0 {
		if text := oneLine(reply, longestConcern); text != "" {
			all = []Concern{{Text: text}}
		}
	}
	return all
}
