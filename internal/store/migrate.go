package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migration
var migrations embed.FS

// migrate brings our schema and the queue's up to date.
func (s *Store) migrate(ctx context.Context) error {
	dir, err := fs.Sub(migrations, "migration/"+string(s.Engine))
	if err != nil {
		return err
	}
	dialect := goose.DialectSQLite3
	if s.Engine == Postgres {
		dialect = goose.DialectPostgres
	}
	p, err := goose.NewProvider(dialect, s.DB, dir, goose.WithSlog(slog.New(slog.DiscardHandler)))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema up to date: %w", err)
	}
	m, err := rivermigrate.New(s.Driver(), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("read the queue's migrations: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("bring the queue's schema up to date: %w", err)
	}
	return nil
}

// Driver is River's way to the database.
func (s *Store) Driver() riverdriver.Driver[*sql.Tx] {
	if s.Engine == Postgres {
		return riverdatabasesql.New(s.DB)
	}
	return riversqlite.New(s.DB)
}
