package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNesting is how deep objects and arrays may stand in each other. It bounds
// the recursion of lenientReader.
const maxNesting = 100

// A field is a member of an object that was read leniently.
type field struct {
	name  string
	value json.RawMessage // strict JSON
}

// An item is a member of an array that was read leniently; pos and end are its
// offsets in what was read.
type item struct {
	pos, end int
	value    json.RawMessage // strict JSON
}

// lenientFields reads the JSON object that src holds, as a chat model writes it:
// with trailing and missing commas, other quotes or none, comments, raw newlines
// in strings. White space and comments may stand around the object, nothing else.
// The message of an error tells the model what to correct.
func lenientFields(src []byte) ([]field, error) {
	l := lenientReader{src: src, out: make([]byte, 0, len(src)), fields: make([]field, 0, 4)}
	err := l.whole('{')
	return l.fields, err
}

// lenientItems reads the JSON array that src holds, as lenientFields does an object.
func lenientItems(src []byte) ([]item, error) {
	l := lenientReader{src: src, out: make([]byte, 0, len(src))}
	err := l.whole('[')
	return l.items, err
}

// joinFields gives the object of the fields, in order. Of two fields of one name
// the later value wins, in the place of the first.
func joinFields(fields []field) json.RawMessage {
	fields = withoutRepeats(fields)
	size := len(`{}`)
	for _, f := range fields {
		size += len(f.name) + len(f.value) + len(`"":,`)
	}
	object := append(make([]byte, 0, size), '{')
	for i, f := range fields {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(appendQuoted(object, f.name), ':')
		object = append(object, f.value...)
	}
	return append(object, '}')
}

// withoutRepeats is fields if each has a name of its own.
func withoutRepeats(fields []field) []field {
	if len(fields) <= 8 && !slices.ContainsFunc(fields, func(f field) bool { return countName(fields, f.name) > 1 }) {
		return fields // most objects are small
	}
	place := make(map[string]int, len(fields))
	for i, f := range fields {
		place[f.name] = i
	}
	if len(place) == len(fields) {
		return fields
	}
	values := fields
	fields = nil
	for _, f := range values {
		if last, first := place[f.name]; first {
			fields = append(fields, field{f.name, values[last].value})
			delete(place, f.name)
		}
	}
	return fields
}

func countName(fields []field, name string) int {
	n := 0
	for _, f := range fields {
		if f.name == name {
			n++
		}
	}
	return n
}

// A lenientReader goes through src once and writes what it reads to out, as strict
// JSON without white space.
type lenientReader struct {
	src    []byte
	pos    int // everything before it has been read
	out    []byte
	fields []field // of the outermost object
	items  []item  // of the outermost array
	depth  int     // how many objects and arrays are open

	// The last key, value or bracket is src[lastPos:lastEnd]. Errors quote it,
	// because a model finds a place by its words, not by a number.
	lastPos, lastEnd int
}

// whole reads src from its first to its last byte.
func (l *lenientReader) whole(opening rune) error {
	l.skip()
	var err error
	if l.peek() == opening {
		err = l.value()
	} else {
		err = l.expected(string(opening))
	}
	if l.skip(); err == nil && l.pos < len(l.src) {
		err = l.expected("nothing")
	}
	if err != nil {
		l.fields, l.items = nil, nil
	}
	return err
}

// value reads any value.
func (l *lenientReader) value() error {
	switch c := l.peek(); {
	case c == '{':
		return l.list('}')
	case c == '[':
		return l.list(']')
	case quoteRune(c):
		text, err := l.text()
		l.out = appendQuoted(l.out, text)
		return err
	}
	word, err := l.word("a value", wordRune)
	if literal, ok := lenientLiteral(word); ok {
		l.out = append(l.out, literal...)
	} else {
		l.out = appendQuoted(l.out, word)
	}
	return err
}

// list reads an object or array from its opening to its closing bracket.
func (l *lenientReader) list(closing rune) error {
	if l.depth++; l.depth > maxNesting {
		return fmt.Errorf("nested deeper than %d levels; write it flatter", maxNesting)
	}
	l.out = append(l.out, l.src[l.pos])
	l.take(l.pos, l.pos+1)
	for first, joined := true, false; ; first = false {
		l.skip()
		if l.peek() == closing {
			l.out = append(l.out, l.src[l.pos])
			l.take(l.pos, l.pos+1)
			l.depth--
			return nil
		}
		if !first {
			l.out = append(l.out, ',')
		}
		if closing == ']' {
			if err := l.item(); err != nil {
				return err
			}
		} else if err := l.field(joined); err != nil {
			return err
		}
		end := l.pos
		l.skip()
		joined = l.peek() != ',' && l.peek() != closing
		if joined && !l.memberStarts(closing, l.src[end:l.pos]) {
			return l.unseparated(closing)
		}
		if l.peek() == ',' {
			l.take(l.lastPos, l.pos+1)
		}
	}
}

// memberStarts reports whether it is clear that a member starts here, with only
// gap before it and no comma. A word that touches a string is mostly the rest of
// that string, after a quote that should have been escaped.
func (l *lenientReader) memberStarts(closing rune, gap []byte) bool {
	c := l.peek()
	if closing == '}' { // field will insist on the colon
		return quoteRune(c) || keyRune(c) && len(gap) > 0
	}
	return c == '{' || c == '[' || quoteRune(c) && len(gap) > 0 || bytes.IndexByte(gap, '\n') >= 0
}

// field reads a member of an object; joined says that there is no comma before it.
func (l *lenientReader) field(joined bool) (err error) {
	before, start, name := *l, l.pos, ""
	if quoteRune(l.peek()) {
		name, err = l.text()
	} else {
		name, err = l.word("a key", keyRune)
	}
	if err != nil {
		return err
	}
	l.skip()
	if l.peek() != ':' {
		if joined { // so it was no key
			return before.unseparated('}')
		}
		return l.expected(":")
	}
	l.take(start, l.pos+1)
	l.skip()
	l.out = append(appendQuoted(l.out, name), ':')
	from := len(l.out)
	err = l.value()
	if l.depth == 1 {
		l.fields = append(l.fields, field{name, slices.Clip(l.out[from:])})
	}
	return err
}

// item reads a member of an array.
func (l *lenientReader) item() error {
	pos, from := l.pos, len(l.out)
	err := l.value()
	if l.depth == 1 {
		l.items = append(l.items, item{pos, l.pos, slices.Clip(l.out[from:])})
	}
	return err
}

// text reads a string in any quotes.
func (l *lenientReader) text() (string, error) {
	start := l.pos
	opening := l.next()
	if opening == '"' {
		end := l.pos
		for end < len(l.src) && plainByte(l.src[end]) {
			end++
		}
		if end < len(l.src) && l.src[end] == '"' {
			plain := string(l.src[l.pos:end])
			l.take(start, end+1)
			return plain, nil
		}
	}
	var text []byte
	for l.pos < len(l.src) {
		switch c := l.next(); {
		case closesString(opening, c):
			l.take(start, l.pos)
			return string(text), nil
		case c == '\\':
			text = utf8.AppendRune(text, l.escape())
		default:
			text = utf8.AppendRune(text, c) // U+FFFD for invalid bytes
		}
	}
	l.take(start, l.pos)
	return "", l.expected("a closing quote")
}

// escape reads what follows a backslash and gives the character it stands for: in
// an escape that JSON does not have, the character that is there.
func (l *lenientReader) escape() rune {
	c := l.next()
	if i := strings.IndexRune("bfnrt", c); i >= 0 {
		return rune("\b\f\n\r\t"[i])
	}
	code, ok := l.hex(l.pos)
	if c != 'u' || !ok {
		return c
	}
	l.pos += 4
	if low, ok := l.hex(l.pos + 2); ok && l.starts(`\u`) {
		if pair := utf16.DecodeRune(code, low); pair != unicode.ReplacementChar {
			l.pos += 6
			return pair
		}
	}
	return code // half a pair, which is no character, is written as U+FFFD
}

// hex gives the value of the four hexadecimal digits at pos.
func (l *lenientReader) hex(pos int) (rune, bool) {
	if pos+4 > len(l.src) {
		return 0, false
	}
	code, err := strconv.ParseUint(string(l.src[pos:pos+4]), 16, 16)
	return rune(code), err == nil
}

// word reads what stands without quotes. A value that turns out to be a web
// address runs to the end of that.
func (l *lenientReader) word(what string, has func(rune) bool) (string, error) {
	start, address := l.pos, false
	for has(l.peek()) && (address || !l.starts("/*") && (l.pos == start || !l.starts("//"))) {
		l.next()
		if has('/') && l.starts("://") {
			has, address = addressRune, true
		}
	}
	if l.pos == start {
		return "", l.expected(what)
	}
	l.take(start, l.pos)
	return string(l.src[start:l.pos]), nil
}

// lenientLiteral gives the JSON literal or number that word is meant to be. A
// number with zeros in front is more likely an identifier, and stays a word.
func lenientLiteral(word string) (string, bool) {
	switch word {
	case "true", "false", "null":
		return word, true
	case "True", "False":
		return strings.ToLower(word), true
	case "None":
		return "null", true
	}
	digits, sign := strings.TrimPrefix(word, "+"), ""
	if strings.HasPrefix(word, "-") {
		digits, sign = word[1:], "-"
	}
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		n, err := strconv.ParseUint(hex, 16, 64)
		return sign + strconv.FormatUint(n, 10), err == nil
	}
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	} else {
		digits = strings.TrimSuffix(digits, ".")
	}
	isNumber := digits != "" && '0' <= digits[0] && digits[0] <= '9' && json.Valid([]byte(digits))
	return sign + digits, isNumber
}

// skip goes past white space and comments. A comment without an end is left for
// whoever reads on to complain about.
func (l *lenientReader) skip() {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch {
		case isSpace(rest[0]):
			l.pos++
		case l.starts("//") && (l.pos == 0 || l.src[l.pos-1] != ':'): // not in http://
			line, _, _ := bytes.Cut(rest, []byte{'\n'})
			l.pos += len(line)
		case l.starts("/*") && bytes.Contains(rest[2:], []byte("*/")):
			l.pos += 2 + bytes.Index(rest[2:], []byte("*/")) + 2
		default:
			return
		}
	}
}

func (l *lenientReader) starts(with string) bool { return bytes.HasPrefix(l.src[l.pos:], []byte(with)) }

// peek gives the next character, and U+FFFD, which means nothing, at the end.
func (l *lenientReader) peek() rune {
	c, _ := utf8.DecodeRune(l.src[l.pos:])
	return c
}

func (l *lenientReader) next() rune {
	c, size := utf8.DecodeRune(l.src[l.pos:])
	l.pos += size
	return c
}

// take makes src[pos:end] the last thing read.
func (l *lenientReader) take(pos, end int) { l.pos, l.lastPos, l.lastEnd = end, pos, end }

// unseparated is the error of finding no comma after a member.
func (l *lenientReader) unseparated(closing rune) error {
	err := l.expected(", or " + string(closing))
	switch last, _ := utf8.DecodeRune(l.src[l.lastPos:]); {
	case l.pos == len(l.src) || l.peek() == '}' || l.peek() == ']' || l.starts("/*"):
		return err
	case quoteRune(last):
		return fmt.Errorf(`%w; put a \ before a quote inside a string`, err)
	case wordRune(last):
		return fmt.Errorf("%w; put text in double quotes", err)
	}
	return err
}

// expected is the error of finding something else than what. It names the line,
// if there are several.
func (l *lenientReader) expected(what string) error {
	if l.lastEnd > 0 {
		what += " after " + lenientExcerpt(l.src[l.lastPos:l.lastEnd])
	}
	found := "the end"
	if rest := l.src[l.pos:]; len(rest) > 0 {
		end := bytes.IndexAny(rest, " \t\r\n,:{}[]")
		if end < 0 {
			end = len(rest)
		}
		found = lenientExcerpt(rest[:max(end, 1)])
	}
	if bytes.IndexByte(l.src, '\n') >= 0 {
		found += " on line " + strconv.Itoa(1+bytes.Count(l.src[:l.pos], []byte{'\n'}))
	}
	return errors.New("expected " + what + ", found " + found)
}

// lenientExcerpt makes what an error quotes short, and one line.
func lenientExcerpt(quoted []byte) string {
	text := string(quoted)
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:20], "") + "…" + strings.ToValidUTF8(text[len(text)-16:], "")
	}
	line := strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) })
	if len(line) == 0 {
		return strconv.Quote(text)
	}
	return strings.ToValidUTF8(strings.Join(line, " "), "\uFFFD")
}

// appendQuoted appends text as a string. Mentions such as <@1> stay readable.
func appendQuoted(out []byte, text string) []byte {
	if isPlain(text) {
		out = append(out, '"')
		out = append(out, text...)
		return append(out, '"')
	}
	buffer := bytes.NewBuffer(out)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string into memory cannot fail
	return bytes.TrimSuffix(buffer.Bytes(), []byte{'\n'})
}

// isPlain reports whether text can stand in JSON as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if !plainByte(text[i]) {
			return false
		}
	}
	return true
}

func plainByte(c byte) bool { return c >= ' ' && c <= '~' && c != '"' && c != '\\' }

// closesString reports whether c ends a string that begins with opening: the same
// kind of quote does, and models mix up the two smart ones. jsonReader, which finds
// the end of the object, must agree.
func closesString(opening, c rune) bool {
	switch opening {
	case '“', '”':
		return c == '“' || c == '”'
	case '‘', '’':
		return c == '‘' || c == '’'
	}
	return c == opening
}

func quoteRune(c rune) bool {
	return c == '"' || c == '\'' || c >= '‘' && strings.ContainsRune("“”‘’", c)
}

func letterRune(c rune) bool {
	if c < utf8.RuneSelf {
		return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
	}
	return unicode.In(c, unicode.L, unicode.M, unicode.Nd)
}

func keyRune(c rune) bool     { return letterRune(c) || strings.ContainsRune("_-$.", c) }
func wordRune(c rune) bool    { return letterRune(c) || strings.ContainsRune("_-./@#+", c) }
func addressRune(c rune) bool { return wordRune(c) || strings.ContainsRune(":?&=%~!$*;()|", c) }
