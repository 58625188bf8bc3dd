package store

import (
	"context"
	"database/sql"
)

// query reads rows outside a transaction.
func (s *Store) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.read.QueryContext(ctx, s.sql(query), args...)
}

// queryRow reads a row outside a transaction.
func (s *Store) queryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return s.read.QueryRowContext(ctx, s.sql(query), args...)
}

// readAll reads rows to their end.
func readAll[T any](rows *sql.Rows, scan func(*sql.Rows, *T) error) ([]T, error) {
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// limit is the clause for at most so many rows. Of a bare parameter SQLite wants to know
// the value when it compiles the query, and compiles it anew each time: that was a
// seventh of all processor time.
const limit = ` LIMIT ? + 0`
