package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Kind is what a phase is there for.
type Kind string

const (
	Implement Kind = "implement" // change something
	Read      Kind = "read"      // look, and run the checks
	Audit     Kind = "audit"     // compare what was done with what was wanted
)

// A Phase is a part of a plan that is done in one go.
type Phase struct {
	Kind  Kind
	Title string
	Text  string   // of the plan, that it is made from
	Files []string // that the text names
}

// Hash stands for what a phase was made from.
func (p Phase) Hash() string {
	sum := sha256.Sum256([]byte(string(p.Kind) + "\n" + p.Text))
	return hex.EncodeToString(sum[:])
}

// Phases are what a run of a plan works through: each of the changes, then the tests, and
// in the end a look back at the objective and the scope. There are none where the plan
// names no change.
func Phases(d *Document) []Phase {
	var all []Phase
	for _, b := range blocks(d.Written(Changes)) {
		all = append(all, Phase{Kind: Implement, Title: b.title, Text: b.text, Files: filesIn(b.text)})
	}
	if all == nil {
		return nil
	}
	if testing := d.Written(Testing); testing != "" {
		all = append(all, Phase{Kind: Read, Title: "Run the checks", Text: testing, Files: filesIn(testing)})
	}
	var wanted []string
	for _, name := range []string{Objective, Scope} {
		if text := d.Written(name); text != "" {
			wanted = append(wanted, name+":\n"+text)
		}
	}
	return append(all, Phase{Kind: Audit, Title: "Compare with the objective", Text: strings.Join(wanted, "\n\n")})
}

// A block is a part of a section: what stands below a heading, or an item of a list.
type block struct {
	title  string
	text   string
	listed bool // it is an item of a list
}

var itemPattern = regexp.MustCompile(`^ {0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?(.*)|$)`)

// blocks cuts the text of a section at its smaller headings; without those, at the items of
// its lists; without those, it is one block.
func blocks(text string) []block {
	lines, _ := readLines(text, 0, 1)
	begins := func(l line) (title string, ok bool) { return l.heading, l.level == 3 && l.heading != "" }
	listed := false
	if !slices.ContainsFunc(lines, func(l line) bool { _, ok := begins(l); return ok }) {
		listed = true
		deepest := -1 // how far an item may be indented: further in it belongs to the one above
		begins = func(l line) (string, bool) {
			found := itemPattern.FindStringSubmatch(l.text)
			if l.fence || found == nil || blank(found[1]) {
				return "", false
			}
			indent := len(l.text) - len(strings.TrimLeft(l.text, " "))
			if deepest < 0 {
				deepest = indent + 1
			}
			return found[1], indent <= deepest
		}
	}
	var all []block
	from := -1
	for _, l := range lines {
		title, ok := begins(l)
		if !ok {
			continue
		}
		if from >= 0 {
			all[len(all)-1].text = trimLines(text[from:l.from])
		}
		all, from = append(all, block{title: short(title), listed: listed}), l.from
	}
	if from >= 0 {
		all[len(all)-1].text = trimLines(text[from:])
		return all
	}
	if text = trimLines(text); text != "" {
		return []block{{title: short(Name(text)), text: text}}
	}
	return nil
}

// short is a title that fits into a line of a status.
func short(title string) string {
	return clip(oneLine(strings.NewReplacer("`", "", "*", "").Replace(title)))
}

// mostFiles is how many files a phase is shown at most.
const mostFiles = 20

var (
	quotedPattern = regexp.MustCompile("`([^`\n]+)`")
	filePattern   = regexp.MustCompile(`^[^\s:*?<>|"'\\]+$`)
	wordPattern   = regexp.MustCompile(`^(?:[\w.-]+/)*[\w-][\w.-]+\.[A-Za-z][A-Za-z0-9]{0,7}$`)
)

// filesIn are the paths that a text names: what stands in backticks and looks like one, and
// words with an ending. Whether there are such files is for others to find out.
func filesIn(text string) []string {
	var all []string
	add := func(name string) {
		name = path.Clean(name)
		outside := path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../")
		if !outside && name != "." && len(all) < mostFiles && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	for _, found := range quotedPattern.FindAllStringSubmatch(text, -1) {
		name := found[1]
		if filePattern.MatchString(name) && (strings.Contains(name, "/") || len(path.Ext(name)) > 1) {
			add(name)
		}
	}
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\r\n()[]\"'`,;", c) }) {
		if word = strings.TrimRight(word, ".:!?"); wordPattern.MatchString(word) {
			add(word)
		}
	}
	return all
}

// String is a phase in a list.
func (p Phase) String() string { return fmt.Sprintf("%s: %s", p.Kind, p.Title) }
