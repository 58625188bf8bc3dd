package extract_test

import (
	"testing"

	"github.com/asidehq/aside/extract"
)

// Each target checks the laws for one dialect, or for all together, on whatever
// bytes the fuzzer makes of the corpus. cut decides how the reply is cut.

func FuzzDirectives(f *testing.F) { fuzz(f, extract.Directives) }
func FuzzBlocks(f *testing.F)     { fuzz(f, extract.Blocks) }
func FuzzSignals(f *testing.F)    { fuzz(f, extract.Signals) }
func FuzzEnvelope(f *testing.F)   { fuzz(f, extract.Envelope) }
func FuzzReasoning(f *testing.F)  { fuzz(f, extract.Reasoning) }
func FuzzEverything(f *testing.F) { fuzz(f, extract.Everything) }

func fuzz(f *testing.F, d extract.Dialect) {
	for i, c := range corpus(f) {
		f.Add(c.reply, byte(i))
	}
	f.Fuzz(func(t *testing.T, reply []byte, cut byte) {
		if len(reply) > 1<<10 {
			return // more of the same finds nothing new, slowly
		}
		config := extract.Config{Dialects: d}
		if cut >= 200 {
			config.Limit = int(cut) - 184
		}
		checkChunking(t, config, reply, []int{1})
		checkChunking(t, config, reply, []int{1 + int(cut)%7, 1 + int(cut)/16, 1 + int(cut)%13})
		checkPrefix(t, config, reply)
		if d&extract.Envelope == 0 {
			checkCoverage(t, config, reply)
		}
	})
}
