package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/platform"
)

// Threads knows which threads the agent takes part in, for platforms that do not tell.
type Threads struct{ Store *Store }

// lately are the messages that are looked through for what was recent: there is no need to
// read all of them.
const lately = `message.id > (SELECT COALESCE(MAX(id), 0) FROM message) - 20000`

// Engaged tells whether the agent has answered in a room or was called there.
func (t Threads) Engaged(ctx context.Context, room platform.Room) (bool, error) {
	var yes bool
	err := t.Store.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM message LEFT JOIN turn ON turn.message = message.id
		WHERE message.platform = ? AND message.room = ? AND (message.mentioned OR turn.shown <> ''))`, room.Platform, room.ID).Scan(&yes)
	if err != nil {
		return false, fmt.Errorf("look for the agent in %s: %w", room, err)
	}
	return yes, nil
}

// Recent are the threads of a room from which messages came since, the latest first.
func (t Threads) Recent(ctx context.Context, in platform.Room, since time.Time, most int) ([]platform.Room, error) {
	rows, err := t.Store.query(ctx, `SELECT room FROM message WHERE `+lately+` AND platform = ? AND parent = ? AND received > ?
		GROUP BY room ORDER BY MAX(id) DESC`+limit, in.Platform, in.ID, stamp(since), most)
	if err == nil {
		var rooms []platform.Room
		rooms, err = readAll(rows, func(rows *sql.Rows, r *platform.Room) error {
			r.Platform = in.Platform
			return rows.Scan(&r.ID)
		})
		if err == nil {
			return rooms, nil
		}
	}
	return nil, fmt.Errorf("look for the threads of %s: %w", in, err)
}

// Latest is the room, or the thread of it, in which a person called the agent last.
func (t Threads) Latest(ctx context.Context, in platform.Room, person string) (platform.Room, bool, error) {
	found := platform.Room{Platform: in.Platform}
	err := t.Store.queryRow(ctx, `SELECT room FROM message WHERE `+lately+` AND platform = ? AND (room = ? OR parent = ?) AND author = ? AND mentioned
		ORDER BY id DESC LIMIT 1`, in.Platform, in.ID, in.ID, person).Scan(&found.ID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return platform.Room{}, false, nil
	case err != nil:
		return platform.Room{}, false, fmt.Errorf("look for where %s wrote in %s: %w", person, in, err)
	}
	return found, true, nil
}
