package output

import (
	"regexp"
	"strings"
)

// ByRules is what a text is, judged by how it ends. Words alone do not tell: "Fixed the
// crash" is no failure, and "non-blocking" does not block.
func ByRules(text string) Verdict {
	said := sentences(text)
	if len(said) == 0 {
		return Verdict{Completion, "rules: it says nothing"}
	}
	if Acknowledges(text) {
		return Verdict{Completion, "rules: it is an acknowledgement"}
	}
	end := withoutFarewell(said)
	last := end[len(end)-1]
	switch {
	case courtesy.MatchString(last):
		return Verdict{Completion, "rules: it ends with a courtesy, which nobody has to answer"}
	case question.MatchString(last):
		return Verdict{Question, "rules: it ends with a question"}
	case blocks(last), len(end) > 1 && wish.MatchString(last) && blocks(end[len(end)-2]):
		return Verdict{Blocker, "rules: it ends with what is missing to go on"}
	case underWay(last) && !Holds(text):
		return Verdict{Completion, "rules: it ends with what comes next, but is long enough to be an answer"}
	case underWay(last) && onlyProgress(said):
		return Verdict{StatusUpdate, "rules: it only says what is being done"}
	}
	return Verdict{Completion, "rules: nothing says that it is not an answer"}
}

var (
	fence = regexp.MustCompile("(?m)^[ \t>]*(```|~~~)")
	quote = regexp.MustCompile(`(?m)^[ \t]*>.*$`)

	// Where a sentence ends: not at a point in "v1.2" or "main.go".
	sentenceEnd = regexp.MustCompile(`[.!?…。！？؟]+["'”’)»*_]*(?:\s+|$)|\n{2,}`)
)

// sentences are those of a text, without code, quotes and decoration. A question over two
// lines is one.
func sentences(text string) []string {
	if at := fence.FindStringIndex(text); at != nil {
		text = text[:at[0]] + "\n\n" + afterFence(text[at[0]:])
	}
	text = quote.ReplaceAllString(text, "")
	text = strings.NewReplacer("’", "'", "*", "", "`", "", "...", "…").Replace(text)
	var all []string
	add := func(s string) {
		s = strings.Join(strings.Fields(s), " ")
		if strings.ContainsFunc(s, isWord) {
			all = append(all, s)
		}
	}
	for {
		at := sentenceEnd.FindStringIndex(text)
		if at == nil {
			add(text)
			return all
		}
		add(text[:at[1]])
		text = text[at[1]:]
	}
}

// afterFence is what stands behind the last fence, which is where a reply ends.
func afterFence(text string) string {
	all := fence.FindAllStringIndex(text, -1)
	if len(all)%2 != 0 {
		return "" // it never ends
	}
	_, rest, _ := strings.Cut(text[all[len(all)-1][1]:], "\n")
	return "It has code. " + rest
}

// question is a sentence that asks, whatever stands behind its mark.
var question = regexp.MustCompile(`[?？؟][!?？؟"'”’)»_…]*$`)

// courtesy ends an answer without asking for one.
var courtesy = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
	`(how|what) (can|may|could) i (help|assist|do for|be of)`,
	`(anything|something|what) else\b.*\?`, `is there (anything|something) (i|you)`,
	`(does|did|do) (that|this|it) (help|make sense|answer|work for you|look (good|right|ok))`,
	`(would you like|do you want|want|care) to (know|hear|learn|see) (more|how|why|about)`,
	`how are you`, `what'?s up`, `what'?s on your mind`, `right\?$`, `isn't it\?$`,
	`wie kann ich (dir|ihnen|euch)? ?(weiter)?helfen`, `kann ich sonst noch`, `comment puis-je`, `en qué puedo`, `cómo puedo ayudar`,
	`como posso ajudar`, `come posso aiutar`,
}, `|`) + `)`)

// farewell is what may stand behind the sentence that matters.
var farewell = regexp.MustCompile(`(?i)^(just |please )?(let me know( which( one)?| what you (think|prefer)| your (choice|preference)| either way)?|thanks( a lot| in advance)?|thank you|cheers|take your time|no rush)[.!… ]*$`)

func withoutFarewell(said []string) []string {
	for len(said) > 1 && farewell.MatchString(said[len(said)-1]) {
		said = said[:len(said)-1]
	}
	return said
}

var (
	cannot = regexp.MustCompile(`(?i)\b(i|we) ?(can't|cannot|can not|am unable to|'m unable to|are unable to|could not|couldn't) (continue|proceed|go on|go any further|move forward|start|begin|finish|complete|do (this|that|it|so)|access|log in|connect|deploy|push)\b.*\b(without|until|unless|because|before|as long as)\b`)
	stuck  = regexp.MustCompile(`(?i)\b(i|we)('m| am|'re| are) (currently |now |still )?(blocked|stuck|waiting (for|on) (you|your|access|permission|approval|a key|credentials))\b`)
	unable = regexp.MustCompile(`(?i)\b(i|we) ?(can't|cannot|can not|'m unable to|am unable to) (continue|proceed|go on|go any further|move forward)\b`)
	needs  = regexp.MustCompile(`(?i)\b(i|we)( still|'ll| will| first)? need (the |your |an? |valid |more )*(\w+ )?(api key|key|access|permissions?|credentials?|password|token|login|approval|invitation)\b.*\b(to|before|for|first)\b`)
	wish   = regexp.MustCompile(`(?i)^(please|could you|can you|you can)\b`)
)

func blocks(sentence string) bool {
	return cannot.MatchString(sentence) || stuck.MatchString(sentence) || unable.MatchString(sentence) || needs.MatchString(sentence)
}
