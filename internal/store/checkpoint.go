package store

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"runtime"
)

// checkpoint brings everything from the log of a SQLite database into its file and
// closes it, so that the file is all there is.
func checkpoint(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", fileURL(file, "mode=rw"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var busy, frames, done int
	err = db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &done)
	return errors.Join(err, db.Close())
}

// link gives a file a second name. Where the file system has no such thing, it is a copy.
func link(file, name string) error {
	if os.Link(file, name) == nil {
		return nil
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// SyncDirectory makes the names in a directory as durable as the files.
func SyncDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it has no such thing
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
