package output

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// ByRules is what a text is, judged by how it ends. Words alone do not tell: "Fixed the
// crash" is no failure, and "non-blocking" does not block.
func ByRules(text string) Verdict {
	if Acknowledges(text) {
		return Verdict{Completion, "rules: it is an acknowledgement, or says nothing"}
	}
	said := sentences(text)
	if len(said) == 0 {
		return Verdict{Completion, "rules: it ends with code"}
	}
	end := withoutFarewell(said)
	last := end[len(end)-1]
	switch {
	case len(last) > longestSentence && !question.MatchString(last):
		return Verdict{Completion, "rules: it ends with a long sentence"}
	case question.MatchString(last) && courtesy.MatchString(last):
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

var fence = regexp.MustCompile("(?m)^[ \t>]*(```|~~~)")

// mostJudged is how much of the end of a text is looked at, and longestSentence how long one
// may be that is anything but an answer, in bytes.
const (
	mostJudged      = 1000
	longestSentence = 300
)

// sentences are those at the end of a text, in small letters, without code, quotes and
// decoration. A question over two lines is one.
func sentences(text string) []string {
	text = afterCode(text)
	if len(text) > mostJudged {
		text = strings.ToValidUTF8(text[len(text)-mostJudged:], "")
	}
	text = plain.Replace(strings.ToLower(text))
	var all []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var words []string
		end := func() {
			if s := strings.Join(words, " "); strings.ContainsFunc(s, isWord) {
				all = append(all, s)
			}
			words = nil
		}
		for line := range strings.Lines(paragraph) {
			if strings.HasPrefix(strings.TrimSpace(line), ">") {
				continue // somebody else's words
			}
			for word := range strings.FieldsSeq(line) {
				words = append(words, word)
				if ends(word) {
					end()
				}
			}
		}
		end()
	}
	return all
}

var plain = strings.NewReplacer("’", "'", "*", "", "`", "", "...", "…")

// ends tells whether a sentence ends with a word: not at the point in main.go.
func ends(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(word, `"'”’)»_`))
	return strings.ContainsRune(".!?…。！？؟", last)
}

// afterCode is what stands behind the last block of code, which is where a reply ends.
func afterCode(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	all := fence.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return text
	}
	if len(all)%2 != 0 {
		return "" // it never ends
	}
	_, rest, _ := strings.Cut(text[all[len(all)-1][1]:], "\n")
	return rest
}

// question is a sentence that asks, whatever stands behind its mark.
var question = regexp.MustCompile(`[?？؟][!?？؟"'”’)»_…]*$`)

// courtesy ends an answer without asking for one.
var courtesy = regexp.MustCompile(`\b(` + strings.Join([]string{
	`(how|what) (can|may|could) i (help|assist|do for|be of)`,
	`(anything|something|what) else\b.*\?`, `is there (anything|something) (i|you)`,
	`(does|did|do) (that|this|it) (help|make sense|answer|work for you|look (good|right|ok))`,
	`(would you like|do you want|want|care) to (know|hear|learn|see) (more|how|why|about)`,
	`how are you`, `what'?s up`, `what'?s on your mind`, `right\?$`, `isn't it\?$`,
	`wie kann ich (dir|ihnen|euch)? ?(weiter)?helfen`, `kann ich sonst noch`, `comment puis-je`, `en qué puedo`, `cómo puedo ayudar`,
	`como posso ajudar`, `come posso aiutar`,
}, `|`) + `)`)

// farewell is what may stand behind the sentence that matters.
var farewell = regexp.MustCompile(`^(just |please )?(let me know( which( one)?| what you (think|prefer)| your (choice|preference)| either way)?|thanks( a lot| in advance)?|thank you|cheers|take your time|no rush)[.!… ]*$`)

func withoutFarewell(said []string) []string {
	for len(said) > 1 && farewell.MatchString(said[len(said)-1]) {
		said = said[:len(said)-1]
	}
	return said
}

var (
	cannot = regexp.MustCompile(`\b(i|we) ?(can't|cannot|can not|am unable to|'m unable to|are unable to|could not|couldn't) (continue|proceed|go on|go any further|move forward|start|begin|finish|complete|do (this|that|it|so)|access|log in|connect|deploy|push)\b.*\b(without|until|unless|because|before|as long as)\b`)
	stuck  = regexp.MustCompile(`\b(i|we)('m| am|'re| are) (currently |now |still )?(blocked|stuck|waiting (for|on) (you|your|access|permission|approval|a key|credentials))\b`)
	unable = regexp.MustCompile(`\b(i|we) ?(can't|cannot|can not|'m unable to|am unable to) (continue|proceed|go on|go any further|move forward)\b`)
	needs  = regexp.MustCompile(`\b(i|we)( still|'ll| will| first)? need (the |your |an? |valid |more )*(\w+ )?(api key|key|access|permissions?|credentials?|password|token|login|approval|invitation)\b.*\b(to|before|for|first)\b`)
	wish   = regexp.MustCompile(`^(please|could you|can you|you can)\b`)
)

func blocks(sentence string) bool {
	return cannot.MatchString(sentence) || stuck.MatchString(sentence) || unable.MatchString(sentence) || needs.MatchString(sentence)
}
