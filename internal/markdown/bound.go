package markdown

import "strings"

// What is beyond these bounds is shown as plain text. Reading Markdown takes time that
// grows with the square of how deep things are nested and of how many brackets and
// stars a paragraph has, and a hostile model could keep a processor busy for minutes.
// No reply meant for people comes near them.
const (
	largestText = 256 << 10 // bytes
	deepest     = 32        // quotes and lists within each other
	mostOpen    = 2000      // brackets, stars and the like in a paragraph
)

// bounded reports whether a text can be read in a time that nobody notices.
func bounded(text string) bool {
	if len(text) > largestText {
		return false
	}
	open := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			open = 0
			continue
		}
		for i := range len(line) {
			switch line[i] {
			case '[', '*', '_', '~', '`', '<', '!':
				open++
			}
		}
		if open > mostOpen || depth(line) > deepest {
			return false
		}
	}
	return true
}

// depth is how many quotes and list items begin at the beginning of a line.
func depth(line string) int {
	n := 0
	for i := range len(line) {
		last := i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t' || line[i+1] == '\n'
		switch c := line[i]; {
		case c == '>', last && strings.IndexByte("-+*.)", c) >= 0:
			n++
		case c == ' ', c == '\t', c >= '0' && c <= '9':
		default:
			return n
		}
	}
	return n
}

// plain shows a text without reading it.
func plain(text string) string {
	return "<p>" + strings.ReplaceAll(escape(strings.Trim(text, "\r\n")), "\n", "<br>\n") + "</p>\n"
}
