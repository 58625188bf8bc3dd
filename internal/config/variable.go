package config

import (
	"regexp"
	"strings"
)

// A reference is ${NAME} or ${NAME:-default}; with another $ before it, it is
// literal. Up to the closing brace a default stands for itself.
var reference = regexp.MustCompile(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^}\r\n]*)?\}|\$\$\{`)

// shellVariable is what someone writes who means ${NAME}. No key looks like that.
var shellVariable = regexp.MustCompile(`^\$[A-Z][A-Z0-9_]*$`)

// YAML gives braces, commas, colons and hashes a meaning, and so would not read
// {api_key: ${KEY}}. So references are masked before it is parsed: their ASCII
// characters are moved to where nobody writes, one for one, which keeps columns.
const (
	maskFirst = 0x10FF00
	maskLast  = maskFirst + 0x7F
)

func masked(r rune) bool { return maskFirst <= r && r <= maskLast }

func mask(source string) string {
	return reference.ReplaceAllStringFunc(source, func(ref string) string {
		return strings.Map(func(r rune) rune {
			if r < 0x80 {
				return maskFirst + r
			}
			return r
		}, ref)
	})
}

func unmask(s string) string {
	return strings.Map(func(r rune) rune {
		if masked(r) {
			return r - maskFirst
		}
		return r
	}, s)
}

// expand puts the values of variables in place of the references in a value. The
// problem says what is wrong, to follow the name of the key; "" is nothing.
func expand(s string, env func(string) (string, bool)) (t text, problem string) {
	s = unmask(s)
	var b strings.Builder
	end := 0
	for _, at := range reference.FindAllStringIndex(s, -1) {
		between, ref := s[end:at[0]], s[at[0]:at[1]]
		end = at[1]
		if strings.Contains(between, "${") {
			return text{}, badReference
		}
		b.WriteString(between)
		if strings.HasPrefix(ref, "$$") {
			b.WriteString(ref[1:])
			continue
		}
		name, fallback, hasFallback := strings.Cut(ref[2:len(ref)-1], ":-")
		value, ok := env(name)
		switch {
		case hasFallback && value == "":
			value = fallback
		case !ok:
			return text{}, "the environment variable " + name + " is not set; set it, or give a default as in ${" + name + ":-…}"
		}
		b.WriteString(value)
		t.variable = name
	}
	if strings.Contains(s[end:], "${") {
		return text{}, badReference
	}
	b.WriteString(s[end:])
	t.value = b.String()
	return t, ""
}

const badReference = "${ begins no variable, which would be ${NAME} or ${NAME:-default}; for the characters themselves write $${"
