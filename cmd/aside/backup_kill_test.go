package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/backup"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// fillStore makes a store of two megabytes, so that there is a middle to be killed in.
func fillStore(t *testing.T, data, text string) {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 40 {
		m := platform.Message{Room: platform.Room{Platform: "web", ID: "a"}, ID: fmt.Sprint(i), Text: text + strings.Repeat("0123456789", 5_000), At: time.Now()}
		if _, err := s.Receive(t.Context(), m, false); err != nil {
			t.Fatal(err)
		}
	}
}

// holds is how the messages of a data directory begin.
func holds(t *testing.T, data string) string {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", data, time.Now)
	if err != nil {
		t.Fatalf("the data is broken: %v", err)
	}
	defer s.Close()
	turns, err := s.Turns(t.Context(), store.TurnQuery{Limit: 100})
	if err != nil || len(turns) != 40 {
		t.Fatalf("there are %d turns, %v", len(turns), err)
	}
	return turns[0].Message.Text[:3]
}

// killedAfter runs aside for a while and kills it. It tells whether that was too late.
func killedAfter(t *testing.T, d time.Duration, args ...string) (finished bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	cmd := exec.CommandContext(ctx, "aside", args...) // ends with SIGKILL
	cmd.Env = append(os.Environ(), noWaitAtExit)
	err := cmd.Run()
	if err != nil && ctx.Err() == nil {
		t.Fatalf("aside %s: %v", strings.Join(args, " "), err)
	}
	return err == nil
}

func TestABackupThatIsKilledLeavesNothingBroken(t *testing.T) {
	t.Parallel()
	data, dir := t.TempDir(), t.TempDir()
	fillStore(t, data, "old")
	file := filepath.Join(dir, "aside.tar.gz")
	killed := 0
	for d, finished := time.Millisecond, false; !finished; d += d/4 + time.Millisecond {
		if finished = killedAfter(t, d, "backup", file, "--data", data); !finished {
			killed++
		}
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if _, err := backup.Restore(t.Context(), file, filepath.Join(t.TempDir(), "data"), false, time.Now); err != nil {
			t.Errorf("killed after %v it has left a file that is no backup: %v", d, err)
		}
		break
	}
	if killed == 0 {
		t.Error("it was never killed")
	}
	if got := holds(t, data); got != "old" {
		t.Errorf("the data is %s", got)
	}
}

func TestARestoreThatIsKilledLeavesTheOldDataOrTheNew(t *testing.T) {
	t.Parallel()
	source, data := t.TempDir(), t.TempDir()
	fillStore(t, source, "new")
	fillStore(t, data, "old")
	file := filepath.Join(t.TempDir(), "aside.tar.gz")
	if _, err := backup.Write(t.Context(), source, file, "v1", false, time.Now); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for d, finished := time.Millisecond, false; !finished; d += d/4 + time.Millisecond {
		if finished = killedAfter(t, d, "restore", file, "--force", "--data", data); !finished {
			killed++
		}
		got := holds(t, data)
		if finished && got != "new" || got != "new" && got != "old" {
			t.Errorf("after %v the data is %s", d, got)
		}
	}
	if killed == 0 {
		t.Error("it was never killed")
	}
	// A kill may leave such a directory empty, with the old data still in its place.
	kept, err := filepath.Glob(filepath.Join(data, "before-restore-*", "aside.db"))
	if err != nil || len(kept) == 0 || holds(t, filepath.Dir(kept[0])) != "old" {
		t.Errorf("the old data is kept in %v, %v", kept, err)
	}
}
