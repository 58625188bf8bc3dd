package turn

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A reply that names a file by its path on the server is of no use to the person. If the
// file may be sent, it is, and the text has its name.

// namedDialect is how a file stands in the ledger that a reply names in its text.
const namedDialect = "text"

// sendFileName is the action that sends files.
const sendFileName = "sendFile"

// mostPaths is how many paths of a reply are looked at.
const mostPaths = 20

// names finds the files that a text names.
type names struct {
	find  func(path string) (file string, ok bool)
	known map[string]string // file by path, "" where there is none
	paths []string          // of the files that were found, each once
	found map[string]bool   // those files
}

// newNames is nil where files cannot be sent.
func (e *Engine) newNames(t *store.Turn) *names {
	spec := e.Registry.Find(sendFileName)
	p, ok := e.Outbox.Platform(t.Message.Room.Platform)
	if e.Sendable == nil || spec == nil || !ok || p.Limits().FileSize == 0 || !e.Policy.Offers(situation(t), spec) {
		return nil
	}
	find := func(path string) (string, bool) { return e.Sendable(path, p.Limits().FileSize) }
	return &names{find: find, known: map[string]string{}, found: map[string]bool{}}
}

// mention is what may be a path: the target of a link, a span of code, or a word with a
// slash in it.
var mention = regexp.MustCompile("!?\\[([^\\]\\n]*)\\]\\(<?([^)>\\n]+)>?\\)|`([^`\\n]+)`|[^\\s\"'“”«»<>()\\[\\]{}|*`]*/[^\\s\"'“”«»<>()\\[\\]{}|*`]+")

// fenceLine begins or ends a block of code.
var fenceLine = regexp.MustCompile("^[ \t>]*(```|~~~)")

// in is a text with the names of the files in place of their paths. Blocks of code stay as
// they are.
func (n *names) in(text string) string {
	if !strings.Contains(text, "/") {
		return text
	}
	var b strings.Builder
	code := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		if fenceLine.MatchString(line) {
			code = !code
		} else if !code && strings.Contains(line, "/") {
			line = mention.ReplaceAllStringFunc(line, n.replace)
		}
		b.WriteString(line)
	}
	return b.String()
}

// replace is a mention with the file's name, or as it is.
func (n *names) replace(text string) string {
	part := mention.FindStringSubmatch(text)
	switch {
	case part[2] != "":
		name, ok := n.name(part[2])
		if !ok {
			return text
		}
		if label := strings.TrimSpace(part[1]); label != "" && !strings.Contains(label, name) {
			return label + " (" + name + ")"
		}
		return name
	case part[3] != "":
		if name, ok := n.name(part[3]); ok {
			return "`" + name + "`"
		}
		return text
	}
	for end := len(text); end > 0; end-- { // what ends a sentence may be a part of the path
		if name, ok := n.name(text[:end]); ok {
			return name + text[end:]
		}
		if !strings.ContainsAny(text[end-1:end], ".,;:!?") {
			break
		}
	}
	return text
}

// name is the name of the file at a path, if it may be sent.
func (n *names) name(given string) (string, bool) {
	if !strings.Contains(given, "/") || strings.Contains(strings.TrimPrefix(given, "file://"), "://") {
		return "", false
	}
	file, known := n.known[given]
	if !known && len(n.known) < mostPaths {
		file, _ = n.find(given)
		n.known[given] = file
	}
	if file == "" {
		return "", false
	}
	if !n.found[file] {
		n.found[file] = true
		n.paths = append(n.paths, given)
	}
	return platform.CleanName(path.Base(given)), true
}

// soFar is a text that is still being written, without a path that may not be complete.
func (n *names) soFar(text string) string {
	last := strings.LastIndexAny(text, " \t\n") + 1
	if strings.Contains(text[last:], "/") {
		text = text[:last]
	}
	return n.in(text)
}

// actions are those that send the files which were found, behind the ones of the reply. A
// file that the reply itself sends is not sent again.
func (n *names) actions(turn int64, rows []store.Action, isSend func(string) bool) []store.Action {
	sent := map[string]bool{}
	for _, row := range rows {
		var args map[string]any
		if !isSend(row.Type) || json.Unmarshal(row.Args, &args) != nil {
			continue
		}
		for _, value := range args {
			if given, ok := value.(string); ok {
				if file, ok := n.find(given); ok {
					sent[file] = true
				}
			}
		}
	}
	for _, given := range n.paths {
		if len(rows) >= mostActions || sent[n.known[given]] {
			continue
		}
		args, err := json.Marshal(map[string]string{"filePath": given})
		if err != nil {
			continue // a text always has JSON
		}
		rows = append(rows, store.Action{Turn: turn, Ordinal: len(rows), Dialect: namedDialect, Type: sendFileName, Args: args, State: store.Planned})
	}
	return rows
}

// isSendFile tells whether an action's name is one of those that send files.
func (e *Engine) isSendFile(name string) bool {
	spec := e.Registry.Find(name)
	return spec != nil && spec.Name == sendFileName
}
