package platform

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	long := strings.Repeat("x", 30)
	for _, test := range []struct {
		name  string
		limit int
		text  string
		want  []string
	}{
		{"an empty text has no parts", 20, "", nil},
		{"a text within the limit stays as it is", 20, " a\n\n b \n", []string{" a\n\n b \n"}},
		{"no limit is one part", 0, long, []string{long}},
		{"white space alone has no parts", 5, "  \n\n\t \n ", nil},
		{"white space that hangs over the limit is dropped", 5, "hello   \n\n", []string{"hello"}},
		{"white space before the text goes if it does not fit", 5, "      hello", []string{"hello"}},
		{"indentation before the text stays", 10, "  one two three", []string{"  one two", "three"}},

		{"a blank line is the best place", 20, "One two.\nTwo.\n\nThree four five six.", []string{"One two.\nTwo.", "Three four five six."}},
		{"a line is better than a sentence", 20, "One two three\nfour. Five six seven", []string{"One two three", "four. Five six seven"}},
		{"a sentence is better than a word", 20, "One two thre. Four five six", []string{"One two thre.", "Four five six"}},
		{"a word is better than half of one", 20, "one two three four five", []string{"one two three four", "five"}},
		{"a word that does not fit is cut", 10, "a " + strings.Repeat("x", 15), []string{"a xxxxxxxx", "xxxxxxx"}},
		{"a word that fits is not cut, even if the part stays short", 10, "ab " + strings.Repeat("x", 9), []string{"ab", "xxxxxxxxx"}},
		{"a place in the first half is left alone", 20, "a\n\nbb ccc dddd eeee ffff", []string{"a\n\nbb ccc dddd eeee", "ffff"}},
		{"an abbreviation ends no sentence", 20, "One two e.g. three four", []string{"One two e.g. three", "four"}},
		{"the number of a list item ends no sentence", 16, "One two th\n1. Four five", []string{"One two th", "1. Four five"}},
		{"a quoted sentence ends after the quote", 20, `One two "three." Four five`, []string{`One two "three."`, "Four five"}},
		{"a sentence may end without a space", 8, "一二三四五。六七八九十", []string{"一二三四五。", "六七八九十"}},
		{"a space that does not break does not", 12, "one two\u00a0three\u00a0f", []string{"one", "two\u00a0three\u00a0f"}},
		{"a carriage return goes with its newline", 8, "one two\r\nthree", []string{"one two", "three"}},

		{"an emoji of many characters is not cut", 10, strings.Repeat("👨‍👩‍👧", 3), []string{"👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧"}},
		{"a flag is not cut", 5, strings.Repeat("🇫🇷", 4), []string{"🇫🇷🇫🇷", "🇫🇷🇫🇷"}},
		{"a grapheme over the limit is", 3, "e\u0301\u0302\u0303\u0304", []string{"e\u0301\u0302", "\u0303\u0304"}},
		{"an accent stays with the space it stands on", 6, "abcd \u0301ef", []string{"abcd \u0301", "ef"}},

		{
			"a code span is not cut", 20, "Say one `two three four` and", []string{"Say one", "`two three four` and"},
		},
		{
			"a code span inside a word is not cut", 12, "xxxxxxxx`a b c d`y", []string{"xxxxxxxx", "`a b c d`y"},
		},
		{
			"a code span that fits nowhere is cut like text", 10, "`one two three four`", []string{"`one two", "three", "four`"},
		},
		{
			"backticks that nothing closes are text", 12, "one `two three four", []string{"one `two", "three four"},
		},

		{
			"a fence that fits is not cut", 30,
			"Look at this:\n```go\nfunc a() {\n}\n```\nGood.",
			[]string{"Look at this:", "```go\nfunc a() {\n}\n```\nGood."},
		},
		{
			"a fence is closed and opened again", 30,
			"```go\none one one\ntwo two\nthree three\nfour\n```",
			[]string{"```go\none one one\ntwo two\n```", "```go\nthree three\nfour\n```"},
		},
		{
			"a fence is opened again as it was", 46,
			"Text.\n\n  ~~~~ sh -x\n  one one one\n  two two\n  three three\n  ~~~~\nMore.",
			[]string{"Text.\n\n  ~~~~ sh -x\n  one one one\n  ~~~~", "  ~~~~ sh -x\n  two two\n  three three\n  ~~~~", "More."},
		},
		{
			"a fence in a quote is opened again in a quote", 32,
			"> ```\n> one one one\n> two two\n> three\n> ```",
			[]string{"> ```\n> one one one\n> ```", "> ```\n> two two\n> three\n> ```"},
		},
		{
			"a fence in a list item is opened again without the marker", 36,
			"- ```\n  one one one\n  two two\n  three\n  ```",
			[]string{"- ```\n  one one one\n  two two\n  ```", "  ```\n  three\n  ```"},
		},
		{
			"a fence may be opened in the middle of a line", 28,
			"Here: ```\none one one\ntwo two\nthree three\n```",
			[]string{"Here: ```\none one one\n```", "```\ntwo two\nthree three\n```"},
		},
		{
			"only the newline goes inside code", 24,
			"```\none one\n\n\n    two two two\n```",
			[]string{"```\none one\n\n\n```", "```\n    two two two\n```"},
		},
		{
			"a long line of code is cut after a space, which stays", 24,
			"```\none two  three four five\n```",
			[]string{"```\none two  three \n```", "```\nfour five\n```"},
		},
		{
			"what nothing closes is closed in all parts but the last", 24,
			"```\none one one\ntwo two two\nthree",
			[]string{"```\none one one\n```", "```\ntwo two two\nthree"},
		},
		{
			"a part does not begin with what would become a fence", 16,
			"one two three ```four",
			[]string{"one two", "three ```four"},
		},
		{
			"a line of code is not cut to a closing fence", 20,
			"```\naaaa bbbb ``` dddd eeee\n```",
			[]string{"```\naaaa \n```", "```\nbbbb ``` \n```", "```\ndddd eeee\n```"},
		},
		{
			"a fence that cannot be mended is cut like text", 12,
			"```go\none two\nthree four\n```",
			[]string{"```go\none", "two\nthree", "four\n```"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Split(test.text, Limits{Text: test.limit})
			if !slices.Equal(got, test.want) {
				t.Errorf("splitting %q at %d\n got %q\nwant %q", test.text, test.limit, got, test.want)
			}
		})
	}
}

func TestSplitCountsAsThePlatformDoes(t *testing.T) {
	for _, test := range []struct {
		count Count
		want  []string
	}{
		{CountRunes, []string{"😀é😀é😀é", "😀é"}},
		{CountUTF16, []string{"😀é😀é", "😀é😀é"}},
		{CountBytes, []string{"😀é", "😀é", "😀é", "😀é"}},
	} {
		got := Split("😀é😀é😀é😀é", Limits{Text: 6, Count: test.count})
		if !slices.Equal(got, test.want) {
			t.Errorf("count %d: got %q, want %q", test.count, got, test.want)
		}
	}
}

func TestAttach(t *testing.T) {
	limits := Limits{Text: 60}
	line := strings.Repeat("word ", 10) + "end.\n"
	for _, test := range []struct {
		name  string
		text  string
		most  int
		shown []string
		file  bool
	}{
		{"a text within the limit is shown", "Hello.", 5, []string{"Hello."}, false},
		{"as many parts as are allowed are shown", strings.Repeat(line, 2), 2, Split(strings.Repeat(line, 2), limits), false},
		{"one more is attached", "One.\nTwo.\n" + strings.Repeat(line, 3), 2, []string{"One.\nTwo.\nword word word word\n… (the whole text is attached)"}, true},
		{"five is the default", strings.Repeat(line, 5), 0, Split(strings.Repeat(line, 5), limits), false},
		{"six are too many by default", strings.Repeat(line, 6), 0, []string{"word word word word word word\n… (the whole text is attached)"}, true},
		{
			"a fence in what is shown is closed", "```\n" + strings.Repeat("code\n", 100) + "```", 5,
			[]string{"```\ncode\ncode\ncode\ncode\n```\n… (the whole text is attached)"},
			true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			shown, file := Attach(test.text, limits, test.most)
			if !slices.Equal(shown, test.shown) {
				t.Errorf("shown\n got %q\nwant %q", shown, test.shown)
			}
			if want := map[bool]string{true: test.text}[test.file]; file != want {
				t.Errorf("file %q, want %q", file, want)
			}
		})
	}
}

func TestAttachWithNoRoomForTheNoteShowsTheBeginning(t *testing.T) {
	text := strings.Repeat("word ", 100)
	shown, file := Attach(text, Limits{Text: 12}, 5)
	if !slices.Equal(shown, []string{"word word"}) || file != text {
		t.Errorf("shown %q, file %q", shown, file)
	}
}
