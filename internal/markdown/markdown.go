// Package markdown makes HTML of the Markdown that a model writes, for the page.
//
// Before changing it, know that its input is hostile and that its output goes into
// the page as it is: no HTML of the input may come through, no address that runs
// something, nothing that the browser fetches by itself.
package markdown

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// A Renderer makes HTML. It can be used by several goroutines at once.
type Renderer struct{ markdown goldmark.Markdown }

// New returns a Renderer.
func New() *Renderer {
	return &Renderer{goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough,
			extension.NewLinkify(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})),
		),
		// Before goldmark's own, which has 1000.
		goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(nodes{}, 100))),
	)}
}

// HTML renders a text, which may be one that is still being written. What stands at
// its end and makes no sense yet, such as half a link, is in a <span class="half">: a
// page hides it while more may come and shows it when nothing does.
func (r *Renderer) HTML(text string) string {
	if !bounded(text) {
		return plain(text)
	}
	whole, half := cutHalf(text)
	var out bytes.Buffer
	if err := r.markdown.Convert([]byte(whole), &out); err != nil {
		return plain(text) // the words are worth more than their looks
	}
	if half == "" {
		return out.String()
	}
	return strings.Replace(out.String(), placeholder, `<span class="half">`+escape(half)+`</span>`, 1)
}

func escape(text string) string { return string(util.EscapeHTML([]byte(text))) }

// nodes renders what goldmark would render differently.
type nodes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (nodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, link)
	r.Register(ast.KindAutoLink, autoLink)
	r.Register(ast.KindImage, image)
	r.Register(ast.KindHeading, heading)
	r.Register(ast.KindRawHTML, rawHTML)
	r.Register(ast.KindHTMLBlock, htmlBlock)
	r.Register(ast.KindFencedCodeBlock, codeBlock)
	r.Register(ast.KindCodeBlock, codeBlock)
}

// address is where a link leads, or "" if it must not be one. A link without a host
// would lead to a place on this server, where the model has no business.
func address(destination string) string {
	u, err := url.Parse(strings.TrimSpace(destination))
	if err != nil {
		return ""
	}
	switch scheme := strings.ToLower(u.Scheme); {
	case (scheme == "http" || scheme == "https") && u.Host != "", scheme == "mailto" && u.Opaque != "":
		return u.String()
	}
	return ""
}

// open begins a link that tells the other side nothing about this page.
func open(w util.BufWriter, address string) {
	_, _ = w.WriteString(`<a href="` + escape(address) + `" rel="noopener noreferrer" target="_blank">`)
}

func link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	to := address(string(node.(*ast.Link).Destination))
	switch {
	case to == "":
		// Its text stays.
	case entering:
		open(w, to)
	default:
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	destination := string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(destination), "mailto:") {
		destination = "mailto:" + destination
	}
	label := escape(string(n.Label(source)))
	to := address(destination)
	if to == "" {
		_, _ = w.WriteString(label)
		return ast.WalkContinue, nil
	}
	open(w, to)
	_, _ = w.WriteString(label + "</a>")
	return ast.WalkContinue, nil
}

// image shows a link. A picture from elsewhere would tell its server who reads this
// and when, and what the address says.
func image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.Image)
	destination := string(n.Destination)
	label := strings.TrimSpace(words(n, source))
	if label == "" {
		label = destination
	}
	label = escape("🖼 " + label)
	// Within a link it must not be another one.
	to := address(destination)
	if to == "" || n.Parent() != nil && n.Parent().Kind() == ast.KindLink {
		_, _ = w.WriteString(label)
		return ast.WalkSkipChildren, nil
	}
	open(w, to)
	_, _ = w.WriteString(label + "</a>")
	return ast.WalkSkipChildren, nil
}

// words is the text in a node.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Value(source))
		case *ast.String:
			b.Write(c.Value)
		default:
			b.WriteString(words(c, source))
		}
	}
	return b.String()
}

// heading keeps headings below those of the page.
func heading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "h" + string(rune('0'+min(node.(*ast.Heading).Level+2, 6)))
	if entering {
		_, _ = w.WriteString("<" + tag + ">")
	} else {
		_, _ = w.WriteString("</" + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

// rawHTML shows HTML as text.
func rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		segments := node.(*ast.RawHTML).Segments
		for i := range segments.Len() {
			segment := segments.At(i)
			_, _ = w.WriteString(escape(string(segment.Value(source))))
		}
	}
	return ast.WalkSkipChildren, nil
}

// htmlBlock shows a block of HTML as text.
func htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.HTMLBlock)
	text := lines(n, source)
	if n.HasClosure() {
		text += string(n.ClosureLine.Value(source))
	}
	_, _ = w.WriteString(plain(text))
	return ast.WalkSkipChildren, nil
}

func lines(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(source))
	}
	return b.String()
}

// longestLanguage is how much of a code block's language is shown.
const longestLanguage = 30

func codeBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := ""
	if n, ok := node.(*ast.FencedCodeBlock); ok {
		language = string(n.Language(source))
	}
	if runes := []rune(language); len(runes) > longestLanguage {
		language = string(runes[:longestLanguage])
	}
	_, _ = w.WriteString(`<pre data-language="` + escape(language) + `"><code>` + escape(lines(node, source)) + "</code></pre>\n")
	return ast.WalkSkipChildren, nil
}
