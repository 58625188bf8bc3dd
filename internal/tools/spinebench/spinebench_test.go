package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100 - i) // not in order
	}
	tests := []struct {
		name    string
		values  []time.Duration
		percent float64
		want    time.Duration
	}{
		{"of nothing", nil, 50, 0},
		{"of one value", []time.Duration{7}, 99, 7},
		{"the middle of three", []time.Duration{9, 1, 5}, 50, 5},
		{"the lower middle of four", []time.Duration{4, 3, 2, 1}, 50, 2},
		{"p50 of a hundred", hundred, 50, 50},
		{"p99 of a hundred leaves one out", hundred, 99, 99},
		{"p100 is the largest", hundred, 100, 100},
		{"p0 is the smallest", hundred, 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := slices.Clone(test.values)
			if got := percentile(test.values, test.percent); got != test.want {
				t.Errorf("percentile = %d, want %d", got, test.want)
			}
			if !slices.Equal(before, test.values) {
				t.Error("the values were put into another order")
			}
		})
	}
}

func TestRows(t *testing.T) {
	tests := []struct {
		name                      string
		row                       row
		measured, budget, verdict string
	}{
		{"below a limit", atMost("x", 4*time.Millisecond, 5*time.Millisecond, milliseconds), "4 ms", "≤ 5 ms", "ok"},
		{"exactly at a limit", atMost("x", 5*time.Millisecond, 5*time.Millisecond, milliseconds), "5 ms", "≤ 5 ms", "ok"},
		{"above a limit", atMost("x", 5120*time.Microsecond, 5*time.Millisecond, milliseconds), "5.12 ms", "≤ 5 ms", "MISSED"},
		{"above a limit by less than is written", atMost("x", 15_000_001, 15*time.Millisecond, milliseconds), "15 ms", "≤ 15 ms", "MISSED"},
		{"enough", atLeast("x", 300.0, 300, perSecond), "300/s", "≥ 300/s", "ok"},
		{"not enough", atLeast("x", 99.44, 300, perSecond), "99.4/s", "≥ 300/s", "MISSED"},
		{"memory that shrank", atMost("x", int64(-2_500_000), 5e6, megabytes), "-2.5 MB", "≤ 5 MB", "ok"},
		{"without a budget", known("x", "1 / 2"), "1 / 2", "", ""},
		{"not measured", unmeasured("x", "≤ 8", "strace is missing"), "not measured: strace is missing", "≤ 8", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if r := test.row; r.measured != test.measured || r.budget != test.budget || r.verdict != test.verdict {
				t.Errorf("row %q, %q, %q; want %q, %q, %q", r.measured, r.budget, r.verdict, test.measured, test.budget, test.verdict)
			}
		})
	}
}

func TestTable(t *testing.T) {
	rows := []row{
		known("one flush", "0.11 ms / 9.75 ms"),
		atMost("memory", int64(24_200_000), 40e6, megabytes),
		atLeast("messages per second", 99.4, 300, perSecond),
		unmeasured("flushes", "≤ 8", "no"),
	}
	var out strings.Builder
	printTable(&out, rows)
	want := "" +
		"what                          measured   budget\n" +
		"one flush            0.11 ms / 9.75 ms\n" +
		"memory                         24.2 MB  ≤ 40 MB  ok\n" +
		"messages per second             99.4/s  ≥ 300/s  MISSED\n" +
		"flushes               not measured: no      ≤ 8\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	if missed(rows) != 1 || withBudget(rows) != 2 {
		t.Errorf("%d of %d budgets missed, want 1 of 2", missed(rows), withBudget(rows))
	}
}

func TestResident(t *testing.T) {
	tests := []struct {
		name    string
		status  string
		want    int64
		wantErr string
	}{
		{"among other lines", "Name:\taside\nVmHWM:\t   40000 kB\nVmRSS:\t   24200 kB\nThreads:\t9\n", 24200 * 1024, ""},
		{"of a process that has ended", "Name:\taside\nState:\tZ (zombie)\n", 0, "no line VmRSS"},
		{"in another unit", "VmRSS:\t24 MB\n", 0, "kB"},
		{"without a number", "VmRSS:\tmuch kB\n", 0, "kB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := resident(test.status)
			if got != test.want || (err == nil) != (test.wantErr == "") || err != nil && !strings.Contains(err.Error(), test.wantErr) {
				t.Errorf("resident = %d, %v; want %d, %q", got, err, test.want, test.wantErr)
			}
		})
	}
}

func TestCountFlushes(t *testing.T) {
	tests := []struct {
		name string
		log  string
		want int
	}{
		{"nothing", "", 0},
		{"both kinds, with and without the thread's number", "812  fsync(7) = 0\n812  fdatasync(9)  = 0\nfsync(3) = 0\n", 3},
		{"one that was interrupted counts once", "812  fsync(7 <unfinished ...>\n813  fdatasync(9) = 0\n812  <... fsync resumed>)  = 0\n", 2},
		{"signals and ends are none", "812  --- SIGURG {si_signo=SIGURG, si_code=SI_TKILL} ---\n812  +++ exited with 0 +++\n", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := countFlushes(test.log); got != test.want {
				t.Errorf("counted %d, want %d", got, test.want)
			}
		})
	}
}

func TestFollow(t *testing.T) {
	stream := "retry: 1000\nid: 4\n\n" +
		"id: 5\nevent: post\ndata: {\"kind\":\"person\",\"text\":\"hello\"}\n\n" +
		"event: typing\ndata: {\"room\":\"one\"}\n\n" +
		"id: 6\nevent: post\ndata: {\"kind\":\"agent\",\"text\":\"You wrote\"}\n\n: still here\n\n" +
		"id: 7\nevent: edit\ndata: {\"kind\":\"agent\",\"text\":\"You wrote hello\"}\n\n" +
		"id: 8\nevent: settled\ndata: {\"message\":\"k1\",\"turn\":3}\n\n"
	var got []string
	follow(strings.NewReader(stream), func(text string) { got = append(got, text) })
	if want := []string{"You wrote", "You wrote hello"}; !slices.Equal(got, want) {
		t.Errorf("the agent said %q, want %q", got, want)
	}
}
