package main

import (
	"fmt"
	"io"
	"strings"
)

// defaultSize is what a benchmark reads if its name does not say.
const defaultSize = "20k"

// size is the last part of a benchmark's name if Copy was measured at that size.
func (rs results) size(name string) string {
	last := name[strings.LastIndexByte(name, '/')+1:]
	if _, ok := rs.find("Copy/" + last); ok {
		return last
	}
	return defaultSize
}

func printTable(out io.Writer, rs results) {
	width := len("benchmark")
	for _, r := range rs {
		width = max(width, len(r.name))
	}
	fmt.Fprintf(out, "%-*s %9s %9s %9s %10s\n", width, "benchmark", "MB/s", "ns/byte", "of copy", "allocs/op")
	for _, r := range rs {
		ratio := "?"
		if copied, ok := rs.find("Copy/" + rs.size(r.name)); ok {
			ratio = fmt.Sprintf("1/%.1f", copied.mbs/r.mbs)
		}
		fmt.Fprintf(out, "%-*s %9.0f %9.3f %9s %10.0f\n", width, r.name, r.mbs, r.nsPerByte(), ratio, r.allocs)
	}
}
