package store

import (
	"context"

	"github.com/asidehq/aside/platform"
)

// A Display is a post that shows how far some long work has come: a plan's phases, a forge.
// Its text is what is true by now; package display brings it to the room.
type Display struct {
	Key  string // of the work
	Room platform.Room
	Text string
	Over bool // the work has ended, and the text is the last one
}

// The subjects of notices that are displays.
const (
	AboutWork = "work"
	AboutOver = "work that is over"
)

// Show has a display say something, in the transaction that makes it true. The first time
// it is posted, later that post is changed.
func (t Tx) Show(ctx context.Context, d Display) error {
	about := AboutWork
	if d.Over {
		about = AboutOver
	}
	now := stamp(t.s.now())
	_, err := t.exec(ctx, `INSERT INTO notice (key, subject, platform, room, text, count, state, created, updated)
		VALUES (?, ?, ?, ?, ?, 1, 'queued', ?, ?)
		ON CONFLICT (key) DO UPDATE SET subject = excluded.subject, text = excluded.text, state = 'queued', reason = '', updated = excluded.updated
		WHERE notice.text <> excluded.text OR notice.subject <> excluded.subject`,
		d.Key, about, d.Room.Platform, d.Room.ID, d.Text, now, now)
	return err
}

// Displays are the displays whose room does not show yet what they say, oldest first.
func (s *Store) Displays(ctx context.Context) ([]Notice, error) {
	working, err := s.OpenNotices(ctx, AboutWork)
	if err != nil {
		return nil, err
	}
	over, err := s.OpenNotices(ctx, AboutOver)
	return append(working, over...), err
}
