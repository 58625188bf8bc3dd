package noise

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Surety is how surely a line is noise.
type Surety int

const (
	Text     Surety = iota // it is none
	Doubtful               // a person might write it too
	Certain
)

// A rule knows a kind of noise.
type rule struct {
	surety Surety
	line   *regexp.Regexp
}

// What the rules know begins with one of these characters or words, and with nothing else:
// so a line that begins otherwise can be shown while it is still being written.
const beginnings = "⏺●⎿✻✽✶✢✳·([>"

var beginningWords = []string{
	"total ", "tokens", "loaded cached", "data collection is",
	"thinking", "running", "executing", "reading", "searching", "loading", "processing", "pondering", "working",
}

var rules = []rule{
	// Calls of tools and what they gave back.
	{Certain, regexp.MustCompile(`^⎿`)},
	{Certain, regexp.MustCompile(`^[⏺●]\s+[A-Z]\w*\(`)},
	{Certain, regexp.MustCompile(`^[⏺●]\s+[\w-]+ - [\w-]+ \(MCP\)`)},
	{Certain, regexp.MustCompile(`(?i)^\[tool([ _-]?(use|call|result|output))?(: [^\]]*)?\]`)},
	{Certain, regexp.MustCompile(`^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?\] (exec|thinking|codex|tool|bash|apply_patch|tokens used|User instructions)\b`)},

	// Spinners.
	{Certain, regexp.MustCompile(`^[✻✽✶✢✳]\s+\S+(…|\.\.\.)`)},
	{Certain, regexp.MustCompile(`^[✻✽✶✢✳]\s+\w+ for \d+[smh]`)},
	{Certain, regexp.MustCompile(`^[✻✽✶✢✳·(].*\besc to interrupt\b`)},
	{Certain, regexp.MustCompile(`^[\x{2800}-\x{28FF}]\s+\S.*(…|\.\.\.)$`)},
	{Doubtful, regexp.MustCompile(`^[\x{2800}-\x{28FF}]\s+\S`)},
	{Doubtful, regexp.MustCompile(`^·\s+\S+(…|\.\.\.)$`)},
	{Doubtful, regexp.MustCompile(`^> ?(Running|Executing|Reading|Writing|Searching|Editing|Thinking|Calling|Fetching|Installing)\b.*(…|\.\.\.)$`)},
	{Doubtful, regexp.MustCompile(`^(Thinking|Running|Executing|Reading|Searching|Loading|Processing|Pondering|Working)(…|\.\.\.)$`)},

	// What it has cost.
	{Certain, regexp.MustCompile(`^Tokens: [\d.,]+k? sent, .*\breceived\b`)},
	{Doubtful, regexp.MustCompile(`^Total (cost|duration \((API|wall)\)|code changes):\s{2,}\S`)},
	{Doubtful, regexp.MustCompile(`(?i)^tokens used:? [\d.,]+k?$`)},

	// Greetings of programs.
	{Doubtful, regexp.MustCompile(`^Loaded cached credentials\.$`)},
	{Doubtful, regexp.MustCompile(`^Data collection is (en|dis)abled\.$`)},
}

// A reading is what is known from the lines so far.
type reading struct {
	fence  string // that a block of code began with, "" outside of one
	output bool   // what a tool gave back comes, in lines that are indented
}

// indented is how lines begin that go on with what a tool gave back.
const indented = "     "

// next reads a line.
func (r *reading) next(line string) Surety {
	text := strings.TrimSpace(line)
	if r.fence != "" {
		if closes(text, r.fence) {
			r.fence = ""
		}
		return Text
	}
	if r.fence = opens(text); r.fence != "" {
		r.output = false
		return Text
	}
	if r.output && text != "" && strings.HasPrefix(line, indented) {
		return Certain
	}
	r.output = strings.HasPrefix(text, "⎿")
	for _, rule := range rules {
		if rule.line.MatchString(text) {
			return rule.surety
		}
	}
	return Text
}

// code tells whether the next line is one of code.
func (r *reading) code() bool { return r.fence != "" }

// enough is how much of a line tells how it begins, in bytes.
const enough = 64

// undecided tells whether a line that begins like this may turn out to be noise.
func (r *reading) undecided(beginning string) bool {
	if r.fence != "" {
		return false
	}
	beginning = beginning[:min(len(beginning), enough)] // or a long line would be read again and again
	text := strings.TrimLeftFunc(beginning, unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case text == "", r.output && strings.HasPrefix(beginning, indented):
		return true
	case strings.ContainsRune(beginnings, first), first >= 0x2800 && first <= 0x28FF, first == utf8.RuneError:
		return true
	}
	lower := strings.ToLower(text)
	for _, word := range beginningWords {
		if strings.HasPrefix(lower, word) || strings.HasPrefix(word, lower) {
			return true
		}
	}
	return false
}

// opens is the fence that a line opens a block of code with, "" if it opens none.
func opens(text string) string {
	text = strings.TrimLeft(text, "> \t")
	for _, mark := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, mark)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}

// closes tells whether a line closes a block of code.
func closes(text, fence string) bool {
	text = strings.TrimLeft(text, "> \t")
	return strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]) == ""
}
