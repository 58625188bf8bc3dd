package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"runtime"
)

// checkpoint brings everything from the log of a SQLite database into its file and
// closes it, so that the file is all there is.
func checkpoint(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", "file:"+file+"?mode=rw")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var busy, frames, done int
	err = db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &done)
	return errors.Join(err, db.Close())
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
