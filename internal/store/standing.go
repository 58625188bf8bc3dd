package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/platform"
)

// On some platforms a post stands as several messages, and its id is all of theirs, with
// commas between them.
const between = ","

// placed notes each message that a post stands as, where there are several: only a whole id
// can be looked up in the post itself.
func (t Tx) placed(ctx context.Context, p Post) error {
	if !strings.Contains(p.PostID, between) {
		return nil
	}
	for _, id := range strings.Split(p.PostID, between) {
		if _, err := t.exec(ctx, `INSERT INTO post_message (platform, message, post) SELECT platform, ?, id FROM post WHERE key = ? ON CONFLICT DO NOTHING`, id, p.Key); err != nil {
			return err
		}
	}
	return nil
}

// What is known of a message, in each table that has some. Each takes the platform, the id,
// and the room twice.
var standings = []struct {
	query string
	post  bool
}{
	{`SELECT room, text, created FROM post WHERE platform = ? AND post_id = ? AND post_id <> '' AND (room = ? OR room LIKE ?) ORDER BY id DESC LIMIT 1`, true},
	{`SELECT room, text, created FROM post_message JOIN post ON post.id = post
		WHERE post_message.platform = ? AND message = ? AND (room = ? OR room LIKE ?) ORDER BY post DESC LIMIT 1`, true},
	{`SELECT room, text, created FROM notice WHERE platform = ? AND post_id = ? AND post_id <> '' AND (room = ? OR room LIKE ?) ORDER BY id DESC LIMIT 1`, true},
	{`SELECT room, text, written FROM message WHERE platform = ? AND platform_id = ? AND (room = ? OR room LIKE ?) ORDER BY id DESC LIMIT 1`, false},
}

// Standing returns what is known of a message in a room, or in a topic of that room, and
// whether it is a post. It is for platforms that tell no more of a message than its id.
// Nil is nothing.
func (s *Store) Standing(ctx context.Context, room platform.Room, id string) (m *platform.Message, post bool, err error) {
	if id == "" {
		return nil, false, nil
	}
	for _, table := range standings {
		m, err = s.standing(ctx, table.query, room.Platform, id, room.ID, likeTopics(room.ID))
		if err != nil {
			return nil, false, fmt.Errorf("look for message %s in %s: %w", id, room, err)
		}
		if m != nil {
			m.Room.Platform, m.ID = room.Platform, id
			return m, table.post, nil
		}
	}
	return nil, false, nil
}

// likeTopics is what the ids of a room's topics look like. What LIKE takes for more than
// itself is in no such id.
func likeTopics(room string) string {
	if strings.ContainsAny(room, `%_\`) {
		return ""
	}
	return room + ":%"
}

func (s *Store) standing(ctx context.Context, query string, args ...any) (*platform.Message, error) {
	var m platform.Message
	var at int64
	err := s.queryRow(ctx, query, args...).Scan(&m.Room.ID, &m.Text, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m.At = unstamp(at)
	return &m, nil
}
