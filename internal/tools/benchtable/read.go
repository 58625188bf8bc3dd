package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A result is what one benchmark came to, the median of its runs.
type result struct {
	name   string  // without "Benchmark" and the number of processors
	mbs    float64 // megabytes per second
	allocs float64 // allocations per operation
}

// nsPerByte is infinite for a benchmark too slow to have a speed.
func (r result) nsPerByte() float64 { return 1000 / r.mbs }

// results are in the order in which the benchmarks ran.
type results []result

func (rs results) find(name string) (result, bool) {
	i := slices.IndexFunc(rs, func(r result) bool { return r.name == name })
	if i < 0 {
		return result{}, false
	}
	return rs[i], true
}

// processors is the suffix go test adds to names unless GOMAXPROCS is 1.
var processors = regexp.MustCompile(`-\d+$`)

func read(in io.Reader) (results, error) {
	var names []string
	runs := map[string][]result{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		r, ok, err := parse(lines.Text())
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if runs[r.name] == nil {
			names = append(names, r.name)
		}
		runs[r.name] = append(runs[r.name], r)
	}
	var rs results
	for _, name := range names {
		rs = append(rs, result{
			name:   name,
			mbs:    median(runs[name], func(r result) float64 { return r.mbs }),
			allocs: median(runs[name], func(r result) float64 { return r.allocs }),
		})
	}
	return rs, lines.Err()
}

// parse reads one line such as
//
//	BenchmarkWhole/2k-8   1000   512 ns/op   4000.00 MB/s   0 B/op   0 allocs/op
//
// and reports whether it is one.
func parse(line string) (r result, ok bool, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return result{}, false, nil
	}
	measured := map[string]float64{}
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return result{}, false, fmt.Errorf("%q is not a number in %q", fields[i], line)
		}
		measured[fields[i+1]] = value
	}
	for _, unit := range []string{"MB/s", "allocs/op"} {
		if _, ok := measured[unit]; !ok {
			return result{}, false, fmt.Errorf("no %s in %q; run with -benchmem, and let the benchmark call SetBytes", unit, line)
		}
	}
	name := processors.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
	return result{name: name, mbs: measured["MB/s"], allocs: measured["allocs/op"]}, true, nil
}

func median(runs []result, value func(result) float64) float64 {
	var values []float64
	for _, r := range runs {
		values = append(values, value(r))
	}
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 0 {
		return (values[middle-1] + values[middle]) / 2
	}
	return values[middle]
}
