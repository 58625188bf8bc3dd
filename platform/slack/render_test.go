package slack

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMarkdownBecomesSlacksOwn(t *testing.T) {
	for _, test := range []struct{ name, markdown, want string }{
		{"plain words", "Hello there.", "Hello there."},
		{"bold", "a **b** c", "a *b* c"},
		{"italics, both ways", "*a* _b_", "_a_ _b_"},
		{"bold and italics", "***a***", "_*a*_"},
		{"struck out", "~~a~~", "~a~"},
		{"bold in the middle of a word", "un**believ**able", "un\u200b*believ*\u200bable"},
		{"bold over two lines", "**a\nb**", "*a*\n*b*"},
		{"code", "use `a<b>`", "use `a&lt;b&gt;`"},
		{"code with a backtick", "``a`b``", "a`b"},
		{"a fence", "```go\nif a < b && c {\n```", "```\nif a &lt; b &amp;&amp; c {\n```"},
		{"a fence that is not closed yet", "```\na", "```\na\n```"},
		{"a fence in a fence", "````\n```\na\n```\n````", "```\n``\u200b`\na\n``\u200b`\n```"},
		{"code by indentation", "    a\n    b", "```\na\nb\n```"},
		{"a link", "[the docs](https://example.org/a?b=1&c=2)", "<https://example.org/a?b=1&amp;c=2|the docs>"},
		{"an address", "see https://example.org/a", "see <https://example.org/a>"},
		{"an address in brackets", "<https://example.org>", "<https://example.org>"},
		{"mail", "<ada@example.org>", "<mailto:ada@example.org>"},
		{"a link that is none", "[x](javascript:alert(1))", "x (javascript:alert(1))"},
		{"a link to a path", "[x](/etc/passwd)", "x (/etc/passwd)"},
		{"a link with a bar", "[a|b](https://x.org/a|b)", "<https://x.org/a%7Cb|a¦b>"},
		{"a picture", "![a cat](https://x.org/cat.png)", "<https://x.org/cat.png|a cat>"},
		{"a heading", "# One\ntext", "*One*\n\ntext"},
		{"a heading with bold in it", "## One **two**", "*One two*"},
		{"a list", "- a\n- b\n  - c\n- d", "• a\n• b\n    • c\n• d"},
		{"a numbered list", "3. a\n4. b", "3. a\n4. b"},
		{"a list with paragraphs", "- a\n\n  b\n- c", "• a\n    b\n• c"},
		{"tasks", "- [x] a\n- [ ] b", "• ☑ a\n• ☐ b"},
		{"a quote", "> a\n> b\n\nc", "> a\n> b\n\nc"},
		{"a rule", "a\n\n---\n\nb", "a\n\n———\n\nb"},
		{"a table", "| a | long |\n|---|---|\n| 1 | 2 |", "```\na | long\n--+-----\n1 | 2\n```"},
		{"a table with marks", "| **a** | `b` |\n|---|---|\n| [c](https://x.org) | d |", "```\na | b\n--+--\nc | d\n```"},
		{"what must be masked", "a < b & c > d", "a &lt; b &amp; c &gt; d"},
		{"what is masked in Markdown", `\*a\* \_b\_ 1 \< 2`, "*a* _b_ 1 &lt; 2"},
		{"entities", "&copy; &amp; &lt;", "© &amp; &lt;"},
		{"a mention", "<@U123> look", "&lt;@U123&gt; look"},
		{"a mention of everyone", "<!channel> and <!here|here>", "&lt;!channel&gt; and &lt;!here|here&gt;"},
		{"a mention in code", "`<!channel>`", "`&lt;!channel&gt;`"},
		{"a mention as entities", "&lt;!channel&gt;", "&lt;!channel&gt;"},
		{"a mention as a link", "[x](!channel) [y](<@U1>)", "x (!channel) y (@U1)"},
		{"HTML", "<b>a</b>", "&lt;b&gt;a&lt;/b&gt;"},
		{"a block of HTML", "<div>\na\n</div>", "&lt;div&gt;\na\n&lt;/div&gt;"},
		{"line breaks", "a\nb  \nc", "a\nb\nc"},
		{"paragraphs", "a\n\n\nb", "a\n\nb"},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := mrkdwn(test.markdown, false); got != test.want {
				t.Errorf("it is\n%q, want\n%q", got, test.want)
			}
		})
	}
}

// Whatever a model writes: nobody is notified, and nothing is refused for its length.
func TestWhateverAModelWritesCanBePosted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{
			"<!channel>", "<@U123>", "<!here|x>", "[a](", ")", "https://x.org/", "|", "<", ">", "&", "&lt;", "&amp;", "`", "```\n", "*", "**", "_",
			"~~", "\n", "\n\n", "# ", "> ", "- ", "1. ", "| a | b |\n|---|---|\n", "word", " ", "\\", "<!-- ", "-->", "![", "]", strings.Repeat("|", 50),
		})).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		if runes := []rune(text); len(runes) > textLimit {
			text = string(runes[:textLimit])
		}
		for _, sparing := range []bool{false, true} {
			out := mrkdwn(text, sparing)
			for _, found := range special.FindAllStringSubmatch(out, -1) {
				if strings.HasPrefix(found[1], "!") || strings.HasPrefix(found[1], "@") || strings.HasPrefix(found[1], "#") {
					t.Fatalf("%q is a mention in %q", found[0], out)
				}
			}
		}
		values, err := draft(text, nil)
		if strings.TrimSpace(mrkdwn(text, false)) == "" {
			return
		}
		if err != nil || utf8.RuneCountInString(values.Get("text")) > longestText {
			t.Fatalf("it cannot be posted: %v", err)
		}
	})
}

func TestATextThatGrowsTooLongIsSentAsBlocks(t *testing.T) {
	for _, test := range []struct {
		name, text string
		blocks     bool
	}{
		{"of words", strings.Repeat("word ", textLimit/5), false},
		{"of some brackets", strings.Repeat("a < b ", textLimit/6), true},
		{"of brackets", strings.Repeat("<", textLimit), true},
		{"of ampersands, which are not masked then", strings.Repeat("&", textLimit), false},
		{"of code", "```\n" + strings.Repeat("a < b && c > d\n", 180) + "```", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := string([]rune(test.text)[:min(textLimit, len([]rune(test.text)))])
			values, err := draft(text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if values.Has("blocks") != test.blocks {
				t.Errorf("it is sent as blocks: %v", values.Has("blocks"))
			}
			var blocks []struct{ Text struct{ Text string } }
			if err := json.Unmarshal([]byte(values.Get("blocks")), &blocks); test.blocks && err != nil {
				t.Fatal(err)
			}
			whole := ""
			for _, b := range blocks {
				if regexp.MustCompile(`&[a-z]{0,3}$`).MatchString(b.Text.Text) || utf8.RuneCountInString(b.Text.Text) > 3000 {
					t.Errorf("a part ends with %q and has %d characters", b.Text.Text[len(b.Text.Text)-5:], len(b.Text.Text))
				}
				whole += b.Text.Text
			}
			count := func(text string) int { return strings.Count(text, "&lt;") }
			if test.blocks && count(whole) != strings.Count(text, "<") {
				t.Errorf("there are %d brackets in it, want %d", count(whole), strings.Count(text, "<"))
			}
		})
	}
}
