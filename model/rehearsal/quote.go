package rehearsal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What people write goes into replies. It must not end the instruction it stands
// in, nor become one.

// escape writes words into a tag or an attribute.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}

// argument writes words into a signal. There is no escape there: brackets that are
// not in pairs would end it too early or never, and are left out.
func argument(s string) string {
	s = oneLine(s)
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth == 0 {
		return s
	}
	return oneLine(strings.NewReplacer("[", "", "]", "").Replace(s))
}

// plain writes words into text, without the characters that instructions and code
// are made of.
func plain(s string) string {
	const most = 120
	s = oneLine(strings.NewReplacer("<", "", ">", "", "[", "", "]", "", "{", "", "}", "", "`", "").Replace(s))
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// resultsMark begins a message that carries the results of actions.
const resultsMark = "[results]"

// sumUp says in a sentence what came of the actions, at most the first few. It
// carries no instruction, so a follow-up does not lead to another.
func sumUp(results string) string {
	const most = 5
	var found []string
	for line := range strings.Lines(results) {
		if line = strings.TrimRight(strings.TrimLeft(plain(line), "-*• "), ".;"); line != "" {
			found = append(found, line)
		}
	}
	switch n := len(found); {
	case n == 0:
		return "There are no results."
	case n == 1:
		return "The result is in: " + found[0] + "."
	case n > most:
		return fmt.Sprintf("The results are in: %s; and %d more.", strings.Join(found[:most], "; "), n-most)
	default:
		return "The results are in: " + strings.Join(found, "; ") + "."
	}
}
