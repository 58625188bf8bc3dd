package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed page
var files embed.FS

// A Page is the chat in the browser: a shell and the files that make it work, which
// show nothing that is not fetched from the API. So they are for everyone to see,
// the form that asks for the token among them.
type Page struct {
	shell   []byte
	pairing []byte          // the page on which people are let in
	files   map[string]file // by path
}

type file struct {
	content []byte
	kind    string
	tag     string // changes with the content
}

// shellPolicy lets the page run its own files and talk to its own server, and
// nothing else: neither what stands in a message nor an extension of the markup. A
// blob is a picture that a person is about to send.
const shellPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var kinds = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// A Setting is what the page has to know of the server.
type Setting struct {
	Agent     string // its name
	Token     bool   // people have to log in, and can log out
	FileCount int    // files of a message
	FileSize  int64  // bytes of them together
	Marks     string // marks and their glyphs, in turn
	Pairing   bool   // people can ask to be let in
}

// NewPage returns the page.
func NewPage(s Setting) (*Page, error) {
	shell, err := files.ReadFile("page/index.html")
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	pairing, err := files.ReadFile("page/pairing.html")
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	// All that is put into the shell, as text or in a quoted attribute. html/template
	// looks up methods by name, for which the linker keeps every method of every
	// package: 20 MB.
	token, hidden := "no", "hidden"
	if s.Token {
		token = "yes"
	}
	if s.Pairing {
		hidden = ""
	}
	fill := strings.NewReplacer(
		"{{agent}}", html.EscapeString(s.Agent), "{{token}}", token,
		"{{file-count}}", strconv.Itoa(s.FileCount), "{{file-size}}", strconv.FormatInt(s.FileSize, 10),
		"{{marks}}", html.EscapeString(s.Marks),
		"{{pairing}}", hidden,
	)
	p := &Page{shell: []byte(fill.Replace(string(shell))), pairing: []byte(fill.Replace(string(pairing))), files: map[string]file{}}
	names, err := fs.Glob(files, "page/*")
	if err != nil {
		return nil, fmt.Errorf("list the page's files: %w", err)
	}
	for _, name := range names {
		kind, ok := kinds[path.Ext(name)]
		if !ok {
			continue
		}
		content, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the page: %w", err)
		}
		sum := sha256.Sum256(content)
		p.files["/"+name] = file{content, kind, `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
	}
	return p, nil
}

// Routes are the patterns it serves.
func (p *Page) Routes() map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{"GET /{$}": serve(p.shell), "GET /pairing": serve(p.pairing)}
	for name, f := range p.files {
		routes["GET "+name] = f.get
	}
	return routes
}

// Paths are the paths of its routes.
func (p *Page) Paths() []string {
	var all []string
	for pattern := range p.Routes() {
		all = append(all, strings.TrimSuffix(strings.TrimPrefix(pattern, "GET "), "{$}"))
	}
	slices.Sort(all)
	return all
}

// serve serves a shell.
func serve(shell []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", shellPolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(shell))
	}
}

// get serves a file, which a browser may keep as long as it asks whether it is still
// the one.
func (f file) get(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
}
