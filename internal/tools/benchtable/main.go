// Benchtable reads the output of the extract package's benchmarks on standard
// input, prints it as a table and checks the budgets.
//
//	go test -run '^$' -bench . -benchmem -count 3 ./extract | benchtable
//
// Where a benchmark ran several times the median counts. It exits with 1 if a
// budget is missed, or could not be checked because its benchmark is missing.
package main

import (
	"fmt"
	"os"
)

func main() {
	results, err := read(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchtable: read the benchmarks:", err)
		os.Exit(1)
	}
	printTable(os.Stdout, results)
	fmt.Println()
	if !printBudgets(os.Stdout, check(results)) {
		os.Exit(1)
	}
}
