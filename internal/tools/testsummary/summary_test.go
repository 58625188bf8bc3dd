package main

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	tests := []struct {
		name  string
		input string
		want  string
		ok    bool
	}{
		{
			name: "a passing package is one line and the counts",
			input: `
{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"--- PASS: TestA (0.00s)\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.01s\n"}
{"Action":"pass","Package":"p"}`,
			want: "ok  \tp\t0.01s\n1 passed, 0 failed, 0 skipped\n",
			ok:   true,
		},
		{
			name: "a failing test shows all it printed, once",
			input: `
{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:7: got 1, want 2\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"FAIL\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.01s\n"}
{"Action":"fail","Package":"p"}`,
			want: "    a_test.go:7: got 1, want 2\n--- FAIL: TestA (0.00s)\nFAIL\tp\t0.01s\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a test with subtests counts as its subtests",
			input: `
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"pass","Package":"p","Test":"TestA/one"}
{"Action":"run","Package":"p","Test":"TestA/two"}
{"Action":"output","Package":"p","Test":"TestA/two","Output":"    --- FAIL: TestA/two (0.00s)\n"}
{"Action":"fail","Package":"p","Test":"TestA/two"}
{"Action":"output","Package":"p","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}`,
			want: "    --- FAIL: TestA/two (0.00s)\n--- FAIL: TestA (0.00s)\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a test that fails although its subtests pass counts as failed",
			input: `
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"pass","Package":"p","Test":"TestA/one"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}`,
			want: "1 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a slash in the name of a subtest does not make it two",
			input: `
{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/reads_<a/>"}
{"Action":"pass","Package":"p","Test":"TestA/reads_<a/>"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}`,
			want: "1 passed, 0 failed, 0 skipped\n",
			ok:   true,
		},
		{
			name: "a skipped test is listed with its reason and does not fail the run",
			input: `
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:9: needs chromium\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p"}`,
			want: "SKIPPED p TestB: b_test.go:9: needs chromium\n1 passed, 0 failed, 1 skipped\n",
			ok:   true,
		},
		{
			name: "a skip without a reason says so",
			input: `
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"run","Package":"p","Test":"TestB/sub"}
{"Action":"output","Package":"p","Test":"TestB/sub","Output":"    --- SKIP: TestB/sub (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB/sub"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p"}`,
			want: "SKIPPED p TestB/sub: no reason given\n1 passed, 0 failed, 1 skipped\n",
			ok:   true,
		},
		{
			name: "a run of skipped tests only has tested nothing",
			input: `
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}`,
			want: "SKIPPED p TestA: no reason given\nFAIL: no test ran\n0 passed, 0 failed, 1 skipped\n",
		},
		{
			name: "a package without test files is shown and is not a skipped test",
			input: `
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}
{"Action":"output","Package":"q","Output":"?   \tq\t[no test files]\n"}
{"Action":"skip","Package":"q"}`,
			want: "?   \tq\t[no test files]\n1 passed, 0 failed, 0 skipped\n",
			ok:   true,
		},
		{
			name: "a package that does not compile is a failure, with the compiler's words",
			input: `
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}
{"ImportPath":"q","Action":"build-output","Output":"q/q.go:3:1: undefined: x\n"}
{"ImportPath":"q","Action":"build-fail"}
{"Action":"start","Package":"q"}
{"Action":"output","Package":"q","Output":"FAIL\tq [build failed]\n"}
{"Action":"fail","Package":"q","FailedBuild":"q"}`,
			want: "q/q.go:3:1: undefined: x\nFAIL\tq [build failed]\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a package that exits before its tests end is a failure",
			input: `
{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Output":"no database\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.01s\n"}
{"Action":"fail","Package":"p"}`,
			want: "no database\nFAIL\tp\t0.01s\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a test that never ended is a failure",
			input: `
{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/slow"}
{"Action":"output","Package":"p","Test":"TestA/slow","Output":"    a_test.go:3: waiting\n"}`,
			want: "    a_test.go:3: waiting\nFAIL\tp TestA/slow\tnot finished\nFAIL\tp TestA\tnot finished\nFAIL\tp\tnot finished\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name:  "no output at all is a failure",
			input: "",
			want:  "FAIL: no test ran\n0 passed, 0 failed, 0 skipped\n",
		},
		{
			name: "lines that are not from test2json are passed on",
			input: `
go: downloading example.com/x v1.0.0
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}`,
			want: "go: downloading example.com/x v1.0.0\n1 passed, 0 failed, 0 skipped\n",
			ok:   true,
		},
		{
			name: "the same test run twice counts twice",
			input: `
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}`,
			want: "2 passed, 0 failed, 0 skipped\n",
			ok:   true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			s := newSummary(&out)
			if err := s.read(strings.NewReader(strings.TrimPrefix(test.input, "\n"))); err != nil {
				t.Fatal(err)
			}
			if ok := s.close(); ok != test.ok {
				t.Errorf("all is well = %v, want %v", ok, test.ok)
			}
			if out.String() != test.want {
				t.Errorf("printed\n%s\nwant\n%s", out.String(), test.want)
			}
		})
	}
}
