//go:build unix

package pgtest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// endingVariable tells this test program to start a server and come to an end that
// leaves it no chance to stop it.
const endingVariable = "PGTEST_ENDING"

func endUncleanly(ending string) {
	if _, err := start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("started")
	switch ending {
	case "exit":
		os.Exit(0)
	case "panic":
		go panic("on purpose")
	}
	select {} // until the signal
}

func TestTheServerEndsWithItsTestProcess(t *testing.T) {
	tests := []struct {
		name   string
		ending string
		signal syscall.Signal
	}{
		{"that exits", "exit", 0},
		{"that panics in a goroutine", "panic", 0},
		// Not SIGINT: what a shell starts in the background ignores it.
		{"that is terminated", "signal", syscall.SIGTERM},
		{"that is killed", "signal", syscall.SIGKILL},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			temporary := openDirectory(t)
			cmd, output := startEnding(t, temporary, test.ending)
			line, err := output.ReadString('\n')
			if err != nil {
				t.Fatalf("the test process did not start its server: %v, %q", err, line)
			}
			// The ones that end by themselves may be gone with their server already.
			if test.signal != 0 {
				if !named(t, temporary) {
					t.Error("no process of the server to be seen while it runs")
				}
				if err := cmd.Process.Signal(test.signal); err != nil {
					t.Fatal(err)
				}
			}
			_ = cmd.Wait()
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if (test.signal != 0 || status.Signaled()) && status.Signal() != test.signal {
				t.Errorf("the test process ended in another way: %v", cmd.ProcessState)
			}
			awaitNothingLeft(t, temporary)
		})
	}

	t.Run("that is killed while the data directory is made", func(t *testing.T) {
		t.Parallel()
		temporary := openDirectory(t)
		cmd, _ := startEnding(t, temporary, "signal")
		await(t, "initdb at work", func() bool {
			found, _ := filepath.Glob(filepath.Join(temporary, "*", "data", "*"))
			return len(found) > 0
		})
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		awaitNothingLeft(t, temporary)
	})
}

// startEnding runs this program again, to come to the given end, with its temporary
// files in a directory where they can be counted.
func startEnding(t *testing.T, temporary, ending string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), endingVariable+"="+ending, "TMPDIR="+temporary)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(output)
}

// awaitNothingLeft waits until temporary is empty and no process works in it.
func awaitNothingLeft(t *testing.T, temporary string) {
	t.Helper()
	await(t, "an empty temporary directory", func() bool {
		entries, err := os.ReadDir(temporary)
		return err == nil && len(entries) == 0
	})
	await(t, "the end of all processes", func() bool { return !named(t, temporary) })
}

// named reports whether directory is in the command line of a process, as it is for
// initdb, postgres and the watchdog. The command line of a process that has ended is
// empty, even where nobody waits for orphans and they stay listed.
func named(t *testing.T, directory string) bool {
	t.Helper()
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		processes, err := exec.Command("ps", "-A", "-o", "args=").Output()
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(processes, []byte(directory))
	}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	return slices.ContainsFunc(files, func(file string) bool {
		// A process may end before its file is read.
		line, _ := os.ReadFile(file)
		return bytes.Contains(line, []byte(directory))
	})
}

func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !happened() {
		select {
		case <-again.C:
		case <-deadline.C:
			t.Fatalf("waited %v in vain for %s", patience, what)
		}
	}
}
