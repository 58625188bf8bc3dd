package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/asidehq/aside/platform"
)

// LastPost returns the platform's id of the last post in a room that belongs to a message
// before another one, and the number of the message it belongs to: "" and 0 if there is none.
func (s *Store) LastPost(ctx context.Context, room platform.Room, before int64) (post string, message int64, err error) {
	err = s.queryRow(ctx, `SELECT post_id, turn.message FROM post JOIN turn ON turn.id = post.turn
		WHERE platform = ? AND room = ? AND state = ? AND post_id <> '' AND turn.message < ? ORDER BY post.id DESC`+limit,
		room.Platform, room.ID, Delivered, before, 1).Scan(&post, &message)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", 0, fmt.Errorf("read the last post in %s: %w", room, err)
	}
	return post, message, nil
}

// LastMessage returns the platform's id of the last message before another one that people
// see in a room, somebody's or a post: "" if there is none.
func (s *Store) LastMessage(ctx context.Context, room platform.Room, before int64) (string, error) {
	post, answers, err := s.LastPost(ctx, room, before)
	if err != nil {
		return "", err
	}
	var id string
	err = s.queryRow(ctx, `SELECT platform_id FROM message
		WHERE platform = ? AND room = ? AND errand = '' AND reaction = '' AND id < ? AND id > ? ORDER BY id DESC`+limit,
		room.Platform, room.ID, before, answers, 1).Scan(&id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return post, nil
	case err != nil:
		return "", fmt.Errorf("read the last message in %s: %w", room, err)
	}
	return id, nil
}

// Withdraw notes that a post was taken away.
func (s *Store) Withdraw(ctx context.Context, room platform.Room, post string) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `UPDATE post SET state = ?, updated = ? WHERE platform = ? AND room = ? AND post_id = ? AND state = ?`,
			Withdrawn, stamp(s.now()), room.Platform, room.ID, post, Delivered)
		return err
	})
	if err != nil {
		return fmt.Errorf("note that post %s in %s is gone: %w", post, room, err)
	}
	return nil
}

// ClearSummary leaves everything up to a message out of a session's summary and of what is
// read after it. Whoever is summarising it meanwhile comes too late.
func (s *Store) ClearSummary(ctx context.Context, session string, until int64) error {
	err := s.In(ctx, func(tx Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO summary (session, until, text, updated, cleared) VALUES (?, ?, '', ?, ?)
			ON CONFLICT (session) DO UPDATE SET until = excluded.until, text = '', updated = excluded.updated, cleared = excluded.cleared WHERE summary.until < excluded.until`,
			session, until, stamp(s.now()), until)
		return err
	})
	if err != nil {
		return fmt.Errorf("clear the summary of %s: %w", session, err)
	}
	return nil
}
