package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
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
	Files   int // how many it has: see PostFiles
	Created time.Time

	Choices []string        // emoji to press below it
	Attach  []platform.File // to be stored with it
}

// A PostState is how far a post has come.
type PostState string

const (
	Queued    PostState = "queued"    // to be sent, or to be sent again
	Sending   PostState = "sending"   // was begun and cannot be repeated: it may stand there, and is looked for
	Live      PostState = "live"      // stands in the room and is still being written
	Delivered PostState = "delivered" // stands there as it should
	Withdrawn PostState = "withdrawn" // stood there for a while; the reply came to nothing, or it was deleted
	Late      PostState = "late"      // could not be sent for so long that it is not sent without asking
	Dead      PostState = "dead"      // refused, or nobody can tell whether it stands there: Reason says which
)

func (t Tx) addPost(ctx context.Context, p Post, now int64) error {
	_, err := t.exec(ctx, `INSERT INTO post (key, turn, platform, room, text, reply_to, state, post_id, reason, tries, choices, created, updated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET turn = excluded.turn, text = excluded.text, reply_to = excluded.reply_to, choices = excluded.choices, state = excluded.state, updated = excluded.updated`,
		p.Key, p.Turn, p.Room.Platform, p.Room.ID, p.Text, p.ReplyTo, p.State, p.PostID, p.Reason, p.Tries, strings.Join(p.Choices, " "), now, now)
	if err != nil {
		return err
	}
	return t.placed(ctx, p)
}

func (t Tx) savePost(ctx context.Context, p Post, now int64) error {
	_, err := t.exec(ctx, `UPDATE post SET state = ?, post_id = ?, reason = ?, tries = ?, updated = ? WHERE key = ?`,
		p.State, p.PostID, p.Reason, p.Tries, now, p.Key)
	if err != nil {
		return err
	}
	return t.placed(ctx, p)
}

// AddPost puts a post into the outbox outside the stages of a turn: the one that is
// written to while the model still writes, and those of actions.
func (s *Store) AddPost(ctx context.Context, p Post, files ...platform.File) error {
	kept := keeping(files)
	err := s.In(ctx, func(tx Tx) error {
		if err := tx.addPost(ctx, p, stamp(s.now())); err != nil {
			return err
		}
		return tx.addPostFiles(ctx, p.Key, kept)
	})
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
	return s.posts(ctx, `WHERE state IN ('dead', 'late') ORDER BY id`)
}

// LatePosts returns what came too late to be sent into a room, oldest first.
func (s *Store) LatePosts(ctx context.Context, room platform.Room) ([]Post, error) {
	return s.posts(ctx, `WHERE state = 'late' AND platform = ? AND room = ? ORDER BY id`, room.Platform, room.ID)
}

// Requeue puts a post that could not be delivered back into the outbox, with the age
// of a new one, and opens its turn again. It returns the session, and whether this
// process, if it claims it, has to begin with it.
func (s *Store) Requeue(ctx context.Context, key string, claim bool) (session string, mine bool, err error) {
	err = s.In(ctx, func(tx Tx) error {
		now := stamp(s.now())
		err := tx.row(ctx, `SELECT session FROM turn JOIN post ON post.turn = turn.id WHERE key = ? AND state IN ('dead', 'late')`, key).Scan(&session)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoSuchPost
		}
		if err == nil {
			err = tx.lockSession(ctx, session)
		}
		if err == nil {
			_, err = tx.exec(ctx, `UPDATE post SET state = 'queued', created = ?, updated = ?, tries = 0, told = FALSE WHERE key = ? AND state IN ('dead', 'late')`, now, now, key)
		}
		if err == nil {
			_, err = tx.exec(ctx, `UPDATE turn SET stage = ?, updated = ? WHERE id = (SELECT turn FROM post WHERE key = ?)`, Acted, now, key)
		}
		if err == nil {
			mine, err = tx.open(ctx, session, claim)
		}
		return err
	})
	if err != nil {
		return "", false, fmt.Errorf("queue post %s again: %w", key, err)
	}
	return session, mine, nil
}

// ErrNoSuchPost says that there is no undelivered post of that key.
var ErrNoSuchPost = errors.New("there is no such dead letter")

func (s *Store) posts(ctx context.Context, where string, args ...any) ([]Post, error) {
	rows, err := s.query(ctx, `SELECT id, key, turn, platform, room, text, reply_to, state, post_id, reason, tries, files, choices, created FROM post `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	defer rows.Close()
	var all []Post
	for rows.Next() {
		var p Post
		var choices string
		var created int64
		if err := rows.Scan(&p.ID, &p.Key, &p.Turn, &p.Room.Platform, &p.Room.ID, &p.Text, &p.ReplyTo, &p.State, &p.PostID, &p.Reason, &p.Tries, &p.Files, &choices, &created); err != nil {
			return nil, fmt.Errorf("read the outbox: %w", err)
		}
		p.Choices, p.Created = strings.Fields(choices), unstamp(created)
		all = append(all, p)
	}
	return all, rows.Err()
}
