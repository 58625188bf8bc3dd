package arithmetic

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind is what a token is.
type kind int

const (
	end    kind = iota
	number      // its value is in num
	word        // a function, a constant or a unit
	symbol
)

type token struct {
	kind kind
	text string // of a word in lower case
	num  *big.Rat
	at   int // where it begins
}

// The numbers that people write. 1,000 is one where its commas stand as they should.
var (
	based   = regexp.MustCompile(`^0(?i:x[0-9a-f]+|b[01]+|o[0-7]+)`)
	grouped = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?`)
	plain   = regexp.MustCompile(`^([0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?i:e[+-]?[0-9]{1,4}\b)?`)
	clock   = regexp.MustCompile(`^[0-9]{1,3}:[0-5][0-9](:[0-5][0-9])?`)
)

// symbols in the order in which they are looked for, and what they mean.
var symbols = []struct{ written, means string }{
	{"**", "^"},
	{"//", "//"},
	{"×", "*"},
	{"·", "*"},
	{"÷", "/"},
	{"−", "-"},
	{"–", "-"},
	{"²", "²"},
	{"³", "³"},
	{"√", "√"},
	{"°", "°"},
	{"π", "π"},
	{"+", "+"},
	{"-", "-"},
	{"*", "*"},
	{"/", "/"},
	{"^", "^"},
	{"%", "%"},
	{"!", "!"},
	{"(", "("},
	{")", ")"},
	{",", ","},
	{"=", "="},
}

// scan cuts an expression into tokens.
func scan(expression string) ([]token, error) {
	var tokens []token
	calls := 0 // brackets around what stands here; in them a comma separates arguments
	for at := 0; at < len(expression); {
		rest := expression[at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r):
			at += size
			continue
		case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			text, num, err := scanNumber(rest, calls > 0)
			if err != nil {
				return nil, err
			}
			t := token{kind: number, text: text, num: num, at: at}
			if strings.Contains(text, ":") {
				t.text = ":" // a time
			}
			tokens = append(tokens, t)
			at += len(text)
			continue
		case unicode.IsLetter(r) && r != 'π':
			n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && (r < '0' || r > '9') })
			if n < 0 {
				n = len(rest)
			}
			tokens = append(tokens, token{kind: word, text: strings.ToLower(rest[:n]), at: at})
			at += n
			continue
		}
		found := false
		for _, s := range symbols {
			if strings.HasPrefix(rest, s.written) {
				tokens = append(tokens, token{kind: symbol, text: s.means, at: at})
				at += len(s.written)
				calls += strings.Count(s.means, "(") - strings.Count(s.means, ")")
				found = true
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("%q is not understood", string(r))
		}
	}
	if n := len(tokens); n > 0 && tokens[n-1].text == "=" { // "6 * 7 ="
		tokens = tokens[:n-1]
	}
	return append(tokens, token{kind: end, text: openEnd, at: len(expression)}), nil
}

// scanNumber reads the number at the beginning of a text.
func scanNumber(text string, inCall bool) (string, *big.Rat, error) {
	if found := clock.FindString(text); found != "" {
		return found, clockTime(found), nil
	}
	if found := based.FindString(text); found != "" {
		n, ok := new(big.Int).SetString(found, 0)
		if !ok {
			return "", nil, fmt.Errorf("%q is not a number", found)
		}
		return found, new(big.Rat).SetInt(n), nil
	}
	found := plain.FindString(text)
	if !inCall {
		if with := grouped.FindString(text); len(with) > len(found) {
			found = with
		}
	}
	if after := text[len(found):]; strings.HasPrefix(after, ".") {
		return "", nil, fmt.Errorf("%q is not a number", found+after[:1])
	}
	n, ok := new(big.Rat).SetString(strings.NewReplacer(",", "", "_", "").Replace(found))
	if !ok {
		return "", nil, fmt.Errorf("%q is not a number", found)
	}
	return found, n, bounded(n)
}

// clockTime is a time such as 17:45 in seconds.
func clockTime(text string) *big.Rat {
	sum, factor := new(big.Rat), big.NewRat(3600, 1)
	for _, part := range strings.Split(text, ":") {
		n, _ := new(big.Rat).SetString(part) // it has digits only
		sum.Add(sum, n.Mul(n, factor))
		factor = new(big.Rat).Quo(factor, big.NewRat(60, 1))
	}
	return sum
}
