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
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
)

var (
	// ErrNoBackup says that a file is no backup, or not a whole one.
	ErrNoBackup = errors.New("this is no complete backup of Aside")

	// ErrNotEmpty says that there is data where a backup should go.
	ErrNotEmpty = errors.New("there is data already")
)

// largestManifest bounds what is read of a file that may be anything.
const largestManifest = 1 << 20

// A Restored is what Restore has done.
type Restored struct {
	Manifest Manifest
	Kept     string // where the old database is now, "" if there was none
}

// Restore puts the database of a backup into a data directory, after it has looked at
// every byte of it. The directory must not be in use, and hold no data unless force is
// set: then the old database is kept in a directory beside the new one.
func Restore(ctx context.Context, file, data string, force bool, now func() time.Time) (r Restored, err error) {
	if r.Manifest, err = unpack(file, ""); err != nil {
		return r, err
	}
	known, err := store.SchemaVersion()
	if err != nil {
		return r, err
	}
	if r.Manifest.Schema > known {
		return r, fmt.Errorf("%w: its schema is %d and this program knows %d; use a newer aside", store.ErrOtherSchema, r.Manifest.Schema, known)
	}
	release, err := store.Hold(data)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, release()) }()
	full, err := holdsData(data)
	if err != nil {
		return r, err
	}
	if full && !force {
		return r, ErrNotEmpty
	}
	if err := sweep(data); err != nil {
		return r, err
	}
	work, err := os.MkdirTemp(data, workPrefix)
	if err != nil {
		return r, fmt.Errorf("make a directory to work in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	database := filepath.Join(work, databaseName)
	if _, err := unpack(file, database); err != nil {
		return r, err
	}
	if _, err := store.Examine(ctx, database); err != nil {
		return r, fmt.Errorf("%w: %w", ErrNoBackup, err)
	}
	keep := filepath.Join(data, "before-restore-"+now().UTC().Format("20060102T150405.000000Z"))
	kept, err := store.Install(ctx, data, database, keep)
	if kept {
		r.Kept = keep
	}
	return r, err
}

// workPrefix begins the names of what is half done.
const workPrefix = ".restore-"

// sweep removes what restores have left that were killed. The directory is held, so
// none is going on.
func sweep(data string) error {
	left, err := filepath.Glob(filepath.Join(data, workPrefix+"*"))
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// holdsData tells whether anything in a directory would be mixed with what comes.
func holdsData(data string) (bool, error) {
	entries, err := os.ReadDir(data)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if !store.Own(e.Name()) && !strings.HasPrefix(e.Name(), ".") {
			return true, nil
		}
	}
	return false, nil
}

// unpack reads a backup to its end, checks it against its manifest, and writes the
// database to a file, unless that is "".
func unpack(file, database string) (Manifest, error) {
	in, err := os.Open(file)
	if err != nil {
		return Manifest{}, err
	}
	defer in.Close()
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return Manifest{}, incomplete("it is not gzipped")
	}
	entries := tar.NewReader(unzipped)
	m, err := readManifest(entries)
	if err != nil {
		return m, err
	}
	header, err := entries.Next()
	if err != nil || header.Name != m.Database || header.Size != m.Size || header.Typeflag != tar.TypeReg {
		return m, incomplete("the database is missing")
	}
	out := io.Discard
	var written *os.File
	if database != "" {
		if written, err = os.OpenFile(database, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
			return m, err
		}
		defer written.Close()
		out = written
	}
	hash := sha256.New()
	if err := copyAll(io.MultiWriter(hash, out), entries); err != nil {
		return m, err
	}
	if hex.EncodeToString(hash.Sum(nil)) != m.SHA256 {
		return m, incomplete("the database is not the one that was written: its sum differs")
	}
	// The end of the archive is a part of it: behind it stands gzip's own sum.
	if _, err := entries.Next(); !errors.Is(err, io.EOF) {
		return m, incomplete("it does not end where it should")
	}
	if _, err := io.Copy(io.Discard, unzipped); err != nil {
		return m, incomplete("its end is missing")
	}
	if written != nil {
		return m, written.Sync()
	}
	return m, nil
}

// copyAll copies, and tells a backup that breaks off from a disk that is full.
func copyAll(out io.Writer, in io.Reader) error {
	buffer := make([]byte, 1<<16)
	for {
		n, err := in.Read(buffer)
		if _, err := out.Write(buffer[:n]); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return incomplete("it breaks off")
		}
	}
}

func readManifest(entries *tar.Reader) (m Manifest, err error) {
	header, err := entries.Next()
	if err != nil || header.Name != manifestName || header.Size > largestManifest {
		return m, incomplete("there is no manifest")
	}
	about, err := io.ReadAll(io.LimitReader(entries, largestManifest))
	if err != nil || json.Unmarshal(about, &m) != nil || m.SHA256 == "" {
		return m, incomplete("the manifest cannot be read")
	}
	if m.Format != format || m.Database != databaseName {
		return m, incomplete(fmt.Sprintf("its format is %d and this program reads %d", m.Format, format))
	}
	return m, nil
}

func incomplete(why string) error { return fmt.Errorf("%w: %s", ErrNoBackup, why) }
