//go:build unix

package command

import (
	"os"
	"os/exec"
	"syscall"
)

// alone makes the program the first of a process group of its own, which everything
// that it starts belongs to as well.
func alone(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the program and everything in its group. It is too late for a program
// that has ended by itself, which is an error that means nothing.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
