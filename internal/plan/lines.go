package plan

import "strings"

// A line of Markdown, as far as the shape of a document depends on it.
type line struct {
	from, to int    // where it stands, with its end
	text     string // without its end
	number   int    // from 1
	level    int    // of a heading, 0 where it is none
	heading  string // its text
	fence    bool   // it opens or closes a code fence, or stands in one
}

// readLines cuts a text into lines from an offset on. open is the line of a code fence that
// does not end, 0 if there is none.
func readLines(text string, from, number int) (lines []line, open int) {
	var fence string // what closes the one that is open
	for from < len(text) {
		to := len(text)
		if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
			to = from + n + 1
		}
		l := line{from: from, to: to, number: number, text: strings.TrimRight(text[from:to], "\r\n")}
		switch marker := fenceOf(l.text); {
		case fence != "":
			l.fence = true
			if strings.HasPrefix(marker, fence) && strings.Trim(strings.TrimSpace(l.text), marker[:1]) == "" {
				fence, open = "", 0
			}
		case marker != "":
			l.fence, fence, open = true, marker, number
		default:
			l.level, l.heading = headingOf(l.text)
		}
		lines = append(lines, l)
		from, number = to, number+1
	}
	return lines, open
}

// unindented is a line without the up to three spaces that mean nothing in front of it; of
// one with more, or with a tab, ok is false: it is code, or part of something else.
func unindented(text string) (rest string, ok bool) {
	rest = strings.TrimLeft(text, " ")
	return rest, len(text)-len(rest) <= 3
}

// fenceOf is the run of backticks or tildes that a line begins a code fence with, or could
// end one with, "" if it does neither.
func fenceOf(text string) string {
	rest, ok := unindented(text)
	if !ok || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return ""
	}
	after := strings.TrimLeft(rest, rest[:1])
	marker := rest[:len(rest)-len(after)]
	if len(marker) < 3 || rest[0] == '`' && strings.Contains(after, "`") {
		return ""
	}
	return marker
}

// headingOf is the level and the text of a heading, 0 if a line is none.
func headingOf(text string) (level int, heading string) {
	rest, ok := unindented(text)
	if !ok {
		return 0, ""
	}
	after := strings.TrimLeft(rest, "#")
	level = len(rest) - len(after)
	if level < 1 || level > 6 || after != "" && after[0] != ' ' && after[0] != '\t' {
		return 0, ""
	}
	heading = strings.TrimSpace(after)
	if bare := strings.TrimRight(heading, "#"); bare == "" || strings.HasSuffix(bare, " ") || strings.HasSuffix(bare, "\t") {
		heading = strings.TrimSpace(bare)
	}
	return level, heading
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
