package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Copy writes a copy of the SQLite database in a data directory to a new file. It is
// what the database was at one moment, also while Aside goes on writing.
func Copy(ctx context.Context, data, to string) error {
	file := filepath.Join(data, databaseFile)
	if _, err := os.Stat(file); err != nil {
		return noData(err)
	}
	db, err := openReader(file)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `VACUUM INTO ?`, to)
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", file, classify(err))
	}
	return nil
}

// A Census is what a database file holds.
type Census struct {
	Schema int64
	Counts map[string]int64 // the rows of its tables
}

// Examine reads a SQLite file completely, checks that it is in order, and counts.
func Examine(ctx context.Context, file string) (Census, error) {
	db, err := openReader(file)
	if err != nil {
		return Census{}, err
	}
	defer db.Close()
	c := Census{Counts: map[string]int64{}}
	if err = sound(ctx, db, "integrity_check"); err == nil {
		c.Schema, err = schemaOf(ctx, db, SQLite)
	}
	for _, table := range []string{"message", "turn", "action", "post", "fact"} {
		if err != nil {
			break
		}
		var n int64
		err = db.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+table).Scan(&n)
		c.Counts[table] = n
	}
	if err != nil {
		return c, fmt.Errorf("examine %s: %w", filepath.Base(file), classify(err))
	}
	return c, nil
}

// Hold makes a data directory if need be and locks it, so that no Aside works in it
// until release is called. It returns ErrInUse if one does already.
func Hold(data string) (release func() error, err error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data directory: %w", err)
	}
	lock, err := lockFile(filepath.Join(data, "lock"))
	if err != nil {
		return nil, err
	}
	return lock.Close, nil
}

// Own tells whether a file of a data directory is no data: it is there while Aside
// runs and means nothing afterwards.
func Own(name string) bool {
	return name == "lock" || name == addressFile || name == addressFile+".new"
}

// Install makes a file, which is in the data directory, its database, in one step. If
// there is a database it is kept in the directory keep, which must not exist; kept
// tells so. The data directory must be held.
func Install(ctx context.Context, data, file, keep string) (kept bool, err error) {
	old := filepath.Join(data, databaseFile)
	if kept, err = keepOld(ctx, old, keep); err != nil {
		return kept, fmt.Errorf("keep the old database: %w", err)
	}
	if err := os.Rename(file, old); err != nil {
		return kept, fmt.Errorf("put the database in its place: %w", err)
	}
	return kept, SyncDirectory(data)
}

// keepOld links the old database into the directory keep. Until the new one takes its
// place, the old one stays where it is: a crash in between changes nothing.
func keepOld(ctx context.Context, old, keep string) (kept bool, err error) {
	if exists(old) {
		// What stands in the log goes into the file. A damaged one cannot, and is kept
		// with its log.
		_ = checkpoint(ctx, old)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if !exists(old + suffix) {
			continue
		}
		if err := os.MkdirAll(keep, 0o700); err != nil {
			return kept, err
		}
		to := filepath.Join(keep, databaseFile+suffix)
		if suffix == "" {
			err = link(old, to)
		} else {
			// A log must never stand beside a database that it is not of.
			err = os.Rename(old+suffix, to)
		}
		if err != nil {
			return kept, err
		}
		kept = true
	}
	if kept {
		err = SyncDirectory(keep)
	}
	return kept, err
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
