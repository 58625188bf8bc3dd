package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mount puts a file system of its own at a directory until the test is over.
func mount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("NOT TESTED: only root can mount the file system that this needs")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skipf("NOT TESTED: this container may not mount the file system that this needs: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
}

func TestADataDirectoryThatIsReadOnlyIsExplained(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	mount(t, dir, syscall.MS_RDONLY, "")
	for name, data := range map[string]string{"the directory is there": dir, "it is to be made": filepath.Join(dir, "new")} {
		t.Run(name, func(t *testing.T) {
			said := runFails(t, t.TempDir(), "--data", data, "--listen", "127.0.0.1:0")
			mentions(t, said, dir, "read-only file system", "choose another with --data")
		})
	}
}

func TestADiskThatIsFullAtTheStartIsExplained(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	mount(t, dir, 0, "size=64k")
	said := runFails(t, t.TempDir(), "--data", dir, "--listen", "127.0.0.1:0")
	mentions(t, said, dir, "disk is full", "free some space")
}

// The disk stays full for longer than the queue's own patience with it, which is
// seven seconds, and the program goes on all the same.
func TestADiskThatFillsUpLosesNothing(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{}}
	release := make(chan struct{})
	m.scripts["before"] = []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			says("Answer to before")(w, r)
		case <-r.Context().Done():
		}
	}}
	v := newFaulty(t, m)
	mount(t, v.data, 0, "size=8m")
	v.start()

	v.isAnswered("lobby", v.say("lobby", "hello"), "Answer to hello")
	before := v.say("held", "before") // its answer comes when there is no space for it
	free := fill(t, filepath.Join(v.data, "ballast"))
	close(release)

	// There is space in the files that are there already, so some are accepted yet.
	accepted := map[string]string{}
	refused := ""
	large := strings.Repeat("x", 16<<10)
	for n := 0; refused == ""; n++ {
		if n == 2000 {
			t.Fatal("the disk is full, and every message is accepted")
		}
		text := fmt.Sprintf("number %d %s", n, large)
		switch status, body := v.post("lobby", text, fmt.Sprint("key-", n)); status {
		case http.StatusAccepted:
			accepted[text] = idIn(t, body)
		case http.StatusServiceUnavailable:
			refused = text
			if body != "{\"error\":\"the message could not be stored; try again\"}\n" {
				t.Errorf("refused with %s", body)
			}
		default:
			t.Fatalf("answered with %d %s", status, body)
		}
	}
	key := fmt.Sprint("key-", len(accepted))
	began := time.Now()
	for time.Since(began) < 12*time.Second {
		if status, body := v.post("lobby", refused, key); status != http.StatusServiceUnavailable {
			t.Fatalf("while the disk is full, the message is answered with %d %s", status, body)
		}
		time.Sleep(200 * time.Millisecond)
	}
	if answer, err := http.Get(v.url + "/readyz"); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("it has stopped working: %v", err)
	}
	mentions(t, v.output.String(), "the message could not be stored", "disk is full")

	free()
	id := ""
	for deadline := time.Now().Add(30 * time.Second); id == ""; time.Sleep(50 * time.Millisecond) {
		if status, body := v.post("lobby", refused, key); status == http.StatusAccepted {
			id = idIn(t, body)
		} else if time.Now().After(deadline) {
			t.Fatalf("there is space again, and the message is answered with %d %s", status, body)
		}
	}
	if _, body := v.post("lobby", refused, key); idIn(t, body) != id {
		t.Errorf("the same key is another message: %s", body)
	}
	accepted[refused] = id
	for text, id := range accepted {
		v.isAnswered("lobby", id, "Answer to "+text)
	}
	v.isAnswered("held", before, "Answer to before")
	v.isAnswered("lobby", v.say("lobby", "and now"), "Answer to and now")
	if got, want := len(v.entries("lobby")), 2*(len(accepted)+2); got != want {
		t.Errorf("%d entries stand in the room, want %d", got, want)
	}
	v.kill(syscall.SIGTERM)
}

// fill fills a disk with a file; free removes it.
func fill(t *testing.T, name string) (free func()) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

func TestABackupOntoADiskThatIsFullIsNotThere(t *testing.T) {
	t.Parallel()
	data, disk := t.TempDir(), filepath.Join(t.TempDir(), "disk")
	fillStore(t, data, "old")
	mount(t, disk, 0, "size=1m")
	file := filepath.Join(disk, "aside.tar.gz")
	isRefused(t, "the disk of "+disk+" is full; free some space, or choose another place", "backup", file, "--data", data)
	if got := names(t, disk); got != "" {
		t.Errorf("it has left %s", got)
	}
}
