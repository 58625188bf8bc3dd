package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/platform"
)

// standingReach is how many posts are looked through, the latest first: the table has no
// index of the platforms' ids, and nobody asks about old ones.
const standingReach = 20_000

// Standing returns what is known of a message in a room, or in a topic of that room, and
// whether it is a post. It is for platforms that tell no more of a message than its id.
// Nil is nothing.
func (s *Store) Standing(ctx context.Context, room platform.Room, id string) (m *platform.Message, post bool, err error) {
	if id == "" || strings.ContainsAny(id, ",%_") {
		return nil, false, nil
	}
	m, err = s.standing(ctx, `SELECT room, text, created FROM post
		WHERE id > (SELECT COALESCE(MAX(id), 0) FROM post) - ? AND platform = ? AND (room = ? OR room LIKE ?)
		AND (post_id = ? OR post_id LIKE ? OR post_id LIKE ? OR post_id LIKE ?) ORDER BY id DESC LIMIT 1`,
		standingReach, room.Platform, room.ID, room.ID+":%", id, id+",%", "%,"+id, "%,"+id+",%")
	if m == nil && err == nil {
		m, err = s.standing(ctx, `SELECT room, text, written FROM message
			WHERE platform = ? AND platform_id = ? AND (room = ? OR room LIKE ?) ORDER BY id DESC LIMIT 1`,
			room.Platform, id, room.ID, room.ID+":%")
	} else {
		post = m != nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("look for message %s in %s: %w", id, room, err)
	}
	if m != nil {
		m.Room.Platform, m.ID = room.Platform, id
	}
	return m, post, nil
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
