//go:build !unix

package main

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// terminate ends a process: it cannot be asked to.
func terminate(p *os.Process) { _ = p.Kill() }
