package main

import (
	"fmt"
	"io"
	"strings"
)

// A budget is one promise and what the benchmarks say about it.
type budget struct {
	promise  string
	measured string
	kept     bool
}

const (
	wholeMBs     = 2000 // a whole reply of 20 KB
	wholeOfCopy  = 15   // and at least this fraction of copy's speed
	chunksMBs    = 200  // the same reply in 4-byte chunks
	growth       = 1.2  // cost per byte at 200 KB against 2 KB
	hostileTimes = 20   // cost per byte of hostile input against prose
	hostileGrow  = 2    // and of ten times as much of it against itself; quadratic would be ten
)

func check(rs results) []budget {
	budgets := []budget{
		rs.compare("a whole 20 KB reply: at least 2 GB/s", []string{"Whole/20k"}, func(r []result) (string, bool) {
			return fmt.Sprintf("%.2f GB/s", r[0].mbs/1000), r[0].mbs >= wholeMBs
		}),
		rs.compare("a whole 20 KB reply: at least 1/15 of copy", []string{"Whole/20k", "Copy/20k"}, func(r []result) (string, bool) {
			ratio := r[1].mbs / r[0].mbs
			return fmt.Sprintf("1/%.1f", ratio), ratio <= wholeOfCopy
		}),
		rs.compare("20 KB in 4-byte chunks: at least 200 MB/s", []string{"Chunks/4"}, func(r []result) (string, bool) {
			return fmt.Sprintf("%.0f MB/s", r[0].mbs), r[0].mbs >= chunksMBs
		}),
		rs.compare("prose: no allocation", []string{"Prose"}, func(r []result) (string, bool) {
			return fmt.Sprintf("%.0f allocs/op", r[0].allocs), r[0].allocs == 0
		}),
		rs.times("4-byte chunks, a byte of 200 KB against one of 2 KB", "Chunks4/200k", "Chunks4/2k", growth),
		rs.times("whole, a byte of 200 KB against one of 2 KB", "Whole/200k", "Whole/2k", growth),
	}
	return append(budgets, rs.hostile()...)
}

// hostile checks every hostile input against prose as it streams, and ten times as
// much of it against itself.
func (rs results) hostile() []budget {
	var budgets []budget
	for _, r := range rs {
		if !strings.HasPrefix(r.name, "Hostile/") {
			continue
		}
		budgets = append(budgets, rs.times(r.name+" against prose", r.name, "Prose", hostileTimes))
		if name, long := strings.CutSuffix(r.name, "/long"); long {
			budgets = append(budgets, rs.times(r.name+" against a tenth of it", r.name, name+"/whole", hostileGrow))
		}
	}
	if len(budgets) == 0 {
		return []budget{{promise: "hostile input against prose", measured: "Hostile was not measured"}}
	}
	return budgets
}

// times promises that a byte of one benchmark costs at most so many times a byte
// of the other.
func (rs results) times(promise, name, base string, limit float64) budget {
	return rs.compare(fmt.Sprintf("%s: at most %g times", promise, limit), []string{name, base}, func(r []result) (string, bool) {
		times := r[0].nsPerByte() / r[1].nsPerByte()
		return fmt.Sprintf("%.2f times", times), times <= limit
	})
}

// compare hands the named results to judge; a promise whose benchmarks are
// missing is not kept.
func (rs results) compare(promise string, names []string, judge func([]result) (string, bool)) budget {
	var found []result
	for _, name := range names {
		r, ok := rs.find(name)
		if !ok {
			return budget{promise: promise, measured: name + " was not measured"}
		}
		found = append(found, r)
	}
	measured, kept := judge(found)
	return budget{promise, measured, kept}
}

// printBudgets prints a line for each budget and reports whether all are kept.
func printBudgets(out io.Writer, budgets []budget) bool {
	missed := 0
	for _, b := range budgets {
		verdict := "ok    "
		if !b.kept {
			verdict = "MISSED"
			missed++
		}
		fmt.Fprintf(out, "%s  %s (%s)\n", verdict, b.promise, b.measured)
	}
	fmt.Fprintf(out, "%d budgets, %d missed\n", len(budgets), missed)
	return missed == 0
}
