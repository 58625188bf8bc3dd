// Testsummary reads the output of go test -json on standard input and says in few
// words what came of it: go's own line for each package, all that a failing test
// printed, every skipped test with its reason, and at the end one line with the
// counts.
//
//	go test -json ./... | testsummary
//
// It exits with 1 if anything failed, and also if no test ran: a run that tests
// nothing must not look like a success.
package main

import (
	"fmt"
	"os"
)

func main() {
	s := newSummary(os.Stdout)
	if err := s.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testsummary: read the output of go test:", err)
		os.Exit(1)
	}
	if !s.close() {
		os.Exit(1)
	}
}
