package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/asidehq/aside/platform"
)

// Received is what became of a message.
type Received struct {
	Turn  int64 // that answers it
	Fresh bool  // it was not stored before
	Mine  bool  // this process has to begin with its session
}

// Receive writes a message and the turn that answers it, once: for a message that
// was stored before it returns the turn of then. The session of a message is its
// room; claim says that this process would work through it.
func (s *Store) Receive(ctx context.Context, m platform.Message, claim bool) (r Received, err error) {
	files := keeping(m.Files)
	err = s.In(ctx, func(tx Tx) error {
		r = Received{}
		session := m.Room.String()
		if err := tx.lockSession(ctx, session); err != nil {
			return err
		}
		now := stamp(s.now())
		var id int64
		err := tx.row(ctx, `INSERT INTO message (platform, room, platform_id, author, author_name, text, reply_to, direct, written, received)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (platform, room, platform_id) DO NOTHING RETURNING id`,
			m.Room.Platform, m.Room.ID, m.ID, m.Author.ID, m.Author.Name, m.Text, m.ReplyTo, m.Direct, stamp(m.At), now).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return tx.row(ctx, `SELECT turn.id FROM turn JOIN message ON message.id = turn.message
				WHERE platform = ? AND room = ? AND platform_id = ? ORDER BY turn.id LIMIT 1`,
				m.Room.Platform, m.Room.ID, m.ID).Scan(&r.Turn)
		}
		if err != nil {
			return err
		}
		r.Fresh = true
		if err := tx.addMessageFiles(ctx, id, session, files); err != nil {
			return err
		}
		if m.Room.Platform == webPlatform {
			if err := tx.landWeb(ctx, m, files); err != nil {
				return err
			}
		}
		if err := tx.row(ctx, `INSERT INTO turn (session, flow, message, stage, created, updated) VALUES (?, 'message', ?, ?, ?, ?) RETURNING id`,
			session, id, Waiting, now, now).Scan(&r.Turn); err != nil {
			return err
		}
		r.Mine, err = tx.open(ctx, session, claim)
		return err
	})
	if err != nil {
		return Received{}, fmt.Errorf("store message %s of %s: %w", m.ID, m.Room, err)
	}
	return r, nil
}
