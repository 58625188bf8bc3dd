package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runImage runs the program in a root directory that has nothing but what the image
// has, as the image's user.
func runImage(t *testing.T, image string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can change the root directory, so the image was built and not run")
	}
	const user, token = 65532, "a-token-of-more-than-16"
	address := freeAddress(t)
	// The address of the image is one for all; this machine may have something there.
	path := filepath.Join(image, "etc/aside/aside.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "0.0.0.0:8787", address)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(image, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(image, "data"), user, user); err != nil {
		t.Fatal(err)
	}
	inside := func(args ...string) *exec.Cmd {
		cmd := process(t)
		cmd.Path, cmd.Args = "/aside", append([]string{"/aside"}, args...)
		cmd.Err = nil
		cmd.Dir = "/data"
		cmd.Env = []string{"HOME=/data", "TMPDIR=/data", "ASIDE_TOKEN=" + token}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: image, Credential: &syscall.Credential{Uid: user, Gid: user}}
		return cmd
	}
	if said, err := inside("--version").CombinedOutput(); string(said) != "aside version v1.2.3\n" {
		t.Fatalf("it says %q, %v", said, err)
	}
	var said transcript
	running := inside("run", "--config", "/etc/aside/aside.yaml")
	running.Stderr = &said
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = running.Process.Signal(syscall.SIGTERM)
		if err := running.Wait(); err != nil {
			t.Errorf("it ended with %v\n%s", err, said.String())
		}
	}()
	healthy := false
	for deadline := time.Now().Add(20 * time.Second); !healthy && time.Now().Before(deadline); {
		healthy = inside("health", "--config", "/etc/aside/aside.yaml").Run() == nil
	}
	if !healthy {
		t.Fatalf("it does not become healthy\n%s", said.String())
	}
	answer, err := inside("chat", "--config", "/etc/aside/aside.yaml", "calculate 6*7").Output()
	if err != nil || !strings.Contains(string(answer), "42") {
		t.Errorf("it answers %q, %v", answer, err)
	}
	r, err := http.Get(fmt.Sprintf("http://%s/api/v1/rooms/lobby/messages", address))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the token it answers %s", r.Status)
	}
}
