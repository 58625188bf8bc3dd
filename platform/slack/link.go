package slack

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// schemes are what a link may lead to. <!channel> and <@U1> are links to Slack, and are
// not written here.
var schemes = []string{"http", "https", "mailto", "tel"}

// link is a link, or its text and address where it leads to something else.
func (w *writer) link(to, label string) string {
	label = strings.Join(strings.Fields(label), " ")
	u, err := url.Parse(to)
	if err == nil && u.Scheme == "" && strings.HasPrefix(to, "www.") {
		u, err = url.Parse("https://" + to)
	}
	if err != nil || !slices.Contains(schemes, strings.ToLower(u.Scheme)) {
		if label == "" || label == w.escape(to) {
			return w.escape(to)
		}
		return label + " (" + w.escape(to) + ")"
	}
	address := strings.NewReplacer("|", "%7C", "<", "%3C", ">", "%3E", " ", "%20", "&", "&amp;").Replace(u.String())
	if label == "" || label == address || strings.TrimPrefix(address, "mailto:") == label {
		return "<" + address + ">"
	}
	return "<" + address + "|" + strings.ReplaceAll(label, "|", "¦") + ">"
}

// table is a table as code, its columns below each other. One that would become much
// longer by that has its cells as they are.
func (w *writer) table(t *east.Table) string {
	var rows [][]string
	var widths []int
	total := 0
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var row []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cell := strings.ReplaceAll(plain(w.source, c), "```", "``\u200b`")
			if len(row) == len(widths) {
				widths = append(widths, 0)
			}
			widths[len(row)] = max(widths[len(row)], uniseg.StringWidth(cell))
			row = append(row, cell)
			total += utf8.RuneCountInString(cell) + 3
		}
		rows = append(rows, row)
	}
	wide := 0
	for _, n := range widths {
		wide += n + 3
	}
	pad := wide*len(rows) <= 2*total+200
	var lines []string
	for i, row := range rows {
		for j, cell := range row {
			if pad && j < len(row)-1 {
				row[j] = cell + strings.Repeat(" ", widths[j]-uniseg.StringWidth(cell))
			}
		}
		lines = append(lines, strings.TrimRight(strings.Join(row, " | "), " "))
		if i == 0 && pad {
			var rule []string
			for _, n := range widths {
				rule = append(rule, strings.Repeat("-", n))
			}
			lines = append(lines, strings.Join(rule, "-+-"))
		}
	}
	return w.fence(strings.Join(lines, "\n"))
}

// plain is the text of a node without marks: code shows them as they are.
func plain(source []byte, n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.WriteString(literal(string(n.Segment.Value(source))))
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}
