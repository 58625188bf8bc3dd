package platform

import (
	"strings"
	"testing"
)

func BenchmarkSplit(b *testing.B) {
	usual := strings.Repeat("A paragraph of a few words. It has `code` in it, and a second sentence.\n\n"+
		"```go\nfunc main() {\n\tprintln(\"hello\")\n}\n```\n\nWas that all? Not quite.\n", 100)
	texts := hostile(1 << 20)
	texts["usual"] = usual
	texts["within the limit"] = usual[:1500]
	for _, name := range []string{"within the limit", "usual", "one word", "newlines", "backticks", "emoji", "short words", "fences"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(texts[name])))
			b.ReportAllocs()
			for b.Loop() {
				Split(texts[name], Limits{Text: 2000})
			}
		})
	}
}
