package forum

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/asidehq/aside/platform"
)

// A TagMap is a file that says which tags of a forum labels and statuses have:
//
//	labels: {bug: Bug, urgent: 123456789012345678}
//	status: {blocked: Waiting}
//
// A label that is in neither section, at the beginning of a line, is one of labels.
type TagMap struct {
	lines []tagLine
}

type tagLine struct {
	line   int
	status bool
	name   string // of the label or the status, in lower case
	tag    string // its name or its id
}

// largestTagMap bounds the time of reading it.
const largestTagMap = 64 << 10

// ReadTagMap reads a map. What is wrong with it is said line by line; the rest counts.
func ReadTagMap(data []byte, words Words) (m TagMap, wrong []string) {
	if len(data) > largestTagMap {
		return m, []string{"it is larger than 64 KiB"}
	}
	// The parser has had bugs that panic, and a file that it trips over is a wrong one.
	defer func() {
		if recover() != nil {
			m, wrong = TagMap{}, []string{notYAML}
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return m, []string{syntax(err)}
	}
	r := tagReader{words: words}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			r.section(doc.Body, "")
		}
	}
	return TagMap{r.lines}, r.wrong
}

const notYAML = "it cannot be read as YAML or JSON; check indentation, quotes and brackets"

func syntax(err error) string {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
		return fmt.Sprintf("line %d: this cannot be read; check indentation, quotes and brackets", at.GetToken().Position.Line)
	}
	return notYAML
}

type tagReader struct {
	words Words
	lines []tagLine
	wrong []string
}

func (r *tagReader) complain(n ast.Node, format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf("line %d: ", lineOf(n))+fmt.Sprintf(format, args...))
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

// section reads a mapping: the whole file, its labels or its statuses.
func (r *tagReader) section(n ast.Node, name string) {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		r.complain(n, "here labels and their tags belong, such as bug: Bug")
		return
	}
	for entries := mapping.MapRange(); entries.Next(); {
		key, value := strings.TrimSpace(scalar(entries.Key())), entries.Value()
		_, nested := value.(ast.MapNode)
		switch {
		case nested && name == "" && (key == "labels" || key == "status"):
			r.section(value, key)
		case value.Type() == ast.NullType && name == "" && (key == "labels" || key == "status"): // an empty section
		default:
			r.entry(entries.Key(), value, name)
		}
	}
}

func (r *tagReader) entry(key, value ast.Node, section string) {
	l := tagLine{line: lineOf(key), status: section == "status", name: strings.ToLower(strings.TrimSpace(scalar(key))), tag: strings.TrimSpace(scalar(value))}
	switch {
	case l.name == "":
		r.complain(key, "a label is missing before the colon")
	case l.tag == "":
		r.complain(key, "%s needs the name or the id of a tag, such as %s: Bug", l.name, l.name)
	case l.status && !slices.Contains(r.words.Statuses, l.name):
		r.complain(key, "there is no status %s; there are %s", l.name, strings.Join(r.words.Statuses, ", "))
	case slices.ContainsFunc(r.lines, func(o tagLine) bool { return o.status == l.status && o.name == l.name }):
		r.complain(key, "%s is there twice; the first one counts", l.name)
	default:
		r.lines = append(r.lines, l)
	}
}

// scalar is a text or a number; "" is anything else. A number is as it was written: an id has
// more digits than others keep.
func scalar(n ast.Node) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value
	case *ast.MappingKeyNode:
		return scalar(n.Value)
	}
	return ""
}

// Find finds the tags in a forum. What is not there is said line by line.
func (m TagMap) Find(tags []platform.Tag) (found Tags, wrong []string) {
	found = Tags{labels: map[string]string{}, statuses: map[string]string{}}
	for _, l := range m.lines {
		at := slices.IndexFunc(tags, func(t platform.Tag) bool { return t.ID == l.tag || strings.EqualFold(t.Name, l.tag) })
		if at < 0 {
			wrong = append(wrong, fmt.Sprintf("line %d: the forum has no tag %s; %s", l.line, l.tag, has(tags)))
			continue
		}
		if l.status {
			found.statuses[l.name] = tags[at].ID
		} else {
			found.labels[l.name] = tags[at].ID
		}
	}
	return found, wrong
}

func has(tags []platform.Tag) string {
	if len(tags) == 0 {
		return "it has none"
	}
	var names []string
	for _, t := range tags {
		names = append(names, t.Name)
	}
	return "it has " + strings.Join(names, ", ")
}
