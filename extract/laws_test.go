package extract_test

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/extract"
)

// The laws that hold for every dialect, every combination and every input, as
// properties of generated replies. Fuzz targets (fuzz_test.go) check the same.

// fragments are what replies are made of: instructions of every dialect, near
// misses, broken ones, code, words, white space and garbage.
var fragments = []string{
	"Hello", "I think so.", "a", " ", "  ", "\n", "\n\n", "\r\n", "\t", "é", "日本", "👍🏽", "\xff", "\x00", "\xe2\x80",
	"<", ">", "</", "/>", "[", "]", "{", "}", "`", "``", "```", "~~~", "\"", "'", "“", "”", ":", ",", "&amp;", "\\", "\\u00e9", "\\ud83d\\ude00",
	"<b>", "<br/>", "3 < 5", "a[i]", "[link](url)", "[SEARCHING tips](url)", "[CORRECTION]", "<actionable>", "<no-repl>", "<thinker>",
	"<actions>", "</actions>", "<ACTIONS >", "<actions>\n", "<react emoji=\"eyes\"/>", "<react emoji='a>b'>", "</react>",
	"<send-file path=“x y” caption=\\\"z\\\"/>", "<send-file-later/>", "<send-message chat=1>", "</send-message>", "<voice>", "</voice>", "<foo>", "</foo>",
	"<actions><react emoji=\"fire\"/></actions>", "<actions>oops<react emoji=x/></actions>", "<actions></actions>",
	"<no-reply/>", "<no-reply></no-reply>", "<no-reply>",
	"<discord-action>", "</discord-action>", "<action>", "</action>", "<discord-action>{\"type\":\"x\",", "{\"type\":\"y\"}", "[{\"type\":\"z\"},{}]",
	"<action>{\"type\":\"channelList\"}</action>", "<discord-action>\n```json\n{type:'a'}\n```\n</discord-action>", "</parameter></invoke>",
	"<cron-state>{\"n\":1}</cron-state>", "\n<discord-action>{", "{\"a\":\"</discord-action>\"}",
	"[REMEMBER:", "[REMEMBER:likes [1,2] tea]", "[CORRECT:a:b]", "[CORRECT:a => b]", "[REQUEST_TIER:2:x]", "[SEARCH:]", "[CALCULATE:1+1]",
	"{\"text\":\"", "\",\"action\":\"", "{\"text\":\"Done! [LIKE]\",\"action\":\"SOCIAL_ENGAGE\"}", "{\"a\":1}", "```json\n{\"text\":\"hi\"}\n```",
	"[LIKE]", "[IGNORE]", "STOP", "yes", "<response>", "</response>", "<text>", "</text>", "<thought>", "</thought>", "<params>", "</params>",
	"<response><thought>t</thought><actions>A,,B</actions><text>hi &lt;</text></response>",
	"<think>", "</think>", "<thinking>", "</thinking >", "\n<think>hm</think>\n", "- ", "> ", "1. ", "# ",
	"```go\n", "\n```\n", "~~~\ncode\n~~~\n", "`code`", "``a`b``", "`<actions><react emoji=\"x\"/></actions>`",
}

// anyReply draws a reply.
var anyReply = rapid.Custom(func(t *rapid.T) []byte {
	var b []byte
	parts := rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 14).Draw(t, "parts")
	for _, part := range parts {
		b = append(b, part...)
	}
	if len(b) > 0 && rapid.IntRange(0, 4).Draw(t, "damage") == 0 {
		i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		b = append(b[:i], b[i+1:]...)
	}
	return b
})

var anyConfig = rapid.Custom(func(t *rapid.T) extract.Config {
	c := extract.Config{Dialects: extract.Dialect(rapid.IntRange(0, int(extract.Everything)).Draw(t, "dialects"))}
	if rapid.IntRange(0, 9).Draw(t, "small") == 0 {
		c.Limit = rapid.IntRange(16, 64).Draw(t, "limit")
	}
	c.VisibleSignals = rapid.IntRange(0, 9).Draw(t, "visible") == 0
	return c
})

// events reads a reply in chunks of the given sizes and copies every event.
func events(c extract.Config, reply []byte, sizes ...int) []extract.Event {
	r := extract.New(c)
	var all []extract.Event
	keep := func(e extract.Event) {
		e.Text = bytes.Clone(e.Text)
		all = append(all, e)
	}
	for i := 0; len(reply) > 0; i++ {
		n := min(len(reply), sizes[i%len(sizes)])
		for e := range r.Feed(reply[:n]) {
			keep(e)
		}
		reply = reply[n:]
	}
	for e := range r.End() {
		keep(e)
	}
	return all
}

// inOneGo is a chunk size that no reply exceeds.
const inOneGo = 1 << 30

// joined puts the pieces of text and of reasoning together, which may be cut as
// the chunks were; the rest, places included, must be the same.
func joined(events []extract.Event) (string, string, []extract.Event) {
	var text, reasoning []byte
	var rest []extract.Event
	for _, e := range events {
		switch e.Kind {
		case extract.KindText:
			text = append(text, e.Text...)
		case extract.KindReasoning:
			reasoning = append(reasoning, e.Text...)
		default:
			rest = append(rest, e)
		}
	}
	return string(text), string(reasoning), rest
}

func checkChunking(t rapid.TB, c extract.Config, reply []byte, sizes []int) {
	text, reasoning, rest := joined(events(c, reply, inOneGo))
	gotText, gotReasoning, gotRest := joined(events(c, reply, sizes...))
	if gotText != text || gotReasoning != reasoning || !reflect.DeepEqual(gotRest, rest) {
		t.Fatalf("reply %q, dialects %v, limit %d, chunks %v\n\nchunked\n%q\n%q\n%s\nwhole\n%q\n%q\n%s",
			reply, c.Dialects, c.Limit, sizes, gotText, gotReasoning, list(gotRest), text, reasoning, list(rest))
	}
}

func list(events []extract.Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "  %v %v %d-%d text %q %+v\n", e.Kind, e.Dialect, e.Pos, e.End, e.Text, e.Instruction)
	}
	return b.String()
}

func TestLaw1ChunkingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig.Draw(t, "config")
		reply := anyReply.Draw(t, "reply")
		for _, n := range []int{1, 2, 3, 4, 7} {
			checkChunking(t, c, reply, []int{n})
		}
		checkChunking(t, c, reply, rapid.SliceOfN(rapid.IntRange(1, 80), 1, 10).Draw(t, "sizes"))
	})
}

// checkCoverage asks that every byte is in exactly one event. White space next to
// what was taken out, and inside a block between its children, may be in none. A
// problem inside an action is a note on it. The text of an envelope is decoded, so
// its places are not compared.
func checkCoverage(t rapid.TB, c extract.Config, reply []byte) {
	all := slices.DeleteFunc(events(c, reply, inOneGo), func(e extract.Event) bool { return e.Pos == e.End })
	// Reasoning that is shown because there is nothing else is in two.
	thoughts := slices.DeleteFunc(slices.Clone(all), func(e extract.Event) bool { return e.Kind != extract.KindReasoning })
	all = slices.DeleteFunc(all, func(e extract.Event) bool {
		return e.Kind == extract.KindText && slices.ContainsFunc(thoughts, func(t extract.Event) bool { return e.Pos < t.End && t.Pos < e.End })
	})
	slices.SortStableFunc(all, func(a, b extract.Event) int { return cmp.Or(a.Pos-b.Pos, b.End-a.End) })
	at := 0
	for _, e := range all {
		if e.Kind == extract.KindProblem && e.End <= at {
			continue // a note
		}
		if e.Pos < at {
			t.Fatalf("reply %q, dialects %v: byte %d is in two events\n%s", reply, c.Dialects, e.Pos, list(all))
		}
		if gap := reply[at:e.Pos]; len(bytes.TrimSpace(gap)) > 0 {
			t.Fatalf("reply %q, dialects %v: %q is in no event\n%s", reply, c.Dialects, gap, list(all))
		}
		if e.Kind == extract.KindText && !bytes.Equal(e.Text, reply[e.Pos:e.End]) {
			t.Fatalf("reply %q: text %q does not stand at %d to %d", reply, e.Text, e.Pos, e.End)
		}
		if e.Instruction != nil && e.Raw != string(reply[e.Pos:e.End]) {
			t.Fatalf("reply %q: raw %q does not stand at %d to %d", reply, e.Raw, e.Pos, e.End)
		}
		at = e.End
	}
	if gap := reply[at:]; len(bytes.TrimSpace(gap)) > 0 {
		t.Fatalf("reply %q, dialects %v: %q is in no event\n%s", reply, c.Dialects, gap, list(all))
	}
}

func TestLaw2NoByteIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig.Draw(t, "config")
		c.VisibleSignals = false
		if c.Dialects &^= extract.Envelope; c.Dialects == 0 {
			c.Dialects = extract.Everything &^ extract.Envelope
		}
		checkCoverage(t, c, anyReply.Draw(t, "reply"))
	})
}

// checkPrefix asks that what is shown of a part of the reply is the beginning of
// what is shown of all of it: nothing that was shown turns out to be an
// instruction, and nothing shown changes.
func checkPrefix(t rapid.TB, c extract.Config, reply []byte) {
	text, _, _ := joined(events(c, reply, inOneGo))
	r := extract.New(c)
	var shown []byte
	for i := range reply {
		for e := range r.Feed(reply[i : i+1]) {
			if e.Kind == extract.KindText {
				shown = append(shown, e.Text...)
			}
		}
		if !strings.HasPrefix(text, string(shown)) {
			t.Fatalf("reply %q, dialects %v: %q was shown after %q, but the text is %q", reply, c.Dialects, shown, reply[:i+1], text)
		}
	}
}

func TestLaw3NothingRawFlashesBy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Every continuation must keep what was shown, so the reply is fed once
		// and then continued in several ways.
		c := anyConfig.Draw(t, "config")
		reply := anyReply.Draw(t, "reply")
		checkPrefix(t, c, reply)
		var shown []byte
		r := extract.New(c)
		for e := range r.Feed(reply) {
			if e.Kind == extract.KindText {
				shown = append(shown, e.Text...)
			}
		}
		for _, more := range rapid.SliceOfN(anyReply, 1, 4).Draw(t, "continuations") {
			text, _, _ := joined(events(c, slices.Concat(reply, more), inOneGo))
			if !strings.HasPrefix(text, string(shown)) {
				t.Fatalf("%q was shown of %q, but with %q behind it the text is %q", shown, reply, more, text)
			}
		}
	})
}

func TestAReplyWithoutAnInstructionIsReturnedByteForByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig.Draw(t, "config")
		reply := anyReply.Draw(t, "reply")
		text, reasoning, rest := joined(events(c, reply, 3))
		if reasoning == "" && len(rest) == 0 && text != string(reply) {
			t.Fatalf("reply %q became %q", reply, text)
		}
	})
}

func TestLaw6MemoryIsBounded(t *testing.T) {
	// Whatever is held back, the reader keeps at most a small multiple of the
	// limit: after that much it must have shown or reported something.
	for name, endless := range map[string]string{
		"an open block":           "<discord-action>{\"a\":\"",
		"an open actions block":   "<actions><react emoji=\"x\"/>",
		"an open attribute":       "<actions><react emoji=\"",
		"an open signal":          "[REMEMBER:",
		"an open span":            "a ` <actions><react emoji=\"x\"/></actions> ",
		"an open envelope":        "{\"user\":\"",
		"an open envelope's text": "{\"text\":\"",
		"open reasoning":          "<think>",
		"an open response":        "<response><thought>",
	} {
		t.Run(name, func(t *testing.T) {
			const limit = 4 << 10
			r := extract.New(extract.Config{Limit: limit})
			seen := 0
			take := func(b []byte) {
				for e := range r.Feed(b) {
					seen = max(seen, e.End)
				}
			}
			take([]byte(endless))
			for fed := len(endless); fed < 64*limit; fed += 16 {
				take([]byte("0123456789abcde "))
				if held := fed - seen; held > 3*limit {
					t.Fatalf("%d bytes are held at a limit of %d", held, limit)
				}
			}
		})
	}
}

func TestLaw7ProseCostsNoAllocation(t *testing.T) {
	prose := []byte("It was a bright cold day in April, and the clocks were striking thirteen.\n\n" +
		"A list:\n- one < two\n- `code` and a[i] and [link](url)\n1. three\n\nThe end of it. ")
	for _, size := range []int{1, 2, 3, 4, 7, 16, 100, inOneGo} {
		r := extract.New(extract.Config{})
		read := func() {
			for rest := prose; len(rest) > 0; {
				n := min(size, len(rest))
				for range r.Feed(rest[:n]) {
				}
				rest = rest[n:]
			}
		}
		read() // fills the buffers
		if n := testing.AllocsPerRun(100, read); n != 0 {
			t.Errorf("in chunks of %d: %v allocations", size, n)
		}
	}
}

func TestABrokenOffLoopEndsTheReply(t *testing.T) {
	r := extract.New(extract.Config{})
	for range r.Feed([]byte("One [CALCULATE:1+1] two [CALCULATE:2+2] three")) {
		break
	}
	for e := range r.Feed([]byte("four")) {
		t.Errorf("still got %v %q", e.Kind, e.Text)
	}
	for e := range r.End() {
		t.Errorf("still got %v %q", e.Kind, e.Text)
	}
	r.Reset()
	if got := outcomeOf(r, []byte("five"), inOneGo).text; got != "five" {
		t.Errorf("after Reset the text is %q", got)
	}
}
