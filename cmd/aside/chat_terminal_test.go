//go:build linux || darwin

package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A typist sits at a terminal that runs aside chat.
type typist struct {
	t       *testing.T
	cmd     *exec.Cmd
	keys    *os.File
	home    string
	ended   chan struct{}
	mu      sync.Mutex
	seen    string
	read    int // how much of it was waited for
	changed chan struct{}
}

// sit starts aside chat at a terminal. A home of "" is a new one.
func sit(t *testing.T, home string, env []string, args ...string) *typist {
	t.Helper()
	if home == "" {
		home = t.TempDir()
	}
	y := &typist{t: t, home: home, ended: make(chan struct{}), changed: make(chan struct{}, 1)}
	y.cmd = process(t, append([]string{"chat"}, args...)...)
	y.cmd.Dir = t.TempDir()
	y.cmd.Env = append(append(y.cmd.Env, "HOME="+home, "XDG_STATE_HOME=", "USER=ada", "TERM=xterm", "NO_COLOR="), env...)
	var err error
	if y.keys, err = pty.StartWithSize(y.cmd, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(y.ended)
		for part := make([]byte, 4096); ; {
			n, err := y.keys.Read(part)
			// The prompt asks where the cursor is, as it would a real terminal.
			for range strings.Count(string(part[:n]), "\x1b[6n") {
				_, _ = y.keys.WriteString("\x1b[1;1R")
			}
			y.mu.Lock()
			y.seen += string(part[:n])
			y.mu.Unlock()
			select {
			case y.changed <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = y.cmd.Process.Kill()
		_ = y.cmd.Wait()
		y.keys.Close()
		<-y.ended
	})
	return y
}

// sees waits until a text is shown, behind what was waited for before, and returns
// what came up to its end.
func (y *typist) sees(text string) string {
	y.t.Helper()
	late := time.After(30 * time.Second)
	for {
		y.mu.Lock()
		rest := y.seen[y.read:]
		at := strings.Index(rest, text)
		if at >= 0 {
			y.read += at + len(text)
		}
		y.mu.Unlock()
		if at >= 0 {
			return rest[:at+len(text)]
		}
		select {
		case <-y.changed:
		case <-late:
			y.t.Fatalf("%q is not shown; there is %q", text, rest)
		}
	}
}

func (y *typist) types(keys string) {
	y.t.Helper()
	if _, err := io.WriteString(y.keys, keys); err != nil {
		y.t.Fatal(err)
	}
}

// asks waits for the prompt and types a line.
func (y *typist) asks(line string) {
	y.t.Helper()
	y.sees("> ")
	y.types(line + "\r")
	y.sees("\n")
}

// leaves waits for the end.
func (y *typist) leaves() {
	y.t.Helper()
	err := y.cmd.Wait()
	<-y.ended // everything was shown
	if err != nil {
		y.t.Errorf("it ended with %v after %q", err, y.seen)
	}
}

// writesSlowly is a step that says something, and ends when it was seen.
func writesSlowly(first, last string, seen <-chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		stream(w, first)
		for {
			select {
			case <-seen:
				stream(w, last)
				finish(w)
				return
			case <-r.Context().Done():
				return
			case <-time.After(10 * time.Millisecond):
				stream(w, " .") // what is shown is looked at again only when more comes
			}
		}
	}
}

func TestAConversationAtATerminal(t *testing.T) {
	t.Parallel()
	seen := make(chan struct{})
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{
		"slow":       {writesSlowly("Beginning", " finished", seen)},
		"act":        {says("<actions><react emoji=\"🎉\"/></actions>\nAs you wish.")},
		"evil":       {says("\x1b[2Jgone")},
		"two\nlines": {says("Two lines.")},
	}}
	v := startFaulty(t, m)
	y := sit(t, "", nil, "--config", v.config)
	y.sees("Talking to the Aside at " + v.url + ", in the room terminal. /help")
	y.asks("hello")
	y.sees("Answer to hello")

	y.asks("slow")
	y.sees("Beginning")
	close(seen) // shown while the reply was still being written
	y.sees("finished")

	y.asks("act")
	y.sees("As you wish.")
	y.sees("🎉 on your message")
	y.sees("✓ react: reacted with 🎉")

	y.asks("evil")
	if got := y.sees("gone"); strings.Contains(got, "\x1b[2J") || !strings.Contains(got, "␛[2Jgone") {
		t.Errorf("it shows %q", got)
	}

	y.asks("/details")
	y.sees("The reply as it was written:")
	y.sees("␛[2Jgone")
	y.sees("Post in web/terminal: delivered")

	y.asks("/help")
	y.sees("leave; so do Ctrl-D")

	y.asks(`two\`)
	y.sees("… ")
	y.types("lines\r")
	y.sees("Two lines.")

	y.asks("/room attic")
	y.sees("You are in the room attic.")
	y.asks("hello")
	y.sees("Answer to hello")
	y.asks("/room a/b")
	y.sees("✗ a room is 1 to 100 letters")

	// ↑ brings back what was typed.
	y.sees("> ")
	y.types("\x1b[A\x1b[A\r")
	y.sees("Answer to hello")
	y.asks("/quit")
	y.leaves()

	if n := len(v.entries("attic")); n != 4 {
		t.Errorf("%d entries stand in the attic", n)
	}
	history := filepath.Join(y.home, ".local", "state", "aside", "history")
	if info, err := os.Stat(history); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history is %v, %v", info, err)
	}

	// The history is there the next time, too.
	y = sit(t, y.home, nil, "--config", v.config, "--room", "attic")
	y.sees("> ")
	y.types("\x1b[A\x1b[A\r") // the last line was /quit
	y.sees("Answer to hello")
	y.sees("> ")
	y.types("\x04")
	y.leaves()
}

func TestInterruptingAtATerminal(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{
		"slow":   {writesSlowly("Beginning", "", never)},
		"slower": {writesSlowly("Starting", "", never)},
	}}
	v := startFaulty(t, m)
	y := sit(t, "", nil, "--config", v.config)
	y.asks("slow")
	y.sees("Beginning")
	y.types("\x03")
	y.sees("Stopped.")
	y.sees("> ")
	y.types("hello\r") // the conversation goes on
	if got := y.sees("Answer to hello"); strings.Contains(got, "Stopped.") {
		t.Errorf("it says so twice: %q", got)
	}
	y.sees("> ")
	y.types("\x03") // at the prompt, it leaves
	y.leaves()

	// Twice in a row leaves as well.
	y = sit(t, "", nil, "--config", v.config)
	y.asks("slower")
	y.sees("Starting")
	if err := v.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // it cannot answer
		t.Fatal(err)
	}
	y.types("\x03")
	y.sees("stopping…")
	y.types("\x03")
	y.leaves()
}

func TestAtATerminalWhenAsideGoesAway(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{})
	y := sit(t, "", nil, "--config", v.config, "--wait", "300ms")
	y.asks("hello")
	y.sees("Answer to hello")
	y.sees("> ")
	v.kill(os.Kill)
	y.sees("could not reach Aside for 300ms")
	if err := y.cmd.Wait(); err == nil || y.cmd.ProcessState.ExitCode() != exitFailure {
		t.Errorf("it ended with %v", err)
	}
}

func TestAtATerminalWhenAsideComesBack(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{
		"slow": {writesSlowly("Beginning", "", make(chan struct{})), says("Hello!")},
	}}
	v := startFaulty(t, m)
	y := sit(t, "", nil, "--config", v.config)
	y.asks("slow")
	y.sees("Beginning")
	v.kill(os.Kill)
	v.start()
	y.sees("\x1b[J") // what was half written is taken back
	y.sees("Hello!")
	y.asks("/quit")
	y.leaves()
	if n := len(v.entries("terminal")); n != 2 {
		t.Errorf("%d entries stand in the room", n)
	}
}

func TestWhatOthersWriteIsShownAtThePrompt(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{})
	y := sit(t, "", nil, "--config", v.config)
	y.sees("> ")
	y.types("half a li")
	y.sees("half a li")
	v.settle(v.say("terminal", "from elsewhere"))
	y.sees("ada: from elsewhere")
	y.sees("Answer to from elsewhere")
	y.sees("half a li")
	y.types("ne\r")
	y.sees("Answer to half a line")
	y.asks("/quit")
	y.leaves()
}

func TestATerminalWithoutColourOrCursor(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"act": {says("Hi. [CALCULATE:1+1]")}}}
	v := startFaulty(t, m)
	for name, env := range map[string][]string{"no colour": {"NO_COLOR=1"}, "a dumb one": {"TERM=dumb"}} {
		t.Run(name, func(t *testing.T) {
			y := sit(t, "", env, "--config", v.config, "--room", strings.ReplaceAll(name, " ", "-"))
			y.asks("act")
			y.sees("✓ CALCULATE: 1+1 = 2")
			y.asks("/quit")
			y.leaves()
			if strings.Contains(y.seen, "\x1b[2m") || name == "a dumb one" && strings.Contains(y.seen, "\x1b") {
				t.Errorf("it shows %q", y.seen)
			}
		})
	}
}

func TestATerminalWithAnAsideOfItsOwn(t *testing.T) {
	t.Parallel()
	m := &faultyModel{}
	v := newFaulty(t, m) // not started
	y := sit(t, "", nil, "--config", v.config)
	y.sees("No Aside was running, so one runs here until you leave")
	y.asks("hello")
	y.sees("Answer to hello")
	y.asks("/quit")
	y.leaves()
	v.start() // it has left the data directory in order
	if n := len(v.entries("terminal")); n != 2 {
		t.Errorf("%d entries stand in the room", n)
	}
}
