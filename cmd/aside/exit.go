package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/asidehq/aside/internal/config"
)

// Exit codes, as docs/commands.md tells them.
const (
	exitFailed  = 1 // what was asked for was tried, and the answer is no
	exitFailure = 2 // the command line or the configuration is wrong; all that goes wrong in run, extract and config
)

// failed is an error of a command that was understood.
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }

// failing makes the errors of a command count as failed. A configuration that cannot
// be read is as wrong as a flag.
func failing(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		var wrong config.Problems
		if err == nil || errors.As(err, &wrong) {
			return err
		}
		return failed{err}
	}
}

// exitCode is the code that an error ends the program with.
func exitCode(err error) int {
	var f failed
	switch {
	case err == nil:
		return 0
	case errors.As(err, &f):
		return exitFailed
	}
	return exitFailure
}
