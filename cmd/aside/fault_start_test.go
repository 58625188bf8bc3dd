package main

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// runFails runs the program in a directory, where it must end by itself, with the
// exit code for failures and nothing on standard output. It returns what it says.
func runFails(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, message bytes.Buffer
	cmd := process(t, append([]string{"run"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &message
	err := cmd.Run()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitFailure {
		t.Errorf("ended with %v, want exit code %d", err, exitFailure)
	}
	if out.Len() > 0 {
		t.Errorf("printed %q on standard output", out.String())
	}
	said := message.String()
	if !strings.HasPrefix(said, "aside run: ") || len(said) > 500 || strings.Contains(said, "goroutine ") {
		t.Errorf("said %q", said)
	}
	return said
}

// mentions asks that everything a person needs stands in a message.
func mentions(t *testing.T, message string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(message, part) {
			t.Errorf("%q does not mention %q", message, part)
		}
	}
}

// names are what a directory holds.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestAConfigurationThatIsWrongIsNamedAndNothingIsCreated(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file string
		want       []string
	}{
		{"it is no YAML", "listen: 127.0.0.1:0\nmodels: {chat: [\n", []string{"aside.yaml:2:16: the [ is not closed"}},
		{"it is noise", "\x00\x01\xff\xfe", []string{"aside.yaml"}},
		{"a key does not exist", "# mine\nlisten: 127.0.0.1:0\nmodel: test\n", []string{"aside.yaml:3:1: model: there is no such key", "models"}},
		{"a value is wrong", "listen: 127.0.0.1:0\nsessions:\n  parallel: none\n", []string{"aside.yaml:3:3: sessions.parallel: "}},
		{"a value has the wrong form", "listen: [1, 2]\n", []string{"aside.yaml:1:1: listen: "}},
		{"two things are wrong", "lisen: 127.0.0.1:0\ngroups: {mode: sometimes}\n", []string{"aside.yaml:1:1: lisen: ", "aside.yaml:2:10: groups.mode: "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "aside.yaml"), []byte(test.file), 0o600); err != nil {
				t.Fatal(err)
			}
			mentions(t, runFails(t, dir), test.want...)
			if got := names(t, dir); got != "aside.yaml" {
				t.Errorf("there is now %s", got)
			}
		})
	}
}

func TestADataDirectoryThatIsAFileIsExplained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"the file": file, "a path below it": filepath.Join(file, "data")} {
		t.Run(name, func(t *testing.T) {
			mentions(t, runFails(t, t.TempDir(), "--data", data, "--listen", "127.0.0.1:0"), file, "not a directory", "choose another with --data")
		})
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "mine" {
		t.Errorf("the file is now %q, %v", got, err)
	}
}

func TestADamagedDatabaseIsExplainedAndLeftAlone(t *testing.T) {
	t.Parallel()
	m := &faultyModel{}
	v := startFaulty(t, m)
	v.isAnswered("lobby", v.say("lobby", "hello"), "Answer to hello")
	v.kill(syscall.SIGTERM)
	file := filepath.Join(v.data, "aside.db")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	noise := bytes.Repeat([]byte{0xde, 0xad, 0xbe, 0xef}, 1024)
	scratched := bytes.Clone(whole)
	copy(scratched[100:4096], noise) // the list of tables; the header is as it was
	tests := []struct {
		name    string
		content []byte
	}{
		{"it is noise", noise},
		{"it is a text", []byte(strings.Repeat("This is no database. ", 100))},
		{"the list of tables is damaged", scratched},
		{"it ends after the first page", whole[:4096]},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile(file, test.content, 0o600); err != nil {
				t.Fatal(err)
			}
			said := runFails(t, t.TempDir(), "--config", v.config)
			mentions(t, said, file, "the database is damaged", "put a backup in its place", "move it away")
			if !oneLine(said) {
				t.Errorf("the message is not one line: %q", said)
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, test.content) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil { // the backup
		t.Fatal(err)
	}
	v.start()
	v.isAnswered("lobby", v.say("lobby", "and now"), "Answer to and now")
	if n := len(v.entries("lobby")); n != 4 {
		t.Errorf("%d entries stand in the room", n)
	}
}

func TestAPortInUseIsNamedAndTheDataDirectoryIsFreeAgain(t *testing.T) {
	t.Parallel()
	v := newFaulty(t, &faultyModel{})
	address := strings.TrimPrefix(v.url, "http://")
	other, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	said := runFails(t, t.TempDir(), "--config", v.config)
	mentions(t, said, address, "address already in use", "choose another address with --listen")
	if !oneLine(said) {
		t.Errorf("the message is not one line: %q", said)
	}
	other.Close()
	v.start()
	v.isAnswered("lobby", v.say("lobby", "hello"), "Answer to hello")
}

func TestASecondProcessOnADataDirectoryLeavesTheFirstAlone(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"slow": {func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			says("Answer to slow")(w, r)
		case <-r.Context().Done():
		}
	}}}})
	slow := v.say("slow", "slow")
	said := runFails(t, t.TempDir(), "--data", v.data, "--listen", "127.0.0.1:0")
	mentions(t, said, "another Aside is running on this data directory", v.data, "another --data")
	if !oneLine(said) {
		t.Errorf("the message is not one line: %q", said)
	}
	v.isAnswered("lobby", v.say("lobby", "hello"), "Answer to hello")
	close(release)
	v.isAnswered("slow", slow, "Answer to slow")
	v.kill(syscall.SIGTERM)
}
