package store

import (
	"context"
	"fmt"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Post is a row of the outbox.
type Post struct {
	ID      int64
	Key     string
	Turn    int64
	Room    platform.Room
	Text    string
	ReplyTo string
	State   PostState
	PostID  string // the platform's id, once it is known
	Reason  string // why it is not delivered
	Tries   int
	Created time.Time
}

// A PostState is how far a post has come.
type PostState string

const (
	Queued    PostState = "queued"    // to be sent, or to be sent again
	Live      PostState = "live"      // stands in the room and is still being written
	Delivered PostState = "delivered" // stands there as it should
	Withdrawn PostState = "withdrawn" // stood there for a while; the reply came to nothing
	Dead      PostState = "dead"      // refused, or too old to be sent without asking
)

func (t Tx) addPost(ctx context.Context, p Post, now int64) error {
	_, err := t.exec(ctx, `INSERT INTO post (key, turn, platform, room, text, reply_to, state, post_id, reason, created, updated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET text = excluded.text, state = excluded.state, updated = excluded.updated`,
		p.Key, p.Turn, p.Room.Platform, p.Room.ID, p.Text, p.ReplyTo, p.State, p.PostID, p.Reason, now, now)
	return err
}

func (t Tx) savePost(ctx context.Context, p Post, now int64) error {
	_, err := t.exec(ctx, `UPDATE post SET state = ?, post_id = ?, reason = ?, tries = ?, updated = ? WHERE key = ?`,
		p.State, p.PostID, p.Reason, p.Tries, now, p.Key)
	return err
}

// AddPost puts a post into the outbox outside the stages of a turn: the one that is
// written to while the model still writes.
func (s *Store) AddPost(ctx context.Context, p Post) error {
	err := s.In(ctx, func(tx Tx) error { return tx.addPost(ctx, p, stamp(s.now())) })
	if err != nil {
		return fmt.Errorf("store post %s: %w", p.Key, err)
	}
	return nil
}

// SavePost writes what became of a post.
func (s *Store) SavePost(ctx context.Context, p Post) error {
	err := s.In(ctx, func(tx Tx) error { return tx.savePost(ctx, p, stamp(s.now())) })
	if err != nil {
		return fmt.Errorf("store the receipt of post %s: %w", p.Key, err)
	}
	return nil
}

// Posts returns the posts of a turn, in order.
func (s *Store) Posts(ctx context.Context, turn int64) ([]Post, error) {
	return s.posts(ctx, `WHERE turn = ? ORDER BY id`, turn)
}

// PostByKey returns a post, or nil if there is none.
func (s *Store) PostByKey(ctx context.Context, key string) (*Post, error) {
	all, err := s.posts(ctx, `WHERE key = ?`, key)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// DeadPosts returns what could not be delivered, oldest first.
func (s *Store) DeadPosts(ctx context.Context) ([]Post, error) {
	return s.posts(ctx, `WHERE state = ? ORDER BY id`, Dead)
}

func (s *Store) posts(ctx context.Context, where string, args ...any) ([]Post, error) {
	rows, err := s.read.QueryContext(ctx, s.sql(`SELECT id, key, turn, platform, room, text, reply_to, state, post_id, reason, tries, created FROM post `+where), args...)
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	defer rows.Close()
	var all []Post
	for rows.Next() {
		var p Post
		var created int64
		if err := rows.Scan(&p.ID, &p.Key, &p.Turn, &p.Room.Platform, &p.Room.ID, &p.Text, &p.ReplyTo, &p.State, &p.PostID, &p.Reason, &p.Tries, &created); err != nil {
			return nil, fmt.Errorf("read the outbox: %w", err)
		}
		p.Created = unstamp(created)
		all = append(all, p)
	}
	return all, rows.Err()
}
