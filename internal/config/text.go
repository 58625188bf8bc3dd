package config

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A text is a value from the file, with its variables replaced.
type text struct {
	value    string
	variable string // a variable that it was read with, or ""
	bare     bool   // it stood there without quotes and is a number, true or false
}

// quote names the value in a message. What comes from the environment is not said,
// nor what does not look like one value: a quote that was not closed has swallowed
// the lines that follow, and a token may be among them.
func (t text) quote() string {
	if t.variable != "" {
		return "the value of ${" + t.variable + "}"
	}
	return quote(t.value, "this")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

func quote(s, instead string) string {
	if utf8.RuneCountInString(s) > 40 || strings.Contains(s, ": ") || strings.ContainsAny(s, "\n\r=@") {
		return instead
	}
	return strconv.Quote(s)
}
