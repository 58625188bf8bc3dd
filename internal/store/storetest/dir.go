// Package storetest makes data directories for tests. It imports the store, which tests
// inside package store cannot use it for.
package storetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// Dir is a data directory with an empty database. Making one anew, migration by migration,
// takes a quarter of a second under the race detector, and there are a thousand tests: it
// is made once and copied.
func Dir(t testing.TB) string {
	t.Helper()
	database, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, file), database, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

const file = "aside.db"

var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "aside-store")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(context.Background(), "sqlite", dir, time.Now)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, file))
})
