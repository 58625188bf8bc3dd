//go:build unix

package pgtest

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// watchdogScript waits for the end of its input, which comes when the test process
// closes it or is gone, however that happened. Then it ends what is left of the server
// and removes the directory $1.
//
// The server's processes are in the watchdog's process group, so signalling the group
// cannot hit a process that has since got the number of one of them. SIGQUIT makes
// postgres stop at once and initdb give up. Until they have, they may put a file where
// rm has already been, so rm is tried again. A server that was killed leaves a segment
// of shared memory; line 7 of its pid file ends with the segment's number.
const watchdogScript = `
trap '' HUP INT QUIT TERM
read -r _
kill -QUIT 0
segment=$(sed -n '7s/.* //p' "$1/data/postmaster.pid" 2>/dev/null)
[ -z "$segment" ] || ipcrm -m "$segment"
tries=0
until rm -rf "$1"; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || exit 1
	sleep 0.1
done
`

// A watchdog outlives the test process for as long as it takes to clean up after it.
type watchdog struct {
	cmd       *exec.Cmd
	input     io.Closer
	directory string
}

// startWatchdog starts the watchdog of directory, in a process group of its own: a ^C
// in the terminal is meant for the tests and does not reach it or the server.
func startWatchdog(directory string) (*watchdog, error) {
	// It gets none of the test's outputs: go test would wait for it to close them.
	cmd := exec.Command("/bin/sh", "-c", watchdogScript, "pgtest-watchdog", directory)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the watchdog of PostgreSQL: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the watchdog of PostgreSQL: %w", err)
	}
	return &watchdog{cmd: cmd, input: input, directory: directory}, nil
}

// group is the process group that the server's processes have to be in.
func (w *watchdog) group() int { return w.cmd.Process.Pid }

// release lets the watchdog do its work and waits until it has.
func (w *watchdog) release() error {
	_ = w.input.Close()
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("remove the files of PostgreSQL in %s: %w", w.directory, err)
	}
	return nil
}
