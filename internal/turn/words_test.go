package turn

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/extract"
)

var everyDialect = extract.Config{Dialects: extract.Everything &^ extract.Envelope}

// wordsOf is what of a reply is shown, and all that was shown while it came in chunks.
func wordsOf(reply string, chunk int) (whole string, versions []string) {
	var w words
	r := extract.New(everyDialect)
	for rest := reply; rest != ""; {
		n := min(chunk, len(rest))
		for e := range r.Feed([]byte(rest[:n])) {
			w.add(e, reply)
		}
		rest = rest[n:]
		versions = append(versions, string(w.Text))
	}
	for e := range r.End() {
		w.add(e, reply)
	}
	return string(w.Text), versions
}

func TestWhatIsTakenOutLeavesCodeAsItWas(t *testing.T) {
	const out = `<actions><react emoji="x"/></actions>`
	const long = "<action>{\"type\":\n\n\"react\"}</action>" // a paragraph ends in it
	tests := []struct{ name, reply, want string }{
		{"between words nothing is left", "Hello" + out + "world", "Helloworld"},
		{"between spaces one is", "Hello " + out + " world", "Hello world"},
		{"behind code nothing is left", "`x`" + out + ".", "`x`."},
		{"two spans stay two", "`x`" + out + "``y``", "`x` ``y``"},
		{"a stray backtick does not lengthen another run", "`" + out + "``[SEARCH:x]``", "` ``[SEARCH:x]``"},
		{"nor does it when much is taken out", "`" + out + out + "[CALCULATE:1]``[SEARCH:x]``", "` ``[SEARCH:x]``"},
		{"a space that is there is enough", "` " + out + "``[SEARCH:x]``", "` ``[SEARCH:x]``"},
		{"tildes do not become a fence", "~~" + out + "~\nx", "~~ ~\nx"},
		{"different characters are left alone", "`x`" + out + "~~y~~", "`x`~~y~~"},
		{"a paragraph that ended stays ended", "a `b " + long + "c `[SEARCH:x]`", "a `b \n\n\u200bc `[SEARCH:x]`"},
		{"also between lines", "a `b\n<think>h\n\nm</think>`[SEARCH:x]`", "a `b\n\n`[SEARCH:x]`"},
		{"what began a line still does", "a `b\n" + long + "- c", "a `b\n\n- c"},
		{"where all code is complete nothing is left", "a `b` " + long + "c", "a `b` c"},
		{"and at the beginning neither", long + "`x`", "`x`"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, _ := wordsOf(test.reply, len(test.reply)); got != test.want {
				t.Errorf("%q is shown as %q, want %q", test.reply, got, test.want)
			}
		})
	}
}

// Whatever stands as code in a reply stands as code in what is shown of it: read again, it
// holds no instruction. And what is shown while it comes is the beginning of that.
func TestWhatIsShownOfAReplyHoldsNoInstruction(t *testing.T) {
	fragments := []string{
		"The release. ", "a", "`", "``", "```", "~", "~~", "~~~", "\n", "\n\n", " ", "`x`", "```\n", "\n```\n", "~~~\n", "- ", "1. ",
		"`[SEARCH:x]`", "``[SEARCH:x]``", "`<actions><react emoji=\"x\"/></actions>`", "```\n[SEARCH:x]\n```\n", "\n~~~\n[SEARCH:x]\n~~~\n",
		"[SEARCH:y]", "<actions><react emoji=\"x\"/></actions>", "<action>{\"type\":\"react\"}</action>", "<action>{\"type\":\n\n\"react\"}</action>",
		"<think>hm</think>", "\n<think>h\n\nm</think>", "<no-reply/>",
	}
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 12).Draw(t, "reply"), "")
		whole, versions := wordsOf(reply, rapid.IntRange(1, 20).Draw(t, "chunk"))
		if once, _ := wordsOf(reply, max(1, len(reply))); once != whole {
			t.Fatalf("%q is shown as %q, or else as %q", reply, whole, once)
		}
		for _, v := range versions {
			if !strings.HasPrefix(whole, v) {
				t.Fatalf("of %q %q is shown, which is not in %q", reply, v, whole)
			}
		}
		read := extract.Read(everyDialect, []byte(whole))
		for _, e := range append(read.Actions, read.Controls...) {
			t.Fatalf("%q is shown as %q, which says %s", reply, whole, e.Raw)
		}
	})
}
