package telegram

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/asidehq/aside/platform"
)

// render makes Telegram's HTML of Markdown, and tells how long Telegram will find it: tags
// do not count. The text is hostile, so that whatever is not one of our tags is escaped. A
// size of 0 says that it is better sent as it is.
func render(markdown string) (html string, size int) {
	if !bounded(markdown) {
		return "", 0
	}
	source := []byte(markdown)
	w := &writer{source: source}
	w.blocks(newParser().Parse(text.NewReader(source)), "")
	// What is cut off the ends of the one is cut off the ends of the other.
	html, plain := w.out.String(), w.plain.String()
	before := len(html) - len(strings.TrimLeft(html, "\n"))
	html, plain = html[before:], plain[before:]
	after := len(html) - len(strings.TrimRight(html, "\n"))
	return html[:len(html)-after], platform.CountUTF16.Of(plain[:len(plain)-after])
}

// tooLong tells whether a text is longer than a limit, as Telegram counts.
func tooLong(markdown string, limit int) bool {
	if _, size := render(markdown); size > 0 {
		return size > limit && platform.CountUTF16.Of(markdown) > limit
	}
	return platform.CountUTF16.Of(markdown) > limit
}

// newParser reads what models write. One is made for each text: it is cheap, and holds
// nothing that goroutines could share.
func newParser() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()
}

const (
	mostMarks = 2000 // in a paragraph, that goldmark has to find partners for
	deepest   = 20   // quotes and lists in each other
)

// bounded tells whether a text can be read in little time.
func bounded(markdown string) bool {
	marks := 0
	for line := range strings.Lines(markdown) {
		if strings.TrimSpace(line) == "" {
			marks = 0
		}
		marks += len(line) - len(strings.Map(func(r rune) rune {
			if strings.ContainsRune("[*_~`<!", r) {
				return -1
			}
			return r
		}, line))
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t>-+*0123456789.)"))]
		if marks > mostMarks || strings.Count(lead, ">")+strings.Count(lead, "- ")+strings.Count(lead, "* ")+strings.Count(lead, "+ ") > deepest {
			return false
		}
	}
	return true
}

// A writer writes HTML, and beside it the text that people will see.
type writer struct {
	source []byte
	out    bytes.Buffer
	plain  bytes.Buffer
	quoted bool // Telegram has no quotes within quotes
	linked bool // nor links within links
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}

// say writes text that people see.
func (w *writer) say(text string) {
	text = strings.ReplaceAll(text, "\x00", "")
	w.out.WriteString(escape(text))
	w.plain.WriteString(text)
}

// tag writes what is inside between tags.
func (w *writer) tag(open, shut string, inside func()) {
	w.out.WriteString(open)
	inside()
	w.out.WriteString(shut)
}

// gap ends a block: the next one begins after an empty line.
func (w *writer) gap(tight bool) {
	w.say("\n")
	if !tight {
		w.say("\n")
	}
}

// blocks writes what is in a block that holds others. lead stands before each line but the
// first.
func (w *writer) blocks(n ast.Node, lead string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, lead)
		if c.NextSibling() != nil {
			tight := n.Kind() == ast.KindListItem && (c.Kind() == ast.KindTextBlock || c.NextSibling().Kind() == ast.KindList)
			w.gap(tight)
			w.say(lead)
		}
	}
}

func (w *writer) block(n ast.Node, lead string) {
	switch n := n.(type) {
	case *ast.Heading:
		w.tag("<b>", "</b>", func() { w.inline(n, lead) })
	case *ast.List:
		w.list(n, lead)
	case *ast.Blockquote:
		if w.quoted {
			w.blocks(n, lead)
			return
		}
		w.quoted = true
		w.tag("<blockquote>", "</blockquote>", func() { w.blocks(n, "") })
		w.quoted = false
	case *ast.FencedCodeBlock:
		w.code(string(n.Language(w.source)), w.lines(n))
	case *ast.CodeBlock:
		w.code("", w.lines(n))
	case *ast.HTMLBlock:
		body := w.lines(n)
		if n.HasClosure() {
			body += string(n.ClosureLine.Value(w.source))
		}
		w.say(strings.TrimRight(body, "\n"))
	case *ast.ThematicBreak:
		w.say("———")
	case *east.Table:
		w.table(n)
	default:
		w.inline(n, lead)
	}
}

func (w *writer) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(w.source))
	}
	return b.String()
}

func (w *writer) code(language, body string) {
	body = strings.TrimRight(body, "\n")
	if body == "" {
		return // Telegram has no empty ones
	}
	language = strings.Map(func(r rune) rune {
		if strings.ContainsRune(wordCharacters+"+#.", r) {
			return r
		}
		return -1
	}, language)
	if language == "" {
		w.tag("<pre>", "</pre>", func() { w.say(body) })
		return
	}
	w.tag(`<pre><code class="language-`+escape(language)+`">`, "</code></pre>", func() { w.say(body) })
}

func (w *writer) list(n *ast.List, lead string) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		bullet := "• "
		if n.IsOrdered() {
			bullet = fmt.Sprintf("%d. ", number)
			number++
		}
		w.say(bullet)
		w.blocks(item, lead+"  ")
		if item.NextSibling() != nil {
			w.gap(n.IsTight)
			w.say(lead)
		}
	}
}

// table writes a table in letters of the same width, which is how columns stay together.
func (w *writer) table(n *east.Table) {
	var rows [][]string
	var widths []int
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			inner := &writer{source: w.source}
			inner.inline(cell, "")
			text := strings.TrimSpace(inner.plain.String())
			if i := len(cells); i == len(widths) {
				widths = append(widths, 0)
			}
			widths[len(cells)] = max(widths[len(cells)], platform.CountRunes.Of(text))
			cells = append(cells, text)
		}
		rows = append(rows, cells)
	}
	var b strings.Builder
	for i, cells := range rows {
		for j, text := range cells {
			pad := strings.Repeat(" ", widths[j]-platform.CountRunes.Of(text))
			b.WriteString(text + pad)
			if j < len(cells)-1 {
				b.WriteString(" | ")
			}
		}
		b.WriteString("\n")
		if i == 0 {
			for j, width := range widths {
				b.WriteString(strings.Repeat("-", max(width, 1)))
				if j < len(widths)-1 {
					b.WriteString("-+-")
				}
			}
			b.WriteString("\n")
		}
	}
	w.code("", b.String())
}

// inline writes what is in a line.
func (w *writer) inline(n ast.Node, lead string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			value := c.Value(w.source)
			if !c.IsRaw() {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			w.say(string(value))
			if c.SoftLineBreak() || c.HardLineBreak() {
				w.say("\n" + lead)
			}
		case *ast.String:
			w.say(string(c.Value))
		case *ast.CodeSpan:
			w.tag("<code>", "</code>", func() { w.say(w.raw(c)) })
		case *ast.Emphasis:
			open, shut := "<i>", "</i>"
			if c.Level > 1 {
				open, shut = "<b>", "</b>"
			}
			w.tag(open, shut, func() { w.inline(c, lead) })
		case *east.Strikethrough:
			w.tag("<s>", "</s>", func() { w.inline(c, lead) })
		case *ast.Link:
			w.link(string(c.Destination), func() { w.inline(c, lead) })
		case *ast.Image:
			w.link(string(c.Destination), func() { w.say("🖼 "); w.inline(c, lead) })
		case *ast.AutoLink:
			w.say(string(c.Label(w.source))) // Telegram makes a link of it
		case *ast.RawHTML:
			for i := range c.Segments.Len() {
				segment := c.Segments.At(i)
				w.say(string(segment.Value(w.source)))
			}
		default:
			w.inline(c, lead)
		}
	}
}

// raw is the text of a code span.
func (w *writer) raw(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(w.source))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// link writes a link if it leads somewhere that a link may lead to.
func (w *writer) link(destination string, inside func()) {
	u, err := url.Parse(strings.TrimSpace(destination))
	allowed := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" || err == nil && u.Scheme == "mailto" && u.Opaque != ""
	if !allowed || w.linked {
		inside()
		return
	}
	w.linked = true
	w.tag(`<a href="`+escape(u.String())+`">`, "</a>", inside)
	w.linked = false
}
