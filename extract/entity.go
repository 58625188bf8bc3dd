package extract

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

var entities = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

// longestEntity is how many bytes an entity may have, & and ; included.
const longestEntity = 12

// unescape decodes the XML entities and numeric references in b; what is none
// stays as it is.
func unescape(b []byte) []byte {
	i := bytes.IndexByte(b, '&')
	if i < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i >= 0 {
		out = append(out, b[:i]...)
		b = b[i:]
		r, n := entity(b)
		if n == 0 {
			out = append(out, '&')
			n = 1
		} else {
			out = utf8.AppendRune(out, r)
		}
		b = b[n:]
		i = bytes.IndexByte(b, '&')
	}
	return append(out, b...)
}

// entity decodes the entity that b begins with. Its length is 0 if there is none.
func entity(b []byte) (rune, int) {
	n := bytes.IndexByte(b[:min(len(b), longestEntity)], ';')
	if n < 2 {
		return 0, 0
	}
	name := string(b[1:n])
	if r, ok := entities[name]; ok {
		return r, n + 1
	}
	if name[0] != '#' {
		return 0, 0
	}
	digits, base := name[1:], 10
	if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if r := rune(code); err == nil && code > 0 && code <= utf8.MaxRune && utf8.ValidRune(r) {
		return r, n + 1
	}
	return 0, 0
}

// quoted is b as a JSON string.
func quoted(b []byte) json.RawMessage {
	return appendQuoted(nil, string(b))
}
