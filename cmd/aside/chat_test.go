package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A spoken is a running aside chat that sends one message.
type spoken struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err transcript
}

// speak starts aside chat in a directory without a configuration.
func speak(t *testing.T, args ...string) *spoken {
	t.Helper()
	s := &spoken{t: t, cmd: process(t, append([]string{"chat"}, args...)...)}
	s.cmd.Dir = t.TempDir()
	s.cmd.Env = append(s.cmd.Env, "HOME="+s.cmd.Dir, "XDG_STATE_HOME=")
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.err
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// ends waits for the end and checks how it was.
func (s *spoken) ends(code int, out string, message ...string) {
	s.t.Helper()
	_ = s.cmd.Wait() // the exit code says it
	if got := s.cmd.ProcessState.ExitCode(); got != code || s.out.String() != out {
		s.t.Errorf("it ended with %d and printed %q (%q), want %d and %q", got, s.out.String(), s.err.String(), code, out)
	}
	said := s.err.String()
	mentions(s.t, said, message...)
	if code != 0 && (!oneLine(said) || !strings.HasPrefix(said, "aside chat: ")) {
		s.t.Errorf("the message is not one line: %q", said)
	}
}

// hangs is a step that says nothing until whoever asks is gone.
func hangs(w http.ResponseWriter, r *http.Request) {
	stream(w, "…")
	<-r.Context().Done()
}

// asked waits until the model was asked a message.
func (m *faultyModel) asked(t *testing.T, text string, times int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if len(m.triesAt(text)) >= times {
			return
		}
	}
	t.Fatalf("the model was not asked %q", text)
}

func TestChatWithARunningAside(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{
		"act":  {says("Done. [CALCULATE:1+1]")},
		"fail": {refuses(401, `{"error":{"message":"bad key"}}`)},
	}}
	v := startFaulty(t, m)
	speak(t, "--url", v.url, "hello").ends(0, "Answer to hello\n")
	speak(t, "--config", v.config, "hello").ends(0, "Answer to hello\n")
	speak(t, "--config", v.config, "act").ends(0, "Done.\n\nDone: 1+1 = 2\n", "✓ CALCULATE: 1+1 = 2")

	failed := speak(t, "--config", v.config, "fail")
	_ = failed.cmd.Wait()
	if code := failed.cmd.ProcessState.ExitCode(); code != 1 || !oneLine(failed.err.String()) || strings.Contains(failed.err.String(), "bad key") {
		t.Errorf("a turn that failed ends with %d and %q", code, failed.err.String())
	}
	if n := len(v.entries("terminal")); n != 8 {
		t.Errorf("%d entries stand in the room", n)
	}
}

func TestChatWithAnAsideThatWantsAToken(t *testing.T) {
	const token = "a-token-of-more-than-16"
	v := startFaulty(t, &faultyModel{})
	v.kill(syscall.SIGTERM)
	text, err := os.ReadFile(v.config)
	if err != nil {
		t.Fatal(err)
	}
	with := filepath.Join(t.TempDir(), "token.yaml")
	if err := os.WriteFile(with, append(text, "token: "+token+"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	v.config = with
	v.start()
	speak(t, "--config", with, "hello").ends(0, "Answer to hello\n")
	wrong := []string{"the token is missing or wrong", "ASIDE_TOKEN"}
	speak(t, "--url", v.url, "hello").ends(exitFailure, "", wrong...)
	t.Setenv("ASIDE_TOKEN", "another-token-of-16")
	speak(t, "--config", with, "hello").ends(exitFailure, "", wrong...)
	t.Setenv("ASIDE_TOKEN", token)
	speak(t, "--url", v.url, "again").ends(0, "Answer to again\n")
}

func TestChatWithSomethingElse(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hostile/api/v1/rooms/terminal/messages" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"error":"\u001b[2Jgo\naway"}`)
			return
		}
		_, _ = io.WriteString(w, "<h1>It works!</h1>")
	}))
	defer server.Close()
	speak(t, "--url", server.URL, "hello").ends(exitFailure, "", "what answers there is not an Aside", "--url")
	speak(t, "--url", server.URL+"/hostile", "hello").ends(exitFailure, "", "aside chat: ␛[2Jgo away\n")
}

func TestChatWhileAnotherUsesTheDataDirectory(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{})
	config := filepath.Join(t.TempDir(), "aside.yaml")
	if err := os.WriteFile(config, []byte("listen: 127.0.0.1:0\ndata: "+v.data+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	speak(t, "--config", config, "hello").ends(exitFailure, "", v.data, "runs elsewhere", "--url")
}

func TestChatGoesOnWhenAsideComesBack(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"hello": {hangs, says("Hello!")}}}
	v := startFaulty(t, m)
	s := speak(t, "--config", v.config, "hello")
	m.asked(t, "hello", 1)
	v.kill(syscall.SIGKILL)
	v.start()
	s.ends(0, "Hello!\n")
	if got := v.entries("terminal"); len(got) != 2 || got[0].Text != "hello" || got[1].Text != "Hello!" {
		t.Errorf("in the room stands %+v", got)
	}
}

func TestChatEndsWhenAsideStaysAway(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"hello": {hangs, says("Hello!")}}}
	v := startFaulty(t, m)
	s := speak(t, "--config", v.config, "--wait", "300ms", "hello")
	m.asked(t, "hello", 1)
	v.kill(syscall.SIGKILL)
	s.ends(exitFailure, "", "could not reach Aside for 300ms", "connection refused")
	v.start()
	v.isAnswered("terminal", v.entries("terminal")[0].ID, "Hello!")
}

func TestChatIntoABrokenPipe(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{})
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	defer write.Close()
	var message bytes.Buffer
	cmd := process(t, "chat", "--config", v.config, "hello")
	cmd.Stdout, cmd.Stderr = write, &message
	err = cmd.Run()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitFailure || !strings.Contains(message.String(), "broken pipe") || !oneLine(message.String()) {
		t.Errorf("it ended with %v and said %q", err, message.String())
	}
}

func TestChatThatIsInterruptedStopsItsOwnAside(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"hello": {hangs, says("Hello!")}}}
	v := newFaulty(t, m) // not started
	s := speak(t, "--config", v.config, "hello")
	m.asked(t, "hello", 1)
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	s.ends(exitFailure, "", "interrupted")
	v.start() // the data directory is free again, and the message is answered
	v.isAnswered("terminal", v.entries("terminal")[0].ID, "Hello!")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	v := newFaulty(t, &faultyModel{})
	health := func(args ...string) (string, int) {
		cmd := process(t, append([]string{"health"}, args...)...)
		said, _ := cmd.CombinedOutput()
		return string(said), cmd.ProcessState.ExitCode()
	}
	if said, code := health("--config", v.config); code != 1 || !oneLine(said) || !strings.Contains(said, "not ready") {
		t.Errorf("while it is down: %d %q", code, said)
	}
	v.start()
	if said, code := health("--config", v.config); code != 0 || said != "ready\n" {
		t.Errorf("while it runs: %d %q", code, said)
	}
	if said, code := health("--url", v.url); code != 0 || said != "ready\n" {
		t.Errorf("by its address: %d %q", code, said)
	}
}

func TestChatAsJSONWhenTheTurnFailed(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{"fail": {refuses(401, `{}`)}}}
	v := startFaulty(t, m)
	s := speak(t, "--config", v.config, "--json", "fail")
	_ = s.cmd.Wait()
	var got struct{ Room, Failure string }
	if err := json.Unmarshal([]byte(s.out.String()), &got); err != nil || got.Room != "terminal" || got.Failure == "" || s.cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("got %q, %v, exit code %d", s.out.String(), err, s.cmd.ProcessState.ExitCode())
	}
}
