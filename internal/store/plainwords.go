package store

import (
	"strings"
	"unicode"
)

// mostWords is how many words of a question are looked for.
const mostWords = 32

// plainWords are the words of a text: letters, digits and marks, and nothing that a query
// language could take for its own.
func plainWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	return words[:min(len(words), mostWords)]
}
