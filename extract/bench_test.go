package extract_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asidehq/aside/extract"
)

// The names of these benchmarks are known to internal/tools/benchtable, which
// checks the budgets. What does not say its size reads 20 KB.

var sizes = []struct {
	name  string
	bytes int
}{
	{"2k", 2 << 10},
	{"20k", 20 << 10},
	{"200k", 200 << 10},
}

const usualSize = 20 << 10

// BenchmarkCopy is the measure for the others: nothing that reads a reply can be
// faster. A reply is read once, when it arrives, and does not lie in the processor's
// innermost cache by then: copying and reading whole replies both go round through
// more of them than fit there.
func BenchmarkCopy(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			replies := copies(realisticReply(size.bytes))
			shown := make([]byte, size.bytes)
			b.SetBytes(int64(size.bytes))
			for i := 0; b.Loop(); i++ {
				copy(shown, replies[i%len(replies)])
			}
		})
	}
}

func BenchmarkWhole(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			replies := copies(realisticReply(size.bytes))
			r := extract.New(extract.Config{Dialects: extract.Everything})
			shown := 0
			b.SetBytes(int64(size.bytes))
			for i := 0; b.Loop(); i++ {
				shown += read(r, replies[i%len(replies)])
			}
			check(b, shown)
		})
	}
}

// copies are as many copies of a reply as do not fit into a core's own caches.
func copies(reply []byte) [][]byte {
	const total = 8 << 20
	all := make([][]byte, total/len(reply))
	for i := range all {
		all[i] = bytes.Clone(reply)
	}
	return all
}

func BenchmarkChunks(b *testing.B) {
	for _, chunk := range []int{1, 4, 16} {
		b.Run(strconv.Itoa(chunk), func(b *testing.B) {
			benchmarkReader(b, realisticReply(usualSize), chunk)
		})
	}
}

// BenchmarkChunks4 shows whether a byte costs more in a longer reply.
func BenchmarkChunks4(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			benchmarkReader(b, realisticReply(size.bytes), 4)
		})
	}
}

func BenchmarkProse(b *testing.B) {
	b.ReportAllocs()
	benchmarkReader(b, prose(usualSize), 4)
}

// BenchmarkHostile reads what would be slow if a byte could be looked at again
// and again: whole, in chunks, and ten times as long, where a byte must not cost
// more.
func BenchmarkHostile(b *testing.B) {
	for _, input := range hostile {
		b.Run(input.name+"/whole", func(b *testing.B) {
			benchmarkReader(b, input.of(usualSize), usualSize)
		})
		b.Run(input.name+"/chunks4", func(b *testing.B) {
			benchmarkReader(b, input.of(usualSize), 4)
		})
		b.Run(input.name+"/long", func(b *testing.B) {
			benchmarkReader(b, input.of(10*usualSize), 10*usualSize)
		})
	}
}

var hostile = []struct {
	name string
	of   func(size int) []byte
}{
	{"angle", repeat("<")},
	{"bracket", repeat("[")},
	{"openers", repeat("<actions><discord-action><no-reply><think><response>[SEARCH:{\"text\":")},
	// No opener stands at the start of a line, where it would end the one before.
	{"unclosed-block", repeat("and <discord-action>{\"a\":\n")},
	{"unclosed-signal", repeat("[REMEMBER:this ")},
	{"unclosed-actions", repeat("<actions><react emoji=\"x\"/>")},
	{"attributes", prefixed("<actions><react ", repeat("a=b "))},
	{"backticks", repeat(backtickRuns())},
	{"stray-backticks", repeat("a ` stray <b> tick [x]\nin two lines\n\n")},
	{"signals-in-a-span", prefixed("a `` ", repeat("[SEARCH:x] "))},
	{"whitespace", repeat("  \t \n\n \n")},
	{"nested-json", nestedJSON},
	{"envelope-members", prefixed("{", repeat("\"a\":[1,{}],"))},
	{"envelope-escapes", prefixed("{\"text\":\"", repeat("\\n\\ud83d\\ude00"))},
}

// benchmarkReader reads the reply over and over, in chunks that were cut before,
// with one Reader as a session does.
func benchmarkReader(b *testing.B, reply []byte, chunk int) {
	r := extract.New(extract.Config{Dialects: extract.Everything})
	chunks := slices.Collect(slices.Chunk(reply, chunk))
	shown := 0
	b.SetBytes(int64(len(reply)))
	for b.Loop() {
		shown += read(r, chunks...)
	}
	check(b, shown)
}

// read adds up the text of a reply, so that nothing is left undone.
func read(r *extract.Reader, chunks ...[]byte) int {
	shown := 0
	r.Reset()
	for _, chunk := range chunks {
		for e := range r.Feed(chunk) {
			shown += len(e.Text)
		}
	}
	for e := range r.End() {
		shown += len(e.Text)
	}
	return shown
}

func check(b *testing.B, shown int) {
	if shown < 0 {
		b.Fatal("no text")
	}
}

// repeat returns what fills a size with s.
func repeat(s string) func(size int) []byte {
	return func(size int) []byte {
		return []byte(strings.Repeat(s, size/len(s)+1))[:size]
	}
}

// prefixed returns what fills a size with something behind a beginning.
func prefixed(beginning string, of func(size int) []byte) func(size int) []byte {
	return func(size int) []byte {
		return append([]byte(beginning), of(size-len(beginning))...)
	}
}

// backtickRuns is a paragraph with a run of backticks of every length that opens
// a code span, none of which is closed.
func backtickRuns() string {
	var out strings.Builder
	for n := 1; n <= 32; n++ {
		out.WriteString(strings.Repeat("`", n) + "a")
	}
	return out.String() + "\n\n"
}

// nestedJSON is a block that is closed properly, thousands of braces deep.
func nestedJSON(size int) []byte {
	const start, level, end = `<discord-action>{"type":"deep","a":`, `{"a":`, `</discord-action>`
	depth := (size - len(start) - len(end)) / (len(level) + len("}"))
	return fmt.Appendf(nil, "%s%s1%s}%s", start, strings.Repeat(level, depth), strings.Repeat("}", depth), end)
}
