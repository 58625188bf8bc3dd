//go:build !unix

package command

import (
	"os"
	"os/exec"
)

func alone(*exec.Cmd) {}

// kill ends the program. There are no process groups here; what it has started goes
// on by itself.
func kill(p *os.Process) { _ = p.Kill() }
