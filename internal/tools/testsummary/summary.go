package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// An event is one line of go test -json; "go doc test2json" describes it.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// A test is known by its package and its name; the package itself has the name "".
type test struct {
	pkg, name string
}

// A state is what is known of a test or a package that has not ended yet.
type state struct {
	output   []string
	children bool // something in it was started
	failed   bool // something in it failed
}

type skip struct {
	test   test
	reason string
}

type summary struct {
	out                     io.Writer
	open                    map[test]*state
	skips                   []skip
	passed, failed, skipped int
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, open: map[test]*state{}}
}

func (s *summary) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			s.line(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) line(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		// Not from test2json: go itself has something to say.
		s.out.Write(append(bytes.TrimRight(line, "\n"), '\n'))
		return
	}
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		io.WriteString(s.out, e.Output)
	case "start", "run":
		s.state(t)
	case "output":
		st := s.state(t)
		st.output = append(st.output, e.Output)
	case "pass", "fail", "skip":
		st := s.state(t)
		delete(s.open, t)
		if t.name == "" {
			s.endPackage(e.Action, st)
		} else {
			s.endTest(e.Action, t, st)
		}
	}
}

// state finds what is known of t, noting in its parent that it was started.
func (s *summary) state(t test) *state {
	if st, ok := s.open[t]; ok {
		return st
	}
	st := &state{}
	s.open[t] = st
	if t.name != "" {
		s.parent(t).children = true
	}
	return st
}

// parent finds the test that t is a subtest of, or its package. Which slash of a
// name is the last one between tests only the tests that were started can tell: a
// name may have slashes of its own.
func (s *summary) parent(t test) *state {
	for name := t.name; ; {
		name = name[:max(0, strings.LastIndexByte(name, '/'))]
		if st, ok := s.open[test{t.pkg, name}]; ok {
			return st
		}
		if name == "" {
			return s.state(test{t.pkg, ""})
		}
	}
}

// endTest counts a test once: one with subtests is counted through them, unless
// it came to something that none of them did.
func (s *summary) endTest(action string, t test, st *state) {
	switch action {
	case "pass":
		if !st.children {
			s.passed++
		}
	case "skip":
		s.skipped++
		s.skips = append(s.skips, skip{t, reason(st.output)})
	case "fail":
		s.parent(t).failed = true
		if !st.failed {
			s.failed++
		}
		s.printOutput(st)
	}
}

func (s *summary) endPackage(action string, st *state) {
	if action == "fail" {
		// Without a failed test it did not compile, or it ended before its tests did.
		if !st.failed {
			s.failed++
		}
		s.printOutput(st)
		return
	}
	for _, line := range st.output {
		if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") {
			io.WriteString(s.out, line)
		}
	}
}

func (s *summary) printOutput(st *state) {
	for _, line := range st.output {
		if !isProgress(line) {
			io.WriteString(s.out, line)
		}
	}
}

// isProgress tells the lines in which go test says what it is doing now. The lone
// FAIL comes before the line that says FAIL with the package.
func isProgress(line string) bool {
	return strings.HasPrefix(line, "=== ") || line == "FAIL\n" || line == "PASS\n"
}

// reason joins what a skipped test printed.
func reason(output []string) string {
	var words []string
	for _, line := range output {
		if !isProgress(line) && !strings.HasPrefix(strings.TrimSpace(line), "--- SKIP") {
			words = append(words, strings.Fields(line)...)
		}
	}
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, " ")
}

// close prints the end of the summary and reports whether all is well.
func (s *summary) close() bool {
	s.endUnfinished()
	for _, skip := range s.skips {
		fmt.Fprintf(s.out, "SKIPPED %s %s: %s\n", skip.test.pkg, skip.test.name, skip.reason)
	}
	none := s.passed+s.failed == 0
	if none {
		fmt.Fprintln(s.out, "FAIL: no test ran")
	}
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.skipped)
	return s.failed == 0 && !none
}

// endUnfinished fails what was started and never ended, which happens when go
// test itself is stopped. Subtests come before their tests, these before their
// package, so that each failure is counted once.
func (s *summary) endUnfinished() {
	var tests []test
	for t := range s.open {
		tests = append(tests, t)
	}
	slices.SortFunc(tests, func(a, b test) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(b.name, a.name))
	})
	for _, t := range tests {
		st := s.open[t]
		delete(s.open, t)
		s.printOutput(st)
		if !st.failed {
			s.failed++
		}
		if t.name != "" {
			s.parent(t).failed = true
		}
		fmt.Fprintf(s.out, "FAIL\t%s\tnot finished\n", strings.TrimSpace(t.pkg+" "+t.name))
	}
}
