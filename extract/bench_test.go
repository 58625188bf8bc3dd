package extract_test

import (
	"fmt"
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
// faster.
func BenchmarkCopy(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			reply := realisticReply(size.bytes)
			shown := make([]byte, len(reply))
			b.SetBytes(int64(len(reply)))
			for b.Loop() {
				copy(shown, reply)
			}
		})
	}
}

func BenchmarkWhole(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			reply := realisticReply(size.bytes)
			benchmarkReader(b, reply, len(reply))
		})
	}
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
// and again.
func BenchmarkHostile(b *testing.B) {
	inputs := []struct {
		name  string
		reply []byte
	}{
		{"angle", repeat("<")},
		{"bracket", repeat("[")},
		{"openers", repeat("<actions><discord-action><no-reply><think><response>[SEARCH:{\"text\":")},
		// No opener stands at the start of a line, where it would end the one before.
		{"unclosed-block", repeat("and <discord-action>{\"a\":\n")},
		{"unclosed-signal", repeat("[REMEMBER:this ")},
		{"backticks", repeat(backtickRuns())},
		{"stray-backticks", repeat("a ` stray <b> tick [x]\nin two lines\n\n")},
		{"whitespace", repeat("  \t \n\n \n")},
		{"nested-json", nestedJSON()},
	}
	for _, input := range inputs {
		b.Run(input.name+"/whole", func(b *testing.B) {
			benchmarkReader(b, input.reply, len(input.reply))
		})
		b.Run(input.name+"/chunks4", func(b *testing.B) {
			benchmarkReader(b, input.reply, 4)
		})
	}
}

// benchmarkReader reads the reply over and over, with one Reader as a session
// does, and adds up the text so that nothing is left undone.
func benchmarkReader(b *testing.B, reply []byte, chunk int) {
	r := extract.New(extract.Config{Dialects: extract.Everything})
	shown := 0
	b.SetBytes(int64(len(reply)))
	for b.Loop() {
		r.Reset()
		for rest := reply; len(rest) > 0; {
			n := min(chunk, len(rest))
			for e := range r.Feed(rest[:n]) {
				shown += len(e.Text)
			}
			rest = rest[n:]
		}
		for e := range r.End() {
			shown += len(e.Text)
		}
	}
	if shown < 0 {
		b.Fatal("no text")
	}
}

func repeat(s string) []byte {
	return []byte(strings.Repeat(s, usualSize/len(s)+1))[:usualSize]
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
func nestedJSON() []byte {
	const start, level, end = `<discord-action>{"type":"deep","a":`, `{"a":`, `</discord-action>`
	depth := (usualSize - len(start) - len(end)) / (len(level) + len("}"))
	return fmt.Appendf(nil, "%s%s1%s}%s", start, strings.Repeat(level, depth), strings.Repeat("}", depth), end)
}
