package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// A decoder reads a tree into a Config and notes all that is wrong on the way.
type decoder struct {
	file     string
	env      func(string) (string, bool)
	problems Problems
	given    map[string]place // the keys that stand in the file, by path
	wrong    map[string]bool  // those with a problem, by path
}

func (d *decoder) report(at place, path, format string, args ...any) {
	d.wrong[path] = true
	d.problems = append(d.problems, Problem{d.file, at.line, at.column, path, fmt.Sprintf(format, args...)})
}

// section reads a mapping into a struct that has its defaults already. at is where
// the section's own key stands.
func (d *decoder) section(n ast.Node, v reflect.Value, path string, at place) {
	keys := keysOf(v.Type())
	for name, entry := range d.entries(n, path, at, keys) {
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
		if i < 0 {
			d.unknown(placeOf(entry.Key), path, name, keys)
			continue
		}
		inner := join(path, name)
		d.given[inner] = placeOf(entry.Key)
		d.value(entry.Value, v.FieldByIndex(keys[i].index), keys[i], inner)
	}
	for _, k := range keys {
		inner := join(path, k.name)
		if !k.filled || d.wrong[inner] || !empty(v.FieldByIndex(k.index)) {
			continue
		}
		if place, ok := d.given[inner]; ok {
			d.report(place, inner, "is empty; %s", note(k.doc))
		} else {
			d.report(at, inner, "is missing; %s", note(k.doc))
		}
	}
}

func empty(v reflect.Value) bool {
	f, _ := formOf(v.Type())
	return f.write(v) == ""
}

// note is what a key means, to follow a semicolon: its first sentence.
func note(doc string) string {
	first, _, _ := strings.Cut(doc, ". ")
	return "it is " + strings.ToLower(first[:1]) + strings.TrimSuffix(first[1:], ".")
}

// value reads what stands at a key.
func (d *decoder) value(n ast.Node, v reflect.Value, k key, path string) {
	at := d.given[path]
	if t, ok := k.section(); ok {
		if v.Kind() == reflect.Pointer {
			v.Set(reflect.New(t))
			v = v.Elem()
			setDefaults(v)
		} else if t == reflect.TypeFor[Platforms]() && !null(n) {
			v.SetZero() // what is listed runs, and nothing else
		}
		d.section(n, v, path, at)
		return
	}
	if null(n) {
		return // a key without a value is as good as none
	}
	if f, ok := formOf(k.typ); ok {
		d.single(n, v, f, k, path, at)
		return
	}
	if k.typ.Kind() == reflect.Map {
		d.table(n, v, k, path, at)
		return
	}
	d.list(n, v, path, at)
}

// single reads a value that is one word, number or text.
func (d *decoder) single(n ast.Node, v reflect.Value, f form, k key, path string, at place) bool {
	t, ok := d.text(n, f.what, path, at)
	if !ok {
		return false
	}
	if !f.read(v, t.value) {
		d.report(at, path, "%s", complaint(t, f))
		return false
	}
	if v.Type() == reflect.TypeFor[Secret]() && t.variable == "" && shellVariable.MatchString(t.value) {
		d.report(at, path, "this looks like a variable of a shell; put its name in braces, as in ${NAME}")
		return false
	}
	if f.bare && !t.bare && t.variable == "" {
		d.report(at, path, "%s is text; take off the quotes", t.quote())
		return false
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch {
	case k.least != nil && v.Int() < int64(*k.least):
		d.report(at, path, "%s is too small; it is at least %d", t.quoteNumber(), *k.least)
	case k.most != nil && v.Int() > int64(*k.most):
		d.report(at, path, "%s is too large; it is at most %d", t.quoteNumber(), *k.most)
	case k.schemes != nil && t.value != "" && t.value != k.word && !hasScheme(t.value, k.schemes):
		// A URL is never quoted: it may carry a password.
		d.report(at, path, "this is not %s", k.urls())
	default:
		return true
	}
	return false
}

// urls says what a URL has to be, to follow "this is not".
func (k key) urls() string {
	what := "a URL that begins with " + strings.Join(k.schemes, ":// or ") + "://"
	if postgres(k.schemes[0]) {
		return k.word + " or " + what + "; in its password write %40 for @, %2F for / and %3A for :"
	}
	return what
}

func (t text) quoteNumber() string {
	if t.variable != "" {
		return t.quote()
	}
	return t.value
}

func complaint(t text, f form) string {
	if f.names == nil {
		return t.quote() + " is not " + f.what
	}
	text := t.quote() + " is none of " + strings.Join(f.names, ", ")
	if near := nearest(t.value, f.names); near != "" && t.variable == "" {
		text += "; did you mean " + near + "?"
	}
	return text
}

// list reads a list, in place of the default.
func (d *decoder) list(n ast.Node, v reflect.Value, path string, at place) {
	element, _ := elementOf(v.Type())
	sequence, ok := n.(*ast.SequenceNode)
	if !ok {
		d.report(at, path, "%s is not a list, such as %s", describe(n), listOf(element))
		return
	}
	texts := make([]string, 0, len(sequence.Values))
	for _, n := range sequence.Values {
		at := placeOf(n)
		t, ok := d.text(n, element.what, path, at)
		if !ok {
			continue
		}
		if readList(reflect.New(v.Type()).Elem(), []string{t.value}) >= 0 {
			d.report(at, path, "%s", complaint(t, element))
			continue
		}
		texts = append(texts, t.value)
	}
	readList(v, texts)
	if len(sequence.Values) == 0 && v.Kind() != reflect.Slice {
		d.report(at, path, "the list is empty; leave the key out for the default, or name some of %s", strings.Join(element.names, ", "))
	}
}

func listOf(f form) string {
	if f.names != nil {
		return "[" + f.names[0] + "]"
	}
	return `["1234"]`
}

// table reads a mapping whose keys are free.
func (d *decoder) table(n ast.Node, v reflect.Value, k key, path string, at place) {
	v.Set(reflect.MakeMap(v.Type()))
	for name, entry := range d.entries(n, path, at, nil) {
		inner := join(path, quoteName(name))
		d.given[inner] = placeOf(entry.Key)
		value := reflect.New(v.Type().Elem()).Elem()
		if d.element(entry.Value, value, k, inner, placeOf(entry.Key)) {
			v.SetMapIndex(reflect.ValueOf(name), value)
		}
		if k.each == "platform/room" && !Room(name).valid() {
			d.report(placeOf(entry.Key), inner, "this is no room, which is platform/id, such as discord/1234")
		}
	}
}

// element reads a value of a table. One that has keys can be written as its first alone.
func (d *decoder) element(n ast.Node, v reflect.Value, k key, path string, at place) bool {
	if f, ok := formOf(v.Type()); ok {
		return d.single(n, v, f, key{least: k.least, most: k.most}, path, at)
	}
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		before := len(d.problems)
		d.section(n, v, path, at)
		return len(d.problems) == before
	}
	first := keysOf(v.Type())[0]
	f, _ := formOf(first.typ)
	return d.single(n, v.FieldByIndex(first.index), f, first, path, at)
}

// entries yields the entries of a mapping with their names, each name once. keys are
// those that it may have, if they are known.
func (d *decoder) entries(n ast.Node, path string, at place, keys []key) func(func(string, *ast.MappingValueNode) bool) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case nil, *ast.NullNode:
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		d.report(at, path, "%s is not a section of keys with values%s", describe(n), example(path, keys))
	}
	return func(yield func(string, *ast.MappingValueNode) bool) {
		seen := map[string]place{}
		for _, entry := range values {
			name, ok := d.name(entry.Key, path)
			if !ok {
				continue
			}
			if first, ok := seen[name]; ok {
				d.report(placeOf(entry.Key), join(path, quoteName(name)), "is here for the second time; the first is in line %d", first.line)
				continue
			}
			seen[name] = placeOf(entry.Key)
			if !yield(name, entry) {
				return
			}
		}
	}
}

// example shows what a section looks like, to follow what it is not.
func example(path string, keys []key) string {
	if len(keys) == 0 {
		return ""
	}
	if path == "" {
		return ", such as " + keys[0].name + ": " + keys[0].value + "; behind the colon stands a space"
	}
	name := path[strings.LastIndexByte(path, '.')+1:]
	return ", such as " + name + ": {" + keys[0].name + ": …}"
}

// name is the text of a key, in which variables mean nothing.
func (d *decoder) name(n ast.MapKeyNode, path string) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return unmask(n.GetToken().Value), true
	}
	d.report(placeOf(n), path, "a key is a plain word here; write out what a merge, an alias or a tag would do")
	return "", false
}

// text is the text of a single value.
func (d *decoder) text(n ast.Node, what, path string, at place) (text, bool) {
	var written string
	bare := false
	switch n := n.(type) {
	case *ast.StringNode:
		written = n.Value
	case *ast.LiteralNode:
		if n.Value != nil {
			written = n.Value.Value
		}
	case *ast.IntegerNode, *ast.FloatNode:
		// As it is written: an id or a phone number is a number for YAML only.
		written, bare = n.GetToken().Value, true
	case *ast.BoolNode:
		if what == "text" {
			d.report(at, path, "%s is not text; put it in quotes", describe(n))
			return text{}, false
		}
		written, bare = n.GetToken().Value, true
	default:
		d.report(at, path, "%s is not %s", describe(n), what)
		return text{}, false
	}
	t, problem := expand(written, d.env)
	if problem != "" {
		d.report(at, path, "%s", problem)
		return text{}, false
	}
	t.bare = bare
	return t, true
}

// describe says what stands there where something else should, and not what it is.
func describe(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a section of keys"
	case *ast.SequenceNode:
		return "a list"
	case *ast.BoolNode:
		return strconv.FormatBool(n.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		return "an anchor, alias or tag"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	}
	return "nothing"
}

func null(n ast.Node) bool {
	_, ok := n.(*ast.NullNode)
	return ok || n == nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// quoteName is a key of the file as it is named in a message.
func quoteName(name string) string {
	if plainWord.MatchString(name) {
		return name
	}
	return quote(name, "(a key that is no word)")
}
