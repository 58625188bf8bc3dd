package markdown_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/markdown"
)

const away = ` rel="noopener noreferrer" target="_blank">`

func TestWhatIsWrittenIsShown(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"words are a paragraph", "Hello **you** & _me_", "<p>Hello <strong>you</strong> &amp; <em>me</em></p>\n"},
		{"a line break stays one", "a\nb", "<p>a<br>\nb</p>\n"},
		{"what is struck is struck", "~~no~~", "<p><del>no</del></p>\n"},
		{"headings are below those of the page", "# One\n\n###### Six", "<h3>One</h3>\n<h6>Six</h6>\n"},
		{"a table is one", "| a | b |\n|---|--:|\n| 1 | 2 |", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>\n"},
		{"code keeps what is in it", "```go\nif a < b {}\n```", "<pre data-language=\"go\"><code>if a &lt; b {}\n</code></pre>\n"},
		{"a link leads away and tells nothing", "[x](https://a.example/?q=1&r=2)", `<p><a href="https://a.example/?q=1&amp;r=2"` + away + "x</a></p>\n"},
		{"an address is a link", "see https://a.example/b.", `<p>see <a href="https://a.example/b"` + away + "https://a.example/b</a>.</p>\n"},
		{"a mail address is a link", "<me@a.example>", `<p><a href="mailto:me@a.example"` + away + "me@a.example</a></p>\n"},
		{"a picture is a link", "![A cat](https://a.example/cat.png)", `<p><a href="https://a.example/cat.png"` + away + "🖼 A cat</a></p>\n"},
		{"a picture without a name is a link", "![](https://a.example/cat.png)", `<p><a href="https://a.example/cat.png"` + away + "🖼 https://a.example/cat.png</a></p>\n"},
		{"a picture within a link is not another one", "[![A cat](https://a.example/cat.png)](https://a.example)", `<p><a href="https://a.example"` + away + "🖼 A cat</a></p>\n"},

		{"HTML is text", "a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"},
		{"a script is text", "<script>\nalert(1)\n</script>", "<p>&lt;script&gt;<br>\nalert(1)<br>\n&lt;/script&gt;</p>\n"},
		{"a comment is text", "<!-- x -->", "<p>&lt;!-- x --&gt;</p>\n"},
		{"a link that runs something is none", "[x](javascript:alert(1))", "<p>x</p>\n"},
		{"a link that runs something in disguise is none", "[x](jAvAsCrIpT&colon;alert(1)) [y](&#106;avascript:a) <javascript:a>", "<p>x y javascript:a</p>\n"},
		{"a link that carries its page is none", "[x](data:text/html,y)", "<p>x</p>\n"},
		{"a link to this server is none", "[x](/api/v1/dead) [y](//a.example) [z](api)", "<p>x y z</p>\n"},
		{"a picture that runs something is text", "![x](javascript:alert(1))", "<p>🖼 x</p>\n"},
		{"a title is not shown", `[x](https://a.example "onmouseover=y")`, `<p><a href="https://a.example"` + away + "x</a></p>\n"},
		{"a language stays in its place", "```\"><script>\nx\n```", "<pre data-language=\"&quot;&gt;&lt;script&gt;\"><code>x\n</code></pre>\n"},
	}
	r := markdown.New()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := r.HTML(test.text); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestWhatIsHalfWrittenWaits(t *testing.T) {
	half := func(s string) string { return `<span class="half">` + s + `</span>` }
	tests := []struct{ name, text, want string }{
		{"the text of a link", "See [the do", "<p>See " + half("[the do") + "</p>\n"},
		{"a link before its address", "See [the docs](", "<p>See " + half("[the docs](") + "</p>\n"},
		{"a link within its address", "See [the docs](https://a.ex", "<p>See " + half("[the docs](https://a.ex") + "</p>\n"},
		{"a picture", "See ![a <cat", "<p>See " + half("![a &lt;cat") + "</p>\n"},
		{"brackets with nothing behind them do not", "a [b] c", "<p>a [b] c</p>\n"},
		{"a bracket in code does not", "a `b[", "<p>a `b[</p>\n"},
		{"a bracket in a line further up does not", "a [b\nc", "<p>a [b<br>\nc</p>\n"},
		{"the head of a table", "x\n\n| a | b", "<p>x</p>\n<p>" + half("| a | b") + "</p>\n"},
		{"a table up to its rule", "| a | b |\n|--", "<p>" + half("| a | b |\n|--") + "</p>\n"},
		{"a table with its rule does not", "| a |\n|---|", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table>\n"},
		{"a fence that begins", "x\n``", "<p>x<br>\n" + half("``") + "</p>\n"},
		{"open code does not", "```\nx [y", "<pre data-language=\"\"><code>x [y\n</code></pre>\n"},
		{"code that was closed is no longer open", "```\nx\n```\n[y", "<pre data-language=\"\"><code>x\n</code></pre>\n<p>" + half("[y") + "</p>\n"},
		{"the placeholder of the input does not", "\ue0a5 [y", "<p>\ue0a5 [y</p>\n"},
	}
	r := markdown.New()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := r.HTML(test.text); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// allowed is every tag that can come out, byte for byte. A browser may be lenient
// about what a tag is; whatever is not one of these has no < left to begin with.
var allowed = regexp.MustCompile(`</?(p|strong|em|del|code|blockquote|ul|ol|li|h[3-6]|table|thead|tbody|tr|th|td|a|span|pre)>|<br>|<hr>` +
	`|<ol start="\d+">|<t[hd] align="(left|center|right)">|<span class="half">|<pre data-language="[^"<>]*">` +
	`|<a href="(https?://|mailto:)[^"<>\s]+" rel="noopener noreferrer" target="_blank">`)

func check(t interface{ Errorf(string, ...any) }, text, out string) {
	if rest := allowed.ReplaceAllString(out, ""); strings.ContainsAny(rest, "<>\"") {
		t.Errorf("%q became %q", text, out)
	}
}

var hostile = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<style>", "<!--", "-->", "<![CDATA[", "<?x", "<a href=\"javascript:x\">",
	"[x](javascript:alert(1))", "![x](javascript:1)", "[x]( \"'><b>\")", "<javascript:x>", "https://a\"onmouseover=b", "[x]: javascript:a", "[x]",
	"`", "``", "```", "~~~", "```\"><b>", "|", "|--|", "\n", "\n\n", "    ", "> ", "- ", "1. ", "# ", "*", "**", "_", "~~", "[", "]", "(", ")", "!", "\\", "&lt;", "&#x3c;",
	"\x00", "\xff", "\ue0a5", "é", "👩‍💻", "words ",
}

func TestNothingHostileComesThrough(t *testing.T) {
	r := markdown.New()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 0, 30).Draw(t, "text"), "")
		check(t, text, r.HTML(text))
	})
}

func FuzzHTML(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	r := markdown.New()
	f.Fuzz(func(t *testing.T, text string) { check(t, text, r.HTML(text)) })
}

func TestWhatWouldTakeTooLongStaysText(t *testing.T) {
	r := markdown.New()
	for _, part := range []string{">", "> ", "1. ", "- ", "[a](", "[a](b", "*a_ ", "![", "[a]: b\n", "``a```", "<a "} {
		t.Run(part, func(t *testing.T) {
			text := strings.Repeat(part, 1<<18/len(part)) + "\n\n**end**"
			if got := r.HTML(text); !strings.Contains(got, "**end**") {
				t.Errorf("it became %.200q…", got)
			}
		})
	}
	if got := r.HTML(strings.Repeat("- ", 20) + "x\n\n" + strings.Repeat("*a* ", 900)); strings.Contains(got, "*") {
		t.Errorf("what is harmless became %.200q…", got)
	}
}
