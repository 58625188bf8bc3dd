//go:build unix

package main

import (
	"os"
	"syscall"
)

// ownGroup keeps a ^C in the terminal from the program, which is stopped by us; and
// has strace and what it traces in one group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// terminate asks a process and its group to end.
func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }
