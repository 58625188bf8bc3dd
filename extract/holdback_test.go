package extract_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/asidehq/aside/extract"
)

// Laws 3 and 4 together say exactly what must have been shown of a reply at any
// moment: what all its continuations agree on, no more (it might be taken back) and
// no less (it would be held back without need). For small alphabets that can be
// tried out: every reply of a few words, cut at every byte, with every
// continuation of a few words, is read to its end, and what their texts have in
// common is compared with what was shown at the cut.

var alphabets = []struct {
	name     string
	dialects extract.Dialect
	words    []string
	ends     []string // further words for the continuations, which close things
}{
	{
		"directives", extract.Directives,
		[]string{"<actions>", "<react emoji=\"x\"/>", "</actions>", "a", " ", "\n"},
		[]string{"ctions>", "eact/>", "\"/>", ">", "/>", "reply/>"},
	},
	{
		"children and attributes", extract.Directives,
		[]string{"<actions>", "<voice>", "</voice>", "<b>", "</actions>", "x\n"},
		[]string{">", "/>"},
	},
	{
		"no-reply", extract.Directives,
		[]string{"<no-reply/>", "<no-reply>", "</no-reply>", "a", "\n", " <"},
		[]string{"o-reply/>", "-reply>", ">", "/>", "y></no-reply>", "reply>", "no-reply/>", "ctions><react/></actions>"},
	},
	{
		"blocks", extract.Blocks,
		[]string{"<action>", "{\"type\":\"x\"", "}", "</action>", "a", "\n"},
		[]string{"ction>{\"type\":\"x\"}", "\"}", ">", "ype\":1}", "\"", "}"},
	},
	{
		"blocks and fences", extract.Blocks,
		[]string{"<action>", "{type:x}", "```", "json", "\n", "<b"},
		[]string{"`", "``{type:x}", "ction>{type:x}", ">{type:x}", "n{type:x}", "\n{type:x}"},
	},
	{
		"signals", extract.Signals,
		[]string{"[SEARCH:", "[", "]", "a", "\n", "[SEARCHING"},
		[]string{"EARCH:a]", ":a]", "ARCH:a]", "a]", "]]", "]]]"},
	},
	{
		"reasoning", extract.Reasoning,
		[]string{"<think>", "</think>", "a", " ", "\n", "<"},
		[]string{"hink>", ">", "think>", "ink>"},
	},
	{
		"code spans", extract.Signals,
		[]string{"[SEARCH:a]", "`", "``", "a", "\n", " "},
		[]string{"EARCH:a]", "]", "\n\n", "```", "[SEARCH:`]"},
	},
	{
		"fences", extract.Signals,
		[]string{"[SEARCH:a]", "```", "`", "~~~", "\n", "- "},
		[]string{"EARCH:a]", "]", "\n\n", "``", "~~\n", "[SEARCH:`]"},
	},
	{
		"envelopes", extract.Envelope,
		[]string{"{\"text\":", "\"a\"", "\"action\":", ",", "}", "a"},
		[]string{"\"text\":\"b\"}", "\":\"b\"}", "ext\":\"b\"}", "\"}", "\"text\":\"\"}", ":\"b\"}", ":0,\"action\":\"X\"}", "},\"action\":\"X\"}"},
	},
	{
		"an envelope's text", extract.Envelope,
		[]string{"{\"text\":\"", "[LIKE]", "\\n", "\"", "\\u00e9", " "},
		[]string{"IKE]", "stop]", "}", "]", "a", "\"}", "n", "u0041", "9", "[LIKE]\"}"},
	},
	{
		"controls", extract.Envelope,
		[]string{"yes", "no", "[stop]", "a", " ", "N"},
		[]string{"O", "es", "top]", "]"},
	},
	{
		"responses", extract.Envelope,
		[]string{"<response>", "<text>", "</text>", "</response>", "a&lt;", "<actions>A</actions>"},
		[]string{"esponse><text>b</text>", ">b</text>", "text>b</text>", ";", "t;", "b", "\"></text>", "/text>"},
	},
	{
		"two dialects", extract.Directives | extract.Signals,
		[]string{"<actions>", "<react/>", "</actions>", "[SEARCH:", "]", "\n"},
		[]string{"EARCH:a]", "a]", "ctions><react/></actions>", "/>", ">", "<react/></actions>"},
	},
}

func TestLaws3And4WhatIsShownIsWhatAllContinuationsAgreeOn(t *testing.T) {
	for _, a := range alphabets {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			o := oracle{
				config: extract.Config{Dialects: a.dialects},
				reader: extract.New(extract.Config{Dialects: a.dialects}),
				tried:  map[string]bool{},
			}
			o.continuations = sentences(append(a.words, a.ends...), 2)
			o.continuations = append(o.continuations, sentences(a.words, 3)...)
			for _, reply := range sentences(a.words, 3) {
				for cut := range len(reply) + 1 {
					o.check(t, reply[:cut], reply[cut:])
				}
			}
		})
	}
}

type oracle struct {
	config        extract.Config
	reader        *extract.Reader
	tried         map[string]bool
	continuations []string
}

// check compares what is shown of a beginning with what its continuations agree
// on. The rest of the word that was cut is put before each continuation as well.
func (o *oracle) check(t *testing.T, beginning, rest string) {
	if o.tried[beginning] {
		return
	}
	o.tried[beginning] = true
	var shown []byte
	for e := range o.reader.Feed([]byte(beginning)) {
		if e.Kind == extract.KindText {
			shown = append(shown, e.Text...)
		}
	}
	o.reader.Reset()
	agreed := o.text(beginning)
	for _, c := range o.continuations {
		for _, way := range []string{c, rest + c} {
			if agreed = common(agreed, o.text(beginning+way)); len(agreed) < len(shown) {
				t.Fatalf("%q was shown of %q, but with %q behind it the text is %q", shown, beginning, way, o.text(beginning+way))
			}
			if len(agreed) == len(shown) {
				break
			}
		}
	}
	if len(agreed) > len(shown) {
		t.Fatalf("%q was shown of %q, but however it went on the text began with %q", shown, beginning, agreed)
	}
}

func (o *oracle) text(reply string) []byte {
	var text []byte
	for e := range o.reader.Feed([]byte(reply)) {
		if e.Kind == extract.KindText {
			text = append(text, e.Text...)
		}
	}
	for e := range o.reader.End() {
		if e.Kind == extract.KindText {
			text = append(text, e.Text...)
		}
	}
	o.reader.Reset()
	return text
}

func common(a, b []byte) []byte {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return bytes.Clone(a[:n])
}

// sentences are all sequences of up to n words.
func sentences(words []string, n int) []string {
	all := []string{""}
	for from := 0; n > 0; n-- {
		to := len(all)
		for _, s := range all[from:to] {
			for _, w := range words {
				all = append(all, s+w)
			}
		}
		from = to
	}
	return all
}

// What the oracle finds for all replies of an alphabet is here for the examples
// people ask about.
func TestHeldBytesAreReleasedAtOnce(t *testing.T) {
	for _, c := range []struct{ fed, shown string }{
		{"3 <", "3"},
		{"3 < ", "3 <"},
		{"<b", "<b"},
		{"[l", "[l"},
		{"[link](url)", "[link](url)"},
		{"a[i", "a[i"},
		{"[SEARCHI", "[SEARCHI"},
		{"<discord-actual", "<discord-actual"},
		{"Use <actions> to", "Use"},
		{"Use <actions> to do\n", "Use <actions> to do"},
		{"<action> movies", "<action> movies"},
		{"`<actions><react/></actions>", "`"},
		{"`<actions><react/></actions>`.", "`<actions><react/></actions>`."},
		{"a\n```\n  ", "a\n```\n  "},
		{"```\n<actions>", "```\n<actions>"},
	} {
		r := extract.New(extract.Config{})
		var shown strings.Builder
		for i := range len(c.fed) {
			for e := range r.Feed([]byte(c.fed[i : i+1])) {
				shown.Write(e.Text)
			}
		}
		if shown.String() != c.shown {
			t.Errorf("of %q is shown %q, want %q", c.fed, shown.String(), c.shown)
		}
	}
}
