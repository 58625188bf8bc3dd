package config

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxSize bounds the time of parsing, which grows faster than the file.
const maxSize = 64 << 10

// A place is where something stands in the file, from 1.
type place struct{ line, column int }

func placeOf(n ast.Node) place { return placeOfToken(n.GetToken()) }

func placeOfToken(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{1, 1}
	}
	return place{t.Position.Line, t.Position.Column}
}

// parse makes a tree of the file; nil is an empty one. References to variables are
// masked in it. The problem says what is wrong at the place; "" is nothing.
func parse(source []byte) (root ast.Node, at place, problem string) {
	if len(source) > maxSize {
		return nil, place{}, "the file is larger than 64 KiB; what needs that much room belongs into files of its own, as the persona does"
	}
	src := strings.TrimPrefix(string(source), "\uFEFF")
	if at, ok := unreadable(src); ok {
		return nil, at, "this character cannot be used; save the file as UTF-8 text"
	}
	// The parser has had bugs of this kind, and a file that it trips over is a wrong
	// file in any case.
	defer func() {
		if recover() != nil {
			root, at, problem = nil, place{}, notYAML
		}
	}()
	tokens := lexer.Tokenize(mask(src))
	headers := 0
	for _, t := range tokens {
		if t.Type == token.DocumentHeaderType {
			headers++
		}
		if headers > 1 {
			return nil, placeOfToken(t), oneDocument
		}
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		at, problem := explainSyntax(err)
		return nil, at, problem
	}
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if root != nil {
			return nil, placeOf(d.Body), oneDocument
		}
		root = d.Body
	}
	return root, place{}, ""
}

const (
	oneDocument = "a second document begins here; the file has only one, so take out the ---"
	notYAML     = "the file cannot be read as YAML; check indentation, quotes and brackets"
	notAKey     = "this is no key with a value, such as data: ./data; check the indentation, and that a space follows the colon"
)

// unreadable finds a byte that is not UTF-8, a control character, or one that
// masking needs for itself.
func unreadable(src string) (place, bool) {
	at := place{1, 1}
	for i, r := range src {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(src[i:], "\uFFFD"),
			r < ' ' && r != '\n' && r != '\r' && r != '\t', r == 0x7F,
			masked(r):
			return at, true
		case r == '\n':
			at = place{at.line + 1, 1}
		default:
			at.column++
		}
	}
	return place{}, false
}

// syntax says in our words what the parser says in its own. Those may quote the
// file, so only what is listed here is passed on.
var syntax = map[string]string{
	"could not find end character of double-quoted text":                 `the " is not closed`,
	"could not find end character of single-quoted text":                 `the ' is not closed`,
	"sequence end token ']' not found":                                   "the [ is not closed",
	"could not find flow mapping end token '}'":                          "the { is not closed",
	"',' or '}' must be specified":                                       "a comma or a } is missing before this",
	"',' or ']' must be specified":                                       "a comma or a ] is missing before this",
	"mapping value is not allowed in this context":                       "a key cannot stand here; check the indentation, and put text with a colon and a space into quotes",
	"value is not allowed in this context":                               "this cannot stand here; check the indentation",
	"value is not allowed in this context. map key-value is pre-defined": "this cannot stand here; check the indentation",
	"could not find flow map content":                                    `text that begins with { needs quotes, as in "{{prompt}}"`,
	"non-map value is specified":                                         notAKey,
	"unexpected key name":                                                notAKey,
	"tab character cannot use as a map key directly":                     "this line begins with a tab; indent with spaces",
	"found character '\t' that cannot start any token":                   "this line begins with a tab; indent with spaces",
	"'@' is a reserved character":                                        "text that begins with @ needs quotes",
	"'`' is a reserved character":                                        "text that begins with ` needs quotes",
}

func explainSyntax(err error) (place, string) {
	var e yaml.Error
	if !errors.As(err, &e) {
		return place{}, notYAML
	}
	if problem, ok := syntax[e.GetMessage()]; ok {
		return placeOfToken(e.GetToken()), problem
	}
	return placeOfToken(e.GetToken()), "this cannot be read as YAML; check indentation, quotes and brackets here and above"
}
