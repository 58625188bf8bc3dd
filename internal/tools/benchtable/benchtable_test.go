package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	tests := []struct {
		name    string
		input   string
		want    results
		wantErr string
	}{
		{
			name: "other lines are passed over",
			input: "goos: linux\npkg: example.com/x\n" +
				"BenchmarkWhole/2k-8  1000  512 ns/op  4000.50 MB/s  16 B/op  2 allocs/op\nPASS\nok  \texample.com/x\t1.2s\n",
			want: results{{"Whole/2k", 4000.5, 2}},
		},
		{
			name:  "a name may lack the number of processors and contain dashes",
			input: "BenchmarkHostile/unclosed-block/whole  1  5 ns/op  10.00 MB/s  0 B/op  0 allocs/op\n",
			want:  results{{"Hostile/unclosed-block/whole", 10, 0}},
		},
		{
			name: "of three runs the median counts, for each number by itself",
			input: "BenchmarkProse-2  1  5 ns/op  300.00 MB/s  0 B/op  0 allocs/op\n" +
				"BenchmarkProse-2  1  5 ns/op  10.00 MB/s  0 B/op  7 allocs/op\n" +
				"BenchmarkProse-2  1  5 ns/op  310.00 MB/s  0 B/op  1 allocs/op\n",
			want: results{{"Prose", 300, 1}},
		},
		{
			name: "of two runs the middle counts",
			input: "BenchmarkProse-2  1  5 ns/op  300.00 MB/s  0 B/op  0 allocs/op\n" +
				"BenchmarkProse-2  1  5 ns/op  200.00 MB/s  0 B/op  0 allocs/op\n",
			want: results{{"Prose", 250, 0}},
		},
		{
			name:    "a benchmark without its speed is an error",
			input:   "BenchmarkProse-2  1  5 ns/op  0 B/op  0 allocs/op\n",
			wantErr: "no MB/s in",
		},
		{
			name:    "a benchmark without its allocations is an error",
			input:   "BenchmarkProse-2  1  5 ns/op  10 MB/s\n",
			wantErr: "run with -benchmem",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := read(strings.NewReader(test.input))
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Fatalf("error %v, want one with %q", err, test.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("read %v, want %v", got, test.want)
			}
		})
	}
}

// good keeps every budget; the tests make one of its numbers worse.
func good() results {
	return results{
		{"Copy/2k", 40000, 0},
		{"Copy/20k", 30000, 0},
		{"Copy/200k", 20000, 0},
		{"Whole/2k", 2400, 9},
		{"Whole/20k", 2500, 9},
		{"Whole/200k", 2000, 9},
		{"Chunks/4", 200, 9},
		{"Chunks4/2k", 240, 9},
		{"Chunks4/200k", 200, 9},
		{"Prose", 400, 0},
		{"Hostile/angle/whole", 125, 0},
		{"Hostile/angle/chunks4", 20, 0},
		{"Hostile/angle/long", 125, 0},
	}
}

func TestBudgets(t *testing.T) {
	tests := []struct {
		name   string
		change result // replaces the result of its name
		drop   string // the result to leave out
		missed string // the one line that says MISSED; "" if none should
	}{
		{name: "all kept, if only just"},
		{
			name:   "a slow whole reply",
			change: result{"Whole/20k", 1999, 9},
			missed: "MISSED  a whole 20 KB reply: at least 2 GB/s (2.00 GB/s)\nMISSED  a whole 20 KB reply: at least 1/15 of copy (1/15.0)",
		},
		{
			name:   "a whole reply that is slow for this machine",
			change: result{"Copy/20k", 50000, 0},
			missed: "MISSED  a whole 20 KB reply: at least 1/15 of copy (1/20.0)",
		},
		{
			name:   "slow chunks",
			change: result{"Chunks/4", 150, 9},
			missed: "MISSED  20 KB in 4-byte chunks: at least 200 MB/s (150 MB/s)",
		},
		{
			name:   "prose that allocates",
			change: result{"Prose", 400, 1},
			missed: "MISSED  prose: no allocation (1 allocs/op)",
		},
		{
			name:   "chunks that cost more in a longer reply",
			change: result{"Chunks4/200k", 120, 9},
			missed: "MISSED  4-byte chunks, a byte of 200 KB against one of 2 KB: at most 1.2 times (2.00 times)",
		},
		{
			name:   "a whole reply that costs more if it is longer",
			change: result{"Whole/200k", 1200, 9},
			missed: "MISSED  whole, a byte of 200 KB against one of 2 KB: at most 1.2 times (2.00 times)",
		},
		{
			name:   "hostile input that costs much more than prose",
			change: result{"Hostile/angle/chunks4", 10, 0},
			missed: "MISSED  Hostile/angle/chunks4 against prose: at most 20 times (40.00 times)",
		},
		{
			name:   "hostile input that costs more the longer it is",
			change: result{"Hostile/angle/long", 50, 0},
			missed: "MISSED  Hostile/angle/long against a tenth of it: at most 2 times (2.50 times)",
		},
		{
			name:   "hostile input too slow to measure",
			change: result{"Hostile/angle/chunks4", 0, 0},
			missed: "MISSED  Hostile/angle/chunks4 against prose: at most 20 times (+Inf times)",
		},
		{
			name:   "a benchmark that did not run",
			drop:   "Chunks/4",
			missed: "MISSED  20 KB in 4-byte chunks: at least 200 MB/s (Chunks/4 was not measured)",
		},
		{
			name:   "no hostile input at all",
			drop:   "Hostile/",
			missed: "MISSED  hostile input against prose (Hostile was not measured)",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var rs results
			for _, r := range good() {
				if r.name == test.change.name {
					r = test.change
				}
				if test.drop == "" || !strings.HasPrefix(r.name, test.drop) {
					rs = append(rs, r)
				}
			}
			var out strings.Builder
			kept := printBudgets(&out, check(rs))
			var missed []string
			for line := range strings.Lines(out.String()) {
				if strings.HasPrefix(line, "MISSED") {
					missed = append(missed, strings.TrimSpace(line))
				}
			}
			if got := strings.Join(missed, "\n"); got != test.missed {
				t.Errorf("missed\n%s\nwant\n%s", got, test.missed)
			}
			if kept != (test.missed == "") {
				t.Errorf("kept = %v", kept)
			}
			if last := fmt.Sprintf(", %d missed\n", len(missed)); !strings.HasSuffix(out.String(), last) {
				t.Errorf("the last line does not end in %q:\n%s", last, out.String())
			}
		})
	}
}

func TestTableComparesWithCopyOfTheSameSize(t *testing.T) {
	var out strings.Builder
	printTable(&out, results{
		{"Copy/2k", 40000, 0},
		{"Copy/20k", 30000, 0},
		{"Whole/2k", 4000, 3},
		{"Hostile/angle/whole", 300, 0},
	})
	want := "" +
		"benchmark                MB/s   ns/byte   of copy  allocs/op\n" +
		"Copy/2k                 40000     0.025     1/1.0          0\n" +
		"Copy/20k                30000     0.033     1/1.0          0\n" +
		"Whole/2k                 4000     0.250    1/10.0          3\n" +
		"Hostile/angle/whole       300     3.333   1/100.0          0\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
}
