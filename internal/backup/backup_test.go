package backup_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/backup"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func clock() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// open opens the store of a data directory until the test ends.
func open(t *testing.T, data string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", data, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func receive(t *testing.T, s *store.Store, ids ...string) {
	t.Helper()
	for _, id := range ids {
		m := platform.Message{Room: platform.Room{Platform: "web", ID: "a"}, ID: id, Text: "Hello " + id, At: clock()}
		if _, err := s.Receive(t.Context(), m, false); err != nil {
			t.Fatal(err)
		}
	}
}

// texts are the messages of a data directory that nobody works in.
func texts(t *testing.T, data string) string {
	t.Helper()
	s := open(t, data)
	turns, err := s.Turns(t.Context(), store.TurnQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, turn := range turns {
		all = append(all, turn.Message.Text)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, ", ")
}

// written is a backup of a store with two messages.
func written(t *testing.T) string {
	t.Helper()
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "aside.tar.gz")
	s := open(t, data)
	receive(t, s, "1", "2")
	if _, err := backup.Write(t.Context(), data, file, "v1", false, clock); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestABackupOfARunningStoreIsRestored(t *testing.T) {
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "aside.tar.gz")
	s := open(t, data)
	receive(t, s, "1", "2")
	m, err := backup.Write(t.Context(), data, file, "v1", false, clock)
	if err != nil {
		t.Fatal(err)
	}
	receive(t, s, "3") // after the moment of the backup
	known, err := store.SchemaVersion()
	if err != nil {
		t.Fatal(err)
	}
	if m.Counts["message"] != 2 || m.Counts["turn"] != 2 || m.Schema != known || m.Aside != "v1" || !m.Time.Equal(clock()) || m.Size == 0 {
		t.Errorf("the manifest is %+v", m)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("there is also %v", left)
	}

	into := filepath.Join(t.TempDir(), "new", "data")
	if err := os.MkdirAll(filepath.Join(into, ".restore-killed"), 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := backup.Restore(t.Context(), file, into, false, clock)
	if err != nil || r.Kept != "" || r.Manifest.SHA256 != m.SHA256 {
		t.Fatalf("restored %+v, %v", r, err)
	}
	if left, err := filepath.Glob(filepath.Join(into, ".*")); err != nil || len(left) != 0 {
		t.Errorf("there is also %v, %v", left, err)
	}
	if got := texts(t, into); got != "Hello 2, Hello 1" {
		t.Errorf("the messages are %s", got)
	}
}

func TestABackupIsTakenWhileOthersWrite(t *testing.T) {
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "aside.tar.gz")
	s := open(t, data)
	receive(t, s, "first")
	ctx, stop := context.WithCancel(t.Context())
	writing := make(chan error, 1)
	go func() {
		for i := 0; ctx.Err() == nil; i++ {
			m := platform.Message{Room: platform.Room{Platform: "web", ID: "a"}, ID: fmt.Sprint(i), Text: strings.Repeat("x", 1000), At: clock()}
			if _, err := s.Receive(context.WithoutCancel(ctx), m, false); err != nil {
				writing <- err
				return
			}
		}
		writing <- nil
	}()
	var counts []int64
	for range 3 {
		m, err := backup.Write(t.Context(), data, file, "v1", true, clock)
		if err != nil {
			t.Error(err)
			break
		}
		if m.Counts["message"] != m.Counts["turn"] {
			t.Errorf("a message without its turn: %v", m.Counts)
		}
		counts = append(counts, m.Counts["message"])
	}
	stop()
	if err := <-writing; err != nil {
		t.Error(err)
	}
	if _, err := backup.Restore(t.Context(), file, filepath.Join(t.TempDir(), "data"), false, clock); err != nil {
		t.Errorf("after %v: %v", counts, err)
	}
}

func TestWhatIsNotWrittenBlindly(t *testing.T) {
	file := written(t)
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Write(t.Context(), t.TempDir(), file, "v1", false, clock); !errors.Is(err, backup.ErrExists) {
		t.Errorf("over a file that is there: %v", err)
	}
	if _, err := backup.Write(t.Context(), t.TempDir(), file, "v1", true, clock); !errors.Is(err, store.ErrNoData) {
		t.Errorf("of nothing: %v", err)
	}
	if _, err := backup.Write(t.Context(), t.TempDir(), filepath.Join(file, "no", "directory"), "v1", false, clock); err == nil {
		t.Error("into a directory that is none: no error")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	data := t.TempDir()
	receive(t, open(t, data), "1")
	if _, err := backup.Write(ended, data, file, "v1", true, clock); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	after, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed, %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("there is also %v", left)
	}
}

// rewritten is an archive whose entries were changed.
func rewritten(t *testing.T, archive []byte, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	entries := tar.NewWriter(zipped)
	for in := tar.NewReader(unzipped); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		content = change(header.Name, content)
		if content == nil {
			continue
		}
		header.Size = int64(len(content))
		if err := entries.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := entries.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(entries.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// manifestWith changes a value of the manifest.
func manifestWith(t *testing.T, key string, value any) func(string, []byte) []byte {
	return func(name string, content []byte) []byte {
		if name != "manifest.json" {
			return content
		}
		var m map[string]any
		if err := json.Unmarshal(content, &m); err != nil {
			t.Fatal(err)
		}
		m[key] = value
		changed, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
}

func TestADamagedBackupIsRefusedAndNothingIsTouched(t *testing.T) {
	whole, err := os.ReadFile(written(t))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	without := func(gone string) func(string, []byte) []byte {
		return func(name string, content []byte) []byte {
			if name == gone {
				return nil
			}
			return content
		}
	}
	tests := []struct {
		name    string
		content []byte
		want    error
	}{
		{"empty", nil, backup.ErrNoBackup},
		{"a text", []byte("this is no backup"), backup.ErrNoBackup},
		{"cut in the middle", whole[:len(whole)/2], backup.ErrNoBackup},
		{"without its last byte", whole[:len(whole)-1], backup.ErrNoBackup},
		{"with a bit flipped", flipped, backup.ErrNoBackup},
		{"without its manifest", rewritten(t, whole, without("manifest.json")), backup.ErrNoBackup},
		{"without its database", rewritten(t, whole, without("aside.db")), backup.ErrNoBackup},
		{"with another database", rewritten(t, whole, func(name string, content []byte) []byte {
			if name == "aside.db" {
				content[len(content)-1] ^= 1
			}
			return content
		}), backup.ErrNoBackup},
		{"with another name in its manifest", rewritten(t, whole, manifestWith(t, "database", "../../aside.db")), backup.ErrNoBackup},
		{"of a format to come", rewritten(t, whole, manifestWith(t, "format", 2)), backup.ErrNoBackup},
		{"of a schema to come", rewritten(t, whole, manifestWith(t, "schema", 1000)), store.ErrOtherSchema},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, data := filepath.Join(t.TempDir(), "b.tar.gz"), filepath.Join(t.TempDir(), "data")
			if err := os.WriteFile(file, test.content, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := backup.Restore(t.Context(), file, data, true, clock); !errors.Is(err, test.want) {
				t.Errorf("got %v", err)
			}
			if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the data directory was made: %v", err)
			}
		})
	}
	if _, err := backup.Restore(t.Context(), filepath.Join(t.TempDir(), "none"), t.TempDir(), false, clock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestRestoringOverData(t *testing.T) {
	file := written(t)
	data := t.TempDir()
	s := open(t, data)
	receive(t, s, "old")
	if _, err := backup.Restore(t.Context(), file, data, true, clock); !errors.Is(err, store.ErrInUse) {
		t.Errorf("over a store in use: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), file, data, false, clock); !errors.Is(err, backup.ErrNotEmpty) {
		t.Errorf("over data: %v", err)
	}
	if got := texts(t, data); got != "Hello old" {
		t.Errorf("the messages are %s", got)
	}
	r, err := backup.Restore(t.Context(), file, data, true, clock)
	if err != nil || r.Kept != filepath.Join(data, "before-restore-20260301T120000.000000Z") {
		t.Fatalf("restored %+v, %v", r, err)
	}
	if got := texts(t, data); got != "Hello 2, Hello 1" {
		t.Errorf("the messages are %s", got)
	}
	if got := texts(t, r.Kept); got != "Hello old" {
		t.Errorf("the old messages are %s", got)
	}
}

// A log that was left beside a database must not be taken for the new one's.
func TestALogThatWasLeftIsKeptWithItsDatabase(t *testing.T) {
	file := written(t)
	for _, damaged := range []bool{true, false} {
		t.Run(fmt.Sprintf("damaged %v", damaged), func(t *testing.T) {
			data := t.TempDir()
			s := open(t, data)
			receive(t, s, "old")
			crashed := t.TempDir() // what a killed process leaves
			for _, name := range []string{"aside.db", "aside.db-wal"} {
				content, err := os.ReadFile(filepath.Join(data, name))
				if err != nil {
					t.Fatal(err)
				}
				if damaged && name == "aside.db" {
					content = bytes.Repeat([]byte("x"), 8192)
				}
				if err := os.WriteFile(filepath.Join(crashed, name), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r, err := backup.Restore(t.Context(), file, crashed, true, clock)
			if err != nil {
				t.Fatal(err)
			}
			if got := texts(t, crashed); got != "Hello 2, Hello 1" {
				t.Errorf("the messages are %s", got)
			}
			if _, err := os.Stat(filepath.Join(r.Kept, "aside.db")); err != nil {
				t.Error(err)
			}
			if !damaged {
				if got := texts(t, r.Kept); got != "Hello old" {
					t.Errorf("the old messages are %s", got)
				}
			}
		})
	}
}
