package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// SchemaVersion is the version of the schema that this program works with.
func SchemaVersion() (int64, error) {
	files, err := fs.ReadDir(migrations, "migration/"+string(SQLite))
	if err != nil {
		return 0, fmt.Errorf("read the migrations: %w", err)
	}
	var newest int64
	for _, f := range files {
		v, err := goose.NumericComponent(f.Name())
		if err != nil {
			return 0, fmt.Errorf("read the migrations: %w", err)
		}
		newest = max(newest, v)
	}
	return newest, nil
}

// ErrOtherSchema says that the database is of a version that this program does not
// work with as it is.
var ErrOtherSchema = errors.New("the database is of another version")

// checkSchema compares the version of a database with this program's.
func checkSchema(found int64) error {
	known, err := SchemaVersion()
	switch {
	case err != nil:
		return err
	case found > known:
		return fmt.Errorf("%w: its schema is %d and this program knows %d; use a newer aside", ErrOtherSchema, found, known)
	case found < known:
		return fmt.Errorf("%w: its schema is %d and this program wants %d; aside run brings it up to date", ErrOtherSchema, found, known)
	}
	return nil
}

// schemaOf is the version of the schema of a database, 0 if there is none.
func schemaOf(ctx context.Context, db *sql.DB, engine Engine) (int64, error) {
	exists := `SELECT COUNT(*) FROM sqlite_master WHERE name = 'goose_db_version'`
	if engine == Postgres {
		exists = `SELECT COUNT(*) FROM pg_tables WHERE tablename = 'goose_db_version' AND schemaname = ANY (current_schemas(false))`
	}
	var n int
	if err := db.QueryRowContext(ctx, exists).Scan(&n); err != nil || n == 0 {
		return 0, err
	}
	var version sql.NullInt64
	err := db.QueryRowContext(ctx, `SELECT MAX(version_id) FROM goose_db_version`).Scan(&version)
	return version.Int64, err
}
