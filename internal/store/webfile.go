package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

// platformFiles are the files of an entry as the store keeps them.
func platformFiles(files []web.File) []platform.File {
	var all []platform.File
	for _, f := range files {
		all = append(all, platform.File{ID: f.ID, Name: f.Name, Type: f.Type, Size: f.Size, Data: f.Data})
	}
	return all
}

// webFiles are kept files as an entry names them.
func webFiles(files []kept) []web.File {
	all := []web.File{}
	for _, f := range files {
		all = append(all, web.File{ID: f.ID, Name: f.Name, Type: f.Type, Size: f.Size})
	}
	return all
}

// addWebFiles makes the files of an entry available for download.
func (t Tx) addWebFiles(ctx context.Context, entry string, files []kept) error {
	if err := t.keep(ctx, files); err != nil {
		return err
	}
	for _, f := range files {
		if f.ID == "" || f.sum == nil {
			return fmt.Errorf("the file %s has no id or no bytes", f.Name)
		}
		if _, err := t.exec(ctx, `INSERT INTO web_file (id, entry, name, type, sha256) VALUES (?, ?, ?, ?, ?)`, f.ID, entry, f.Name, f.Type, f.sum); err != nil {
			return err
		}
	}
	return nil
}

// File implements web.Log.
func (s Web) File(ctx context.Context, id string) (*web.File, error) {
	f := web.File{ID: id}
	err := s.queryRow(ctx, `SELECT name, type, size, data FROM web_file JOIN file ON file.sha256 = web_file.sha256 WHERE id = ?`, id).
		Scan(&f.Name, &f.Type, &f.Size, &f.Data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read file %s: %w", id, err)
	}
	return &f, nil
}
