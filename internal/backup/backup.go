// Package backup writes the SQLite database of a data directory into one file and
// puts it back: a gzipped tar with a manifest and the database.
//
// It imports the store only. Before changing it, know what a kill in the middle may
// leave: the file asked for is complete or not there, the data directory is the old
// one or the new one. Whatever is half done has a name of its own that begins with a
// dot.
package backup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/asidehq/aside/internal/store"
)

const (
	manifestName = "manifest.json"
	databaseName = "aside.db"
	format       = 1
)

// A Manifest says what a backup holds.
type Manifest struct {
	Format   int              `json:"format"`
	Aside    string           `json:"aside"`  // the version of the program that wrote it
	Schema   int64            `json:"schema"` // the version of the database's schema
	Time     time.Time        `json:"time"`
	Database string           `json:"database"` // the name of the database in the archive
	Size     int64            `json:"size"`     // its bytes
	SHA256   string           `json:"sha256"`   // of its bytes
	Counts   map[string]int64 `json:"counts"`   // the rows of its tables
}

// ErrExists says that the file to be written is there already.
var ErrExists = errors.New("there is such a file already")

// Write writes a backup of the data directory to a file, which is there completely or
// not at all. It may run while Aside does. version is the program's.
func Write(ctx context.Context, data, file, version string, force bool, now func() time.Time) (Manifest, error) {
	if _, err := os.Stat(file); err == nil && !force {
		return Manifest{}, ErrExists
	}
	work, err := os.MkdirTemp(filepath.Dir(file), ".aside-backup-")
	if err != nil {
		return Manifest{}, fmt.Errorf("make a directory to work in: %w", err)
	}
	m, err := write(ctx, data, file, work, Manifest{Format: format, Aside: version, Time: now().UTC(), Database: databaseName})
	if gone := os.RemoveAll(work); err == nil && gone != nil {
		err = fmt.Errorf("clean up: %w", gone)
	}
	return m, err
}

func write(ctx context.Context, data, file, work string, m Manifest) (Manifest, error) {
	database := filepath.Join(work, databaseName)
	if err := store.Copy(ctx, data, database); err != nil {
		return m, err
	}
	census, err := store.Examine(ctx, database)
	if err != nil {
		return m, err
	}
	m.Schema, m.Counts = census.Schema, census.Counts
	if m.Size, m.SHA256, err = sum(database); err != nil {
		return m, err
	}
	archive := filepath.Join(work, "archive")
	if err := pack(archive, database, m); err != nil {
		return m, fmt.Errorf("write the archive: %w", err)
	}
	// What was written is read back: a disk that lies is found out now.
	if _, err := unpack(archive, ""); err != nil {
		return m, fmt.Errorf("read the archive back: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return m, err
	}
	if err := os.Rename(archive, file); err != nil {
		return m, err
	}
	return m, store.SyncDirectory(filepath.Dir(file))
}

// sum is the size and the SHA-256 of a file.
func sum(name string) (size int64, sha string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	hash := sha256.New()
	if size, err = io.Copy(hash, f); err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(hash.Sum(nil)), nil
}

// pack writes the archive and sees it onto the disk.
func pack(archive, database string, m Manifest) (err error) {
	out, err := os.OpenFile(archive, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	zipped := gzip.NewWriter(out)
	entries := tar.NewWriter(zipped)
	about, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	about = append(about, '\n')
	if err := entries.WriteHeader(&tar.Header{Name: manifestName, Mode: 0o600, Size: int64(len(about)), ModTime: m.Time}); err != nil {
		return err
	}
	if _, err := entries.Write(about); err != nil {
		return err
	}
	if err := entries.WriteHeader(&tar.Header{Name: databaseName, Mode: 0o600, Size: m.Size, ModTime: m.Time}); err != nil {
		return err
	}
	in, err := os.Open(database)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := io.Copy(entries, in); err != nil {
		return err
	}
	if err := errors.Join(entries.Close(), zipped.Close()); err != nil {
		return err
	}
	return out.Sync()
}
