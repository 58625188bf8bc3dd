// Aside runs chat agents whose replies act. This package is the program: a file
// for each command, and no logic that a package could have.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // an image with nothing but aside in it has no time zones
)

func main() {
	// Go ends a program whose standard output is a broken pipe with SIGPIPE, unless
	// the signal is asked for. Asked for rather than ignored: programs we start
	// would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteC()
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", command.CommandPath(), err)
	}
	return exitCode(err)
}
