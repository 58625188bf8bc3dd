package wiretest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// StartEmulator starts an emulator by another hand than ours, from a directory below the
// module's root in which npm has installed a package, and gives its address, which
// start.mjs prints. It is stopped when the test ends, and ends by itself when the test's
// process is killed.
//
// Where it is not installed the test is skipped.
func StartEmulator(t *testing.T, directory, installed string, arguments ...string) string {
	t.Helper()
	root, err := root()
	if err != nil {
		t.Fatal(err)
	}
	directory = filepath.Join(root, filepath.FromSlash(directory))
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: the emulator needs node, which is not installed; scripts/setup installs it")
	}
	if _, err := os.Stat(filepath.Join(directory, "node_modules", filepath.FromSlash(installed))); err != nil {
		t.Skip("SKIPPED: the emulator is not installed; scripts/setup installs it, which needs Node.js 20.15 and the npm registry, or says why not")
	}
	command := exec.Command(node, append([]string{"start.mjs"}, arguments...)...)
	command.Dir = directory
	var said strings.Builder
	command.Stderr = &said
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(30*time.Second, func() { _ = command.Process.Kill() })
	stop := func() {
		limit.Stop()
		_ = input.Close()
		_ = command.Process.Kill() // it would wait for connections that are kept
		_ = command.Wait()
	}
	t.Cleanup(stop)
	line, err := bufio.NewReader(output).ReadString('\n')
	limit.Stop()
	if err != nil {
		stop() // what it has said is complete then
		t.Fatalf("the emulator does not start: %v\n%s", err, said.String())
	}
	return strings.TrimSpace(line)
}
