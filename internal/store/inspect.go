package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrNoData says that there is no database yet.
var ErrNoData = errors.New("there is no data yet")

// An Inspection is what can be said about a store without changing it, also while
// Aside works on it.
type Inspection struct {
	Engine Engine
	Schema int64     // the version of its schema
	Size   int64     // bytes, on SQLite
	Clock  time.Time // the database's, on PostgreSQL
}

// Inspect looks at a store. It makes nothing, takes no lock and brings nothing up to
// date. On SQLite it reads the whole file to see whether it is in order.
func Inspect(ctx context.Context, database, data string) (Inspection, error) {
	if IsPostgres(database) {
		return inspectPostgres(ctx, database)
	}
	file := filepath.Join(data, databaseFile)
	info, err := os.Stat(file)
	if err != nil {
		return Inspection{}, noData(err)
	}
	found := Inspection{Engine: SQLite, Size: info.Size()}
	db, err := openReader(file)
	if err != nil {
		return found, err
	}
	defer db.Close()
	if found.Schema, err = schemaOf(ctx, db, SQLite); err == nil {
		err = sound(ctx, db, "quick_check")
	}
	if err != nil {
		return found, fmt.Errorf("look at %s: %w", file, classify(err))
	}
	return found, nil
}

func inspectPostgres(ctx context.Context, url string) (Inspection, error) {
	found := Inspection{Engine: Postgres}
	db, err := sql.Open("pgx", url)
	if err != nil {
		return found, errors.New("the URL of the database cannot be read; check database") // its own words may hold the password
	}
	defer db.Close()
	if err = db.QueryRowContext(ctx, `SELECT clock_timestamp()`).Scan(&found.Clock); err == nil {
		found.Schema, err = schemaOf(ctx, db, Postgres)
	}
	if err != nil {
		return found, fmt.Errorf("ask PostgreSQL: %w", err)
	}
	return found, nil
}

// OpenExisting opens a store that exists and is of this program's version: what only
// looks or mends must not make a database, nor change one under an older program.
func OpenExisting(ctx context.Context, database, data string, now func() time.Time) (*Store, error) {
	var schema int64
	if IsPostgres(database) {
		found, err := inspectPostgres(ctx, database)
		if err != nil {
			return nil, err
		}
		if schema = found.Schema; schema == 0 {
			return nil, ErrNoData
		}
	} else {
		file := filepath.Join(data, databaseFile)
		if _, err := os.Stat(file); err != nil {
			return nil, noData(err)
		}
		db, err := openReader(file)
		if err != nil {
			return nil, err
		}
		schema, err = schemaOf(ctx, db, SQLite)
		if err := errors.Join(err, db.Close()); err != nil {
			return nil, fmt.Errorf("open %s: %w", file, classify(err))
		}
	}
	if err := checkSchema(schema); err != nil {
		return nil, err
	}
	return Open(ctx, database, data, now)
}

const databaseFile = "aside.db"

// IsPostgres tells whether a configured database is PostgreSQL.
func IsPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

func noData(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoData
	}
	return err
}

// openReader opens a SQLite database beside whoever writes to it.
func openReader(file string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", fileURL(file, "mode=ro&_pragma=busy_timeout(10000)"))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// fileURL is a file as SQLite is told of it. A name may hold what means something in a
// URL.
func fileURL(file, parameters string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath(), RawQuery: parameters}
	return u.String()
}

// sound runs SQLite's own check, quick_check or integrity_check.
func sound(ctx context.Context, db *sql.DB, check string) error {
	var said string
	if err := db.QueryRowContext(ctx, `PRAGMA `+check+`(1)`).Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, said)
	}
	return nil
}
