package telegram

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/telegramtest"
	"github.com/asidehq/aside/platform"
)

func TestMarkdownBecomesTelegramsHTML(t *testing.T) {
	for _, test := range []struct{ name, markdown, html string }{
		{"a text", "Hello there.", "Hello there."},
		{"lines and paragraphs", "one\ntwo\n\nthree", "one\ntwo\n\nthree"},
		{"what is special in HTML", `a < b && c > "d"`, `a &lt; b &amp;&amp; c &gt; &quot;d&quot;`},
		{"HTML, which is a text like any other", `<b>x</b> <script>alert(1)</script> <a href="tg://user?id=1">me</a>`, `&lt;b&gt;x&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt; &lt;a href=&quot;tg://user?id=1&quot;&gt;me&lt;/a&gt;`},
		{"a block of HTML", "<div>\nhello\n</div>", "&lt;div&gt;\nhello\n&lt;/div&gt;"},
		{"bold, italic and struck", "**a** *b* ~~c~~", "<b>a</b> <i>b</i> <s>c</s>"},
		{"a heading", "# Title\n\ntext", "<b>Title</b>\n\ntext"},
		{"code in a line", "use `a<b>`", "use <code>a&lt;b&gt;</code>"},
		{"a block of code", "```go\nx := 1 < 2\n```", "<pre><code class=\"language-go\">x := 1 &lt; 2</code></pre>"},
		{"a block whose language is hostile", "```\"><b>\nx\n```", "<pre><code class=\"language-b\">x</code></pre>"},
		{"a block of code that is still being written", "```\nx", "<pre>x</pre>"},
		{"an empty block of code", "a\n```\n```", "a"},
		{"a list", "- a\n- b\n  - c\n- d", "• a\n• b\n  • c\n• d"},
		{"a list with numbers", "3. a\n4. b", "3. a\n4. b"},
		{"a link", "[here](https://example.org/?a=1&b=2)", `<a href="https://example.org/?a=1&amp;b=2">here</a>`},
		{"a link that runs something", "[here](javascript:alert(1))", "here"},
		{"a link to a person", "[here](tg://user?id=1)", "here"},
		{"a link with a quote", `[here](<https://example.org/"onclick=">)`, `<a href="https://example.org/%22onclick=%22">here</a>`},
		{"a picture", "![a cat](https://example.org/cat.png)", `<a href="https://example.org/cat.png">🖼 a cat</a>`},
		{"a quote", "> a\n> b\n\nc", "<blockquote>a\nb</blockquote>\n\nc"},
		{"a quote in a quote", "> a\n>\n> > b", "<blockquote>a\n\nb</blockquote>"},
		{"a table", "| a | b |\n|---|---|\n| long | c |", "<pre>a    | b\n-----+--\nlong | c</pre>"},
		{"a line", "a\n\n---\n\nb", "a\n\n———\n\nb"},
		{"what is escaped", `\*a\* &amp; &lt;`, "*a* &amp; &lt;"},
		{"half a link", "see [here](http", "see [here](http"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, size := render(test.markdown)
			if got != test.html {
				t.Errorf("got  %s\nwant %s", got, test.html)
			}
			text, _, problem := telegramtest.ParseHTML(got)
			if problem != nil || platform.CountUTF16.Of(text) != size {
				t.Errorf("Telegram reads %q (%v), and the size is %d", text, problem, size)
			}
		})
	}
}

func TestWhateverAModelWritesTelegramCanRead(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", " ", "\n", "\n\n", "*", "**", "_", "~~", "`", "```", "```go\n", "[", "](https://x.org)", "](", ")", "<b>", "</b>", "<", ">", "> ", "- ", "1. ",
		"# ", "| a | b |\n|---|---|\n", "|", "&", "&lt;", "&#60;", "\\", "!", "\"", "😀", "\u0000", "---\n", "    ", "\t", "<!--", "https://x.org",
	})
	rapid.Check(t, func(t *rapid.T) {
		markdown := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "")
		html, size := render(markdown)
		text, _, problem := telegramtest.ParseHTML(html)
		if problem != nil {
			t.Fatalf("%q became %q: %s", markdown, html, problem.Description)
		}
		if n := platform.CountUTF16.Of(text); n != size {
			t.Fatalf("%q became %q, which has %d characters, not %d", markdown, html, n, size)
		}
	})
}

func TestATextThatIsHardToReadIsSentAsItIs(t *testing.T) {
	for name, text := range map[string]string{
		"many brackets": strings.Repeat("[", 4000),
		"deep quotes":   strings.Repeat("> ", 100) + "a",
		"deep lists":    strings.Repeat("- ", 100) + "a",
	} {
		if html, size := render(text); html != "" || size != 0 {
			t.Errorf("%s became %d characters", name, size)
		}
	}
}

func TestEveryEmojiThatCanBeSentIsOneThatTelegramTakes(t *testing.T) {
	tg := &Telegram{}
	for _, row := range near {
		if !isAccepted(row[0]) {
			t.Errorf("%s stands for others, and Telegram does not take it", row[0])
		}
		for _, other := range row[1:] {
			if got := tg.Nearest(other); got != row[0] {
				t.Errorf("%s is nearest to %q, not to %s: it is there twice, or accepted itself", other, got, row[0])
			}
		}
	}
	for _, test := range []struct{ emoji, want string }{
		{"❤️", "❤"},
		{"❤", "❤"},
		{"👍🏽", "👍"},
		{"✅", "👍"},
		{"❌", "👎"},
		{"🚀", "🔥"},
		{"⏳", "👀"},
		{"🤷‍♂️", "🤷‍♂"},
		{"👨‍💻", "👨‍💻"},
		{"☃️", "☃"},
		{"🐙", ""},
		{"", ""},
		{"hello", ""},
		{"name:123", ""},
	} {
		if got := tg.Nearest(test.emoji); got != test.want {
			t.Errorf("the nearest to %s is %q, want %q", test.emoji, got, test.want)
		}
	}
}
