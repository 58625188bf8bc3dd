package telegramtest

import (
	"html"
	"strconv"
	"strings"
)

// tags are the tags that Telegram knows, and what they make of a text.
var tags = map[string]string{
	"b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
	"s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "code": "code", "pre": "pre",
	"a": "text_link", "blockquote": "blockquote", "tg-spoiler": "spoiler", "span": "spoiler", "tg-emoji": "custom_emoji",
}

type tag struct {
	name, url, language string
	at                  int // in the text, counted in units
}

// parseHTML reads a text as Telegram does with parse_mode HTML, which is not as browsers
// do: what is not closed is an error.
func parseHTML(source string) (string, []Entity, *Problem) {
	var text strings.Builder
	var open []tag
	var all []Entity
	size := 0
	add := func(part string) {
		text.WriteString(part)
		size += units(part)
	}
	for i := 0; i < len(source); {
		switch source[i] {
		case '&':
			end := strings.IndexByte(source[i:], ';')
			if end > 0 && known(source[i:i+end+1]) {
				add(html.UnescapeString(source[i : i+end+1]))
				i += end + 1
				continue
			}
			add("&")
			i++
		case '<':
			end := strings.IndexByte(source[i:], '>')
			if end < 0 {
				return "", nil, bad("can't parse entities: Unclosed start tag at byte offset %d", i)
			}
			inner := source[i+1 : i+end]
			if name, closes := strings.CutPrefix(inner, "/"); closes {
				name = strings.ToLower(strings.TrimSpace(name))
				if len(open) == 0 {
					return "", nil, bad("can't parse entities: Unexpected end tag at byte offset %d", i)
				}
				last := open[len(open)-1]
				if name != last.name {
					return "", nil, bad(`can't parse entities: Unmatched end tag at byte offset %d, expected "</%s>", found "</%s>"`, i, last.name, name)
				}
				open = open[:len(open)-1]
				if size > last.at {
					all = append(all, Entity{Type: tags[name], Offset: last.at, Length: size - last.at, URL: last.url, Language: last.language})
				}
			} else {
				name, rest, _ := strings.Cut(inner, " ")
				name = strings.ToLower(name)
				if tags[name] == "" {
					return "", nil, bad("can't parse entities: Unsupported start tag %q at byte offset %d", name, i)
				}
				open = append(open, tag{name: name, at: size, url: attribute(rest, "href"), language: strings.TrimPrefix(attribute(rest, "class"), "language-")})
			}
			i += end + 1
		default:
			next := strings.IndexAny(source[i:], "&<")
			if next < 0 {
				next = len(source) - i
			}
			add(source[i : i+next])
			i += next
		}
	}
	if len(open) > 0 {
		return "", nil, bad("can't parse entities: Can't find end tag corresponding to start tag %q", open[len(open)-1].name)
	}
	return text.String(), all, nil
}

func known(entity string) bool {
	switch entity {
	case "&lt;", "&gt;", "&amp;", "&quot;":
		return true
	}
	n, ok := strings.CutPrefix(strings.TrimSuffix(entity, ";"), "&#")
	if !ok {
		return false
	}
	_, err := strconv.ParseUint(strings.TrimPrefix(n, "x"), 16, 32)
	return err == nil
}

func attribute(rest, name string) string {
	_, value, ok := strings.Cut(rest, name+`="`)
	if !ok {
		return ""
	}
	value, _, _ = strings.Cut(value, `"`)
	return html.UnescapeString(value)
}

// ParseHTML reads a text as Telegram does with parse_mode HTML. The problem is nil if it
// can.
func ParseHTML(source string) (string, []Entity, *Problem) { return parseHTML(source) }
