package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/asidehq/aside/platform"
)

// Files are kept with what they belong to, in the same transaction: a message that is
// received has its files, a post that is queued can be sent again after a crash
// without the file it was made from, and one backup has everything. Their bytes are
// kept once.

// A kept file is one with the name of its bytes.
type kept struct {
	platform.File
	sum any // their SHA-256, or nil if there are none
}

// keeping prepares files for a transaction: adding up takes a while, and others wait
// for the transaction.
func keeping(files []platform.File) []kept {
	all := make([]kept, len(files))
	for i, f := range files {
		f.Name = platform.CleanName(f.Name)
		f.Type = platform.TypeOf(f.Type, f.Data)
		all[i] = kept{File: f}
		if f.Data != nil {
			all[i].Size, all[i].sum = int64(len(f.Data)), Sum(f.Data)
		}
	}
	return all
}

// Sum is the name of bytes in the store.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// keep stores the bytes of files, in an order that lets transactions wait for each
// other without a circle.
func (t Tx) keep(ctx context.Context, files []kept) error {
	ordered := slices.DeleteFunc(slices.Clone(files), func(f kept) bool { return f.sum == nil })
	slices.SortFunc(ordered, func(a, b kept) int { return cmp.Compare(a.sum.(string), b.sum.(string)) })
	for _, f := range ordered {
		var there bool
		if err := t.row(ctx, `SELECT EXISTS (SELECT 1 FROM file WHERE sha256 = ?)`, f.sum).Scan(&there); err != nil {
			return err
		}
		if there {
			continue // without handing the bytes over
		}
		if _, err := t.exec(ctx, `INSERT INTO file (sha256, size, data) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING`, f.sum, f.Size, f.Data); err != nil {
			return err
		}
	}
	return nil
}

func (t Tx) addMessageFiles(ctx context.Context, message int64, session string, files []kept) error {
	if err := t.keep(ctx, files); err != nil {
		return err
	}
	for i, f := range files {
		if _, err := t.exec(ctx, `INSERT INTO message_file (message, ordinal, session, name, type, kind, size, sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			message, i, session, f.Name, f.Type, string(f.Kind), f.Size, f.sum); err != nil {
			return err
		}
	}
	return nil
}

func (t Tx) addPostFiles(ctx context.Context, key string, files []kept) error {
	if len(files) == 0 {
		return nil
	}
	var post int64
	if err := t.row(ctx, `UPDATE post SET files = ? WHERE key = ? RETURNING id`, len(files), key).Scan(&post); err != nil {
		return err
	}
	if err := t.keep(ctx, files); err != nil {
		return err
	}
	for i, f := range files {
		if _, err := t.exec(ctx, `INSERT INTO post_file (post, ordinal, name, type, kind, size, sha256) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (post, ordinal) DO NOTHING`,
			post, i, f.Name, f.Type, string(f.Kind), f.Size, f.sum); err != nil {
			return err
		}
	}
	return nil
}

// PostFiles returns the files of a post with their bytes, in order.
func (s *Store) PostFiles(ctx context.Context, p Post) ([]platform.File, error) {
	if p.Files == 0 {
		return nil, nil
	}
	rows, err := s.query(ctx, `SELECT name, type, kind, post_file.size, data FROM post_file
		JOIN file ON file.sha256 = post_file.sha256 JOIN post ON post.id = post WHERE key = ? ORDER BY ordinal`, p.Key)
	if err == nil {
		var all []platform.File
		all, err = readAll(rows, func(rows *sql.Rows, f *platform.File) error {
			return rows.Scan(&f.Name, &f.Type, &f.Kind, &f.Size, &f.Data)
		})
		if err == nil && len(all) != p.Files {
			err = fmt.Errorf("there are %d, not %d", len(all), p.Files)
		}
		if err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the files of post %s: %w", p.Key, err)
}

// PostSums returns the names of the bytes of a post's files, in order.
func (s *Store) PostSums(ctx context.Context, key string) ([]string, error) {
	rows, err := s.query(ctx, `SELECT sha256 FROM post_file JOIN post ON post.id = post WHERE key = ? ORDER BY ordinal`, key)
	if err == nil {
		var all []string
		if all, err = readAll(rows, func(rows *sql.Rows, sum *string) error { return rows.Scan(sum) }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the files of post %s: %w", key, err)
}

// An Attached file is one that stands in the history of a session, without its bytes.
type Attached struct {
	Turn int64 // of its message
	platform.File
	Sum string // the name of the bytes, "" if there are none
}

// mostAttached is how many files of a history are looked at.
const mostAttached = 100

// AttachedFiles returns the files of a session's messages from one turn to another,
// both of them included, newest message first and the files of a message in order.
func (s *Store) AttachedFiles(ctx context.Context, session string, from, to int64) ([]Attached, error) {
	rows, err := s.query(ctx, `SELECT turn.id, name, type, kind, size, COALESCE(sha256, '') FROM message_file JOIN turn ON turn.message = message_file.message
		WHERE message_file.session = ? AND turn.id >= ? AND turn.id <= ? ORDER BY turn.id DESC, ordinal`+limit, session, from, to, mostAttached)
	if err == nil {
		var all []Attached
		all, err = readAll(rows, func(rows *sql.Rows, f *Attached) error {
			return rows.Scan(&f.Turn, &f.Name, &f.Type, &f.Kind, &f.Size, &f.Sum)
		})
		if err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the files of %s: %w", session, err)
}

// Bytes returns bytes by their name, or nil if there are none of that name.
func (s *Store) Bytes(ctx context.Context, sum string) ([]byte, error) {
	var data []byte
	err := s.queryRow(ctx, `SELECT data FROM file WHERE sha256 = ?`, sum).Scan(&data)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read a file: %w", err)
	}
	return data, nil
}
