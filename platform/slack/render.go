package slack

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// mrkdwn is the Markdown of a model as Slack's own. Nothing in it notifies anybody: what
// looks like a mention is text. sparing leaves out what can be left out where a text is too
// long.
func mrkdwn(markdown string, sparing bool) string {
	source := []byte(markdown)
	w := &writer{source: source, sparing: sparing}
	parser := goldmark.New(goldmark.WithExtensions(extension.Strikethrough, extension.Table, extension.Linkify, extension.TaskList)).Parser()
	return strings.TrimSpace(w.blocks(parser.Parse(text.NewReader(source)), "\n\n"))
}

// A writer writes the nodes of a document.
type writer struct {
	source  []byte
	sparing bool
	bold    bool // a star is open: another one would close it
	italic  bool
}

var (
	escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	// Enough so that nothing is taken for something else.
	escapedSparingly = strings.NewReplacer("&amp;", "&amp;amp;", "&lt;", "&amp;lt;", "&gt;", "&amp;gt;", "<", "&lt;")
)

func (w *writer) escape(text string) string {
	if w.sparing {
		return escapedSparingly.Replace(text)
	}
	return escaped.Replace(text)
}

// blocks are the blocks in a node, with something between them.
func (w *writer) blocks(n ast.Node, between string) string {
	var all []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if text := w.block(c); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, between)
}

func (w *writer) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Heading:
		w.bold = true
		inner := strings.TrimSpace(w.inline(n))
		w.bold = false
		return wrap("*", inner)
	case *ast.Blockquote:
		return prefix(w.blocks(n, "\n\n"), "> ")
	case *ast.List:
		return w.list(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return w.fence(w.lines(n))
	case *ast.HTMLBlock:
		text := w.lines(n)
		if n.HasClosure() {
			text += string(n.ClosureLine.Value(w.source))
		}
		return w.escape(strings.TrimSpace(text))
	case *ast.ThematicBreak:
		return "———"
	case *east.Table:
		return w.table(n)
	}
	return strings.TrimSpace(w.inline(n))
}

func (w *writer) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(w.source))
	}
	return b.String()
}

// fence is code. A fence in it would end it.
func (w *writer) fence(code string) string {
	code = strings.ReplaceAll(strings.TrimRight(code, "\n"), "```", "``\u200b`")
	return "```\n" + w.escape(code) + "\n```"
}

func prefix(text, with string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(with+line, " ")
	}
	return strings.Join(lines, "\n")
}

func (w *writer) list(l *ast.List) string {
	var items []string
	number := l.Start
	for c := l.FirstChild(); c != nil; c = c.NextSibling() {
		mark := "• "
		if l.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		inner := strings.Split(w.blocks(c, "\n"), "\n")
		for i, line := range inner[1:] {
			inner[i+1] = "    " + line
		}
		items = append(items, mark+strings.Join(inner, "\n"))
	}
	return strings.Join(items, "\n")
}

// inline is the text in a node.
func (w *writer) inline(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		part := w.span(c)
		join(&b, part)
	}
	return b.String()
}

// join puts a part behind others. Slack reads a mark only where a word begins or ends: in
// the middle of one it takes a space that nobody sees.
func join(b *strings.Builder, part string) {
	last, _ := utf8.DecodeLastRuneInString(b.String())
	first, _ := utf8.DecodeRuneInString(part)
	if b.Len() > 0 && part != "" && (isMark(first) && isWord(last) || isMark(last) && isWord(first)) {
		b.WriteString("\u200b")
	}
	b.WriteString(part)
}

func isMark(r rune) bool { return strings.ContainsRune("*_~`", r) }
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func (w *writer) span(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		text := string(n.Segment.Value(w.source))
		if !n.IsRaw() {
			text = literal(text)
		}
		text = w.escape(text)
		if n.SoftLineBreak() || n.HardLineBreak() {
			text = strings.TrimRight(text, " ") + "\n"
		}
		return text
	case *ast.String:
		return w.escape(string(n.Value))
	case *ast.Emphasis:
		return w.emphasis(n)
	case *east.Strikethrough:
		return wrap("~", w.inline(n))
	case *ast.CodeSpan:
		return w.code(n)
	case *ast.Link:
		return w.link(string(n.Destination), w.inline(n))
	case *ast.Image:
		return w.link(string(n.Destination), w.inline(n))
	case *ast.AutoLink:
		to := string(n.URL(w.source))
		if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(to), "mailto:") {
			to = "mailto:" + to
		}
		return w.link(to, w.escape(string(n.Label(w.source))))
	case *ast.RawHTML:
		var b strings.Builder
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			b.Write(segment.Value(w.source))
		}
		return w.escape(b.String())
	case *east.TaskCheckBox:
		if n.IsChecked {
			return "☑ "
		}
		return "☐ "
	}
	return w.inline(n)
}

var entity = regexp.MustCompile(`^&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});`)

// literal is a text without the backslashes that say that a character is only that, and
// with the characters that entities such as &copy; stand for.
func literal(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '&' {
			if found := entity.FindString(text[i:]); found != "" {
				b.WriteString(html.UnescapeString(found))
				i += len(found) - 1
				continue
			}
		}
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", text[i+1]) >= 0 {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func (w *writer) emphasis(n *ast.Emphasis) string {
	mark, open := "_", &w.italic
	if n.Level > 1 {
		mark, open = "*", &w.bold
	}
	if *open {
		return w.inline(n)
	}
	*open = true
	defer func() { *open = false }()
	return wrap(mark, w.inline(n))
}

// wrap puts marks around a text, line by line: none reaches over the end of one.
func wrap(mark, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			lines[i] = mark + trimmed + mark
		}
	}
	return strings.Join(lines, "\n")
}

func (w *writer) code(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.source))
		}
	}
	text := w.escape(strings.ReplaceAll(b.String(), "\n", " "))
	if strings.Contains(text, "`") || strings.TrimSpace(text) == "" {
		return text // Slack has no way to write it
	}
	return "`" + text + "`"
}
