package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
)

//go:embed migration
var migrations embed.FS

// migrate brings the schema up to date.
func (s *Store) migrate(ctx context.Context) error {
	dir, err := fs.Sub(migrations, "migration/"+string(s.Engine))
	if err != nil {
		return err
	}
	dialect := goose.DialectSQLite3
	if s.Engine == Postgres {
		dialect = goose.DialectPostgres
	}
	p, err := goose.NewProvider(dialect, s.db, dir, goose.WithSlog(slog.New(slog.DiscardHandler)))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("bring the schema up to date: %w", err)
	}
	return nil
}
