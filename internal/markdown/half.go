package markdown

import (
	"regexp"
	"strings"
)

// placeholder stands for a half in the Markdown. It is a character of nobody's.
const placeholder = "\ue0a5"

// longestHalf is how much of a text's end may wait for its other half. What is longer
// is none.
const longestHalf = 2000

var (
	fence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")

	// A link or an image that is not complete: [text, [text](, [text](address, and
	// the ! before it.
	halfLink = regexp.MustCompile(`!?\[[^\[\]\n]*(\]\([^()\s]*)?$`)

	// A fence of which one or two characters are there, or the first lines of a
	// table, before the line that makes it one.
	halfFence = regexp.MustCompile("^ {0,3}(`{1,2}|~{1,2})$")
	halfTable = regexp.MustCompile(`^\|[^\n]*(\n[ |:-]*)?$`)
	rule      = regexp.MustCompile(`^\|?[ ]*:?-+:?[ ]*(\|[ ]*:?-+:?[ ]*)*\|?[ ]*$`)
)

// cutHalf puts the placeholder where the text ends in something that makes no sense
// yet, and returns that. It is "" if there is nothing of the kind.
func cutHalf(text string) (whole, half string) {
	if strings.Contains(text, placeholder) || inFence(text) {
		return text, ""
	}
	begin := strings.LastIndex(text, "\n\n") + 2
	if begin == 1 {
		begin = 0
	}
	block := text[begin:]
	if len(block) > longestHalf {
		// A link is looked for all the same, in the last line.
		begin = max(strings.LastIndex(text, "\n")+1, len(text)-longestHalf)
		block = text[begin:]
	} else if at := tableStart(block); at >= 0 {
		return text[:begin+at] + placeholder, block[at:]
	}
	line := block[strings.LastIndex(block, "\n")+1:]
	if halfFence.MatchString(line) {
		return text[:len(text)-len(line)] + placeholder, line
	}
	at := halfLink.FindStringIndex(line)
	if at == nil || strings.Count(line[:at[0]], "`")%2 == 1 {
		return text, ""
	}
	half = line[at[0]:]
	return text[:len(text)-len(half)] + placeholder, half
}

// tableStart is where in the last block a table begins that is none yet: at a line
// with bars, behind which at most part of the rule has come. -1 is nowhere.
func tableStart(block string) int {
	if !halfTable.MatchString(block) {
		return -1
	}
	head, below, two := strings.Cut(block, "\n")
	if two && rule.MatchString(below) && strings.Count(strings.Trim(strings.TrimSpace(head), "|"), "|") == strings.Count(strings.Trim(strings.TrimSpace(below), "|"), "|") {
		return -1 // it is one
	}
	return 0
}

// inFence reports whether the text ends in a block of code.
func inFence(text string) bool {
	open := ""
	for line := range strings.Lines(text) {
		found := fence.FindStringSubmatch(line)
		switch {
		case found == nil:
		case open == "":
			open = found[1]
		case found[1][0] == open[0] && len(found[1]) >= len(open) && strings.TrimSpace(strings.TrimLeft(line, " "+open[:1])) == "":
			open = ""
		}
	}
	return open != ""
}
