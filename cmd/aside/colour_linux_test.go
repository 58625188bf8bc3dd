package main

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal opens a pseudo-terminal: what is written to the second can be read from
// the first.
func openTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("NOT TESTED: this machine has no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return screen, terminal
}

func TestColoursAreForTerminalsThatWantThem(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		env  []string
		want bool
	}{
		{"a terminal", []string{"NO_COLOR=", "TERM=xterm"}, true},
		{"a terminal without colours", []string{"NO_COLOR=1", "TERM=xterm"}, false},
		{"a dumb terminal", []string{"NO_COLOR=", "TERM=dumb"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			screen, terminal := openTerminal(t)
			cmd := process(t, "doctor", "--offline")
			cmd.Dir, cmd.Stdout = t.TempDir(), terminal
			cmd.Env = append(cmd.Env, test.env...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			terminal.Close()
			shown, err := io.ReadAll(screen)
			if err != nil && !errors.Is(err, syscall.EIO) { // which is how it ends
				t.Error(err)
			}
			_ = cmd.Wait() // whether port 8787 is free here does not matter
			if got := strings.Contains(string(shown), "\x1b[32m✓\x1b[0m configuration: "); got != test.want || !strings.Contains(string(shown), " configuration: ") {
				t.Errorf("shown is %q", shown)
			}
		})
	}
}
