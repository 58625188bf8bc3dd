//go:build linux || darwin

package chat

import "golang.org/x/sys/unix"

// Quiet keeps a terminal from showing what is typed while something is drawn; Ctrl-C
// still interrupts, and what was typed is there for the next line. It returns what
// takes that back.
func Quiet(terminal int) (loud func()) {
	before, err := unix.IoctlGetTermios(terminal, getTermios)
	if err != nil {
		return func() {}
	}
	quiet := *before
	quiet.Lflag &^= unix.ECHO
	if unix.IoctlSetTermios(terminal, setTermios, &quiet) != nil {
		return func() {}
	}
	return func() { _ = unix.IoctlSetTermios(terminal, setTermios, before) }
}
