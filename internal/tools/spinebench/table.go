package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A row is one line of the table.
type row struct {
	what     string
	measured string
	budget   string // "" where there is none
	verdict  string // "" where there is none, because of that or of nothing measured
}

const (
	kept   = "ok"
	broken = "MISSED"
)

// known is a row without a budget.
func known(what, measured string) row { return row{what: what, measured: measured} }

// unmeasured is a row for what cannot be measured here.
func unmeasured(what, budget, why string) row {
	return row{what: what, measured: "not measured: " + why, budget: budget}
}

// atMost is a row whose value must not exceed the limit.
func atMost[N ~int64 | ~float64](what string, value, limit N, text func(N) string) row {
	return judged(row{what: what, measured: text(value), budget: "≤ " + text(limit)}, value <= limit)
}

// atLeast is a row whose value must reach the limit.
func atLeast[N ~int64 | ~float64](what string, value, limit N, text func(N) string) row {
	return judged(row{what: what, measured: text(value), budget: "≥ " + text(limit)}, value >= limit)
}

func judged(r row, ok bool) row {
	r.verdict = broken
	if ok {
		r.verdict = kept
	}
	return r
}

func milliseconds(d time.Duration) string {
	return shortest(d.Seconds()*1000) + " ms"
}

// both are the two percentiles that tell what is usual and what is bad.
func both(d []time.Duration) string {
	return milliseconds(median(d)) + " / " + milliseconds(percentile(d, 99))
}

func perSecond(n float64) string { return shortest(n) + "/s" }

func megabytes(bytes int64) string { return shortest(float64(bytes)/1e6) + " MB" }

func count(n float64) string { return shortest(n) }

// shortest writes a number with one digit behind the point, two if it is small, and
// none that say nothing.
func shortest(n float64) string {
	digits := 1
	if n < 10 {
		digits = 2
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'f', digits, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

func printTable(out io.Writer, rows []row) {
	head := row{what: "what", measured: "measured", budget: "budget"}
	var what, measured, budget int
	for _, r := range append([]row{head}, rows...) {
		what = max(what, utf8.RuneCountInString(r.what))
		measured = max(measured, utf8.RuneCountInString(r.measured))
		budget = max(budget, utf8.RuneCountInString(r.budget))
	}
	fmt.Fprintf(out, "%-*s  %*s  %*s\n", what, head.what, measured, head.measured, budget, head.budget)
	for _, r := range rows {
		line := fmt.Sprintf("%-*s  %*s  %*s  %s", what, r.what, measured, r.measured, budget, r.budget, r.verdict)
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

func missed(rows []row) int {
	n := 0
	for _, r := range rows {
		if r.verdict == broken {
			n++
		}
	}
	return n
}

func withBudget(rows []row) int {
	n := 0
	for _, r := range rows {
		if r.verdict != "" {
			n++
		}
	}
	return n
}
