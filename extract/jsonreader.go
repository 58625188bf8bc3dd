package extract

import "strings"

// A jsonReader finds the end of a JSON object or array that may be written
// sloppily.
type jsonReader struct {
	depth       int
	quote       byte // inside a string that this closes
	escape      bool // the byte before was a backslash in a string
	comment     byte // inside a comment: / up to the end of the line, * up to */
	prev, prev2 byte
}

// skip returns how many bytes b begins with that change nothing but what came
// before, and passes them.
func (j *jsonReader) skip(b []byte) int {
	plain := jsonPlain
	switch {
	case j.escape || j.comment != 0:
		return 0
	case j.quote != 0:
		plain |= jsonPlainInString
	}
	n := 0
	for n < len(b) && jsonBytes[b[n]]&plain != 0 {
		n++
	}
	switch n {
	case 0:
	case 1:
		j.prev2, j.prev = j.prev, ' '
	default:
		j.prev2, j.prev = ' ', ' '
	}
	return n
}

const (
	jsonPlain         uint8 = 1 << iota // means nothing between strings and nothing inside
	jsonPlainInString                   // means nothing inside strings
)

// jsonBytes says which bytes mean nothing to a jsonReader.
var jsonBytes = func() (table [256]uint8) {
	for c := ' '; c < 0x7f; c++ {
		if strings.ContainsRune(`"'\`, c) {
			continue
		}
		table[c] = jsonPlainInString
		if !strings.ContainsRune("{}[]/*:", c) {
			table[c] |= jsonPlain
		}
	}
	return table
}()

// read takes a byte and tells whether it is the last one.
func (j *jsonReader) read(c byte) bool {
	prev, prev2 := j.prev, j.prev2
	j.prev, j.prev2 = c, prev
	switch {
	case j.comment == '/':
		if c == '\n' {
			j.comment = 0
		}
	case j.comment == '*':
		if c == '/' && prev == '*' {
			j.comment = 0
			j.prev = ' '
		}
	case j.quote != 0:
		switch {
		case j.escape:
			j.escape = false
			j.prev = ' '
		case c == '\\':
			j.escape = true
		case j.quote < smartSingle && c == j.quote, j.quote >= smartSingle && smartQuote(prev2, prev, c) == j.quote:
			j.quote = 0
		}
	case c == '"' || c == '\'':
		j.quote = c
	case smartQuote(prev2, prev, c) != 0:
		j.quote = smartQuote(prev2, prev, c)
	case c == '{' || c == '[':
		j.depth++
	case c == '}' || c == ']':
		j.depth--
		return j.depth == 0
	case c == '/' && prev == '/' && prev2 != ':', c == '*' && prev == '/':
		j.comment = c
		j.prev = ' '
	}
	return false
}
