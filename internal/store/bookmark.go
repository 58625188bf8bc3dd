package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A Bookmark is how far a platform's messages have been handled. What it says is the
// adapter's own.
type Bookmark struct {
	Store *Store
	Name  string
}

// Load returns what was saved last, nil if nothing was.
func (b Bookmark) Load(ctx context.Context) ([]byte, error) {
	var data []byte
	err := b.Store.queryRow(ctx, `SELECT data FROM bookmark WHERE name = ?`, b.Name).Scan(&data)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read the bookmark of %s: %w", b.Name, err)
	}
	return data, nil
}

// Save replaces it.
func (b Bookmark) Save(ctx context.Context, data []byte) error {
	err := b.Store.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO bookmark (name, data) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET data = excluded.data`, b.Name, data)
		return err
	})
	if err != nil {
		return fmt.Errorf("store the bookmark of %s: %w", b.Name, err)
	}
	return nil
}
