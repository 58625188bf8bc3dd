package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/asidehq/aside/internal/store/pgtest"
)

// postgres is the server of all tests: each has a database of its own there.
var postgres pgtest.Shared

// TestMain puts this program on the PATH, as aside, for the scripts and for the
// tests that need a process of their own.
func TestMain(m *testing.M) {
	testscript.Main(postgres.Around(m), map[string]func(){"aside": main})
}

// With the race detector every process waits a second before it exits, in case a
// goroutine is still up to something. Ours have none.
const noWaitAtExit = "GORACE=atexit_sleep_ms=0"

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, noWaitAtExit)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fails":  fails,
			"failed": wasFailed,
		},
		RequireExplicitExec: true,
	})
}

// fails is a command of the scripts: it runs a program, which must print nothing
// but one line on standard error and exit with the code for failures.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: fails program [args...]")
	}
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailure {
		ts.Fatalf("ended with %v, want exit code %d", err, exitFailure)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("printed %q on standard output", out)
	}
	if message := ts.ReadFile("stderr"); !oneLine(message) {
		ts.Fatalf("the message is not one line: %q", message)
	}
}

// wasFailed is a command of the scripts: it runs a program, which must say on one line
// of standard error why it failed, and exit with the code for what was tried in vain.
func wasFailed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: failed program [args...]")
	}
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		ts.Fatalf("ended with %v, want exit code %d", err, exitFailed)
	}
	if message := ts.ReadFile("stderr"); !oneLine(message) {
		ts.Fatalf("the message is not one line: %q", message)
	}
}

func oneLine(s string) bool {
	return strings.HasSuffix(s, "\n") && strings.Count(s, "\n") == 1
}

// process runs aside as a process of its own, which ends with the test at the
// latest: a test that waits in vain fails instead of hanging.
func process(t *testing.T, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "aside", args...)
	cmd.Env = append(os.Environ(), noWaitAtExit)
	return cmd
}

func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
	}{
		{"the result cannot be written", []string{"extract"}},
		{"an event cannot be written", []string{"extract", "--events"}},
		{"an event cannot be written while the reply still comes in", []string{"extract", "--events", "--chunk", "1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			read.Close()
			var message strings.Builder
			cmd := process(t, test.args...)
			cmd.Stdin = strings.NewReader("Hello there.")
			cmd.Stdout = write
			cmd.Stderr = &message
			err = cmd.Run()
			write.Close()

			// ExitCode is -1 for a process that was ended by a signal.
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitFailure {
				t.Errorf("ended with %v, want exit code %d", err, exitFailure)
			}
			if got := message.String(); !strings.HasPrefix(got, "aside extract: ") || !strings.Contains(got, "broken pipe") || !oneLine(got) {
				t.Errorf("said %q", got)
			}
		})
	}
}

func TestEventsAreShownWhileTheReplyStillComesIn(t *testing.T) {
	t.Parallel()
	cmd := process(t, "extract", "--events", "--chunk", "4096")
	reply, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	steps := []struct {
		write string
		want  string // the line that must be there before anything else is written
	}{
		{"Looking.", `{"event":"text","position":0,"text":"Looking."}`},
		{" [SEARCH:Oslo]", `{"event":"action","dialect":"signals","position":9,"type":"SEARCH","args":{"argument":"Oslo"},"raw":"[SEARCH:Oslo]"}`},
	}
	for _, step := range steps {
		if _, err := io.WriteString(reply, step.write); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() {
			t.Fatalf("no event after %q: %v", step.write, lines.Err())
		}
		if lines.Text() != step.want {
			t.Errorf("after %q came\n%s\nwant\n%s", step.write, lines.Text(), step.want)
		}
	}
	reply.Close()
	for lines.Scan() {
		t.Errorf("unexpected event at the end: %s", lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
