package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

// Web is the store as the log of the web page.
type Web struct{ *Store }

var _ web.Log = Web{}

// Add implements web.Log.
func (s Web) Add(ctx context.Context, e web.Entry) error {
	if e.Reactions == nil {
		e.Reactions = []string{}
	}
	files := keeping(platformFiles(e.Files))
	err := s.In(ctx, func(tx Tx) error { return tx.addEntry(ctx, e, files) })
	if err != nil {
		return fmt.Errorf("add entry %s to room %s: %w", e.ID, e.Room, err)
	}
	return nil
}

// webPlatform is the name of the web page as a platform.
const webPlatform = "web"

// landWeb puts a message that was received into the log.
func (t Tx) landWeb(ctx context.Context, m platform.Message, files []kept) error {
	e := web.Entry{
		ID: m.ID, Room: m.Room.ID, Author: m.Author.Name, Kind: "person", Text: m.Text, ReplyTo: m.ReplyTo,
		Reactions: []string{}, At: m.At,
	}
	if t.s.marked(m) {
		e.Mark = string(mark.Received)
	}
	return t.addEntry(ctx, e, files)
}

func (t Tx) addEntry(ctx context.Context, e web.Entry, files []kept) error {
	e.Files = webFiles(files)
	b, err := json.Marshal(e.Files)
	if err != nil {
		return err
	}
	done, err := t.exec(ctx, `INSERT INTO web_entry (id, room, author, kind, text, reply_to, mark, files, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		e.ID, e.Room, e.Author, e.Kind, e.Text, e.ReplyTo, e.Mark, string(b), stamp(e.At))
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := t.addWebFiles(ctx, e.ID, files); err != nil {
		return err
	}
	return t.webEvent(ctx, e.Room, "post", e)
}

// webEvent adds an event. Events of a room wait for each other: their numbers must
// become visible in order, or a page that follows them would miss one.
func (t Tx) webEvent(ctx context.Context, room, kind string, body any) error {
	if err := t.lockSession(ctx, "web-events/"+room); err != nil {
		return err
	}
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if _, err = t.exec(ctx, `INSERT INTO web_event (room, kind, body, created) VALUES (?, ?, ?, ?)`, room, kind, string(b), stamp(t.s.now())); err != nil {
		return err
	}
	return t.tell(ctx, RoomChanged, room)
}

// change runs do on an entry and adds an event if it says so.
func (s Web) change(ctx context.Context, room, id, kind string, do func(Tx, *web.Entry) (changed bool, err error)) (bool, error) {
	found := false
	err := s.In(ctx, func(tx Tx) error {
		e, err := scanEntry(tx.row(ctx, `SELECT `+entryColumns+` FROM web_entry WHERE id = ? AND room = ?`, id, room))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		changed, err := do(tx, &e)
		if err != nil || !changed {
			return err
		}
		return tx.webEvent(ctx, room, kind, e)
	})
	if err != nil {
		return false, fmt.Errorf("%s entry %s of room %s: %w", kind, id, room, err)
	}
	return found, nil
}

// Edit implements web.Log.
func (s Web) Edit(ctx context.Context, room, id, text string) (bool, error) {
	return s.change(ctx, room, id, "edit", func(tx Tx, e *web.Entry) (bool, error) {
		if e.Text == text {
			return false, nil
		}
		e.Text = text
		_, err := tx.exec(ctx, `UPDATE web_entry SET text = ? WHERE id = ?`, text, id)
		return true, err
	})
}

// Delete implements web.Log.
func (s Web) Delete(ctx context.Context, room, id string) (bool, error) {
	return s.change(ctx, room, id, "delete", func(tx Tx, e *web.Entry) (bool, error) {
		e.Text, e.Files = "", []web.File{}
		if _, err := tx.exec(ctx, `DELETE FROM web_file WHERE entry = ?`, id); err != nil {
			return false, err
		}
		_, err := tx.exec(ctx, `DELETE FROM web_entry WHERE id = ?`, id)
		return true, err
	})
}

// React implements web.Log.
func (s Web) React(ctx context.Context, room, id, emoji string, on bool) (bool, error) {
	return s.change(ctx, room, id, "react", func(tx Tx, e *web.Entry) (bool, error) {
		i := slices.Index(e.Reactions, emoji)
		switch {
		case on == (i >= 0):
			return false, nil
		case on:
			e.Reactions = append(e.Reactions, emoji)
		default:
			e.Reactions = slices.Delete(e.Reactions, i, i+1)
		}
		b, err := json.Marshal(e.Reactions)
		if err != nil {
			return false, err
		}
		_, err = tx.exec(ctx, `UPDATE web_entry SET reactions = ? WHERE id = ?`, string(b), id)
		return true, err
	})
}

const entryColumns = `id, room, author, kind, text, reply_to, mark, reactions, files, created`

func scanEntry(row interface{ Scan(...any) error }) (web.Entry, error) {
	var e web.Entry
	var reactions, files string
	var created int64
	if err := row.Scan(&e.ID, &e.Room, &e.Author, &e.Kind, &e.Text, &e.ReplyTo, &e.Mark, &reactions, &files, &created); err != nil {
		return e, err
	}
	e.At = unstamp(created)
	return e, errors.Join(json.Unmarshal([]byte(reactions), &e.Reactions), json.Unmarshal([]byte(files), &e.Files))
}

// Entries implements web.Log.
func (s Web) Entries(ctx context.Context, room, after string, most int) ([]web.Entry, error) {
	rows, err := s.query(ctx, `SELECT `+entryColumns+` FROM web_entry
		WHERE room = ? AND number > COALESCE((SELECT number FROM web_entry WHERE id = ?), 0) ORDER BY number`+limit, room, after, most)
	return entries(room, rows, err)
}

// EntriesBefore implements web.Log.
func (s Web) EntriesBefore(ctx context.Context, room, before string, most int) ([]web.Entry, error) {
	rows, err := s.query(ctx, `SELECT `+entryColumns+` FROM web_entry
		WHERE room = ? AND number < COALESCE((SELECT number FROM web_entry WHERE id = ?), 9223372036854775807) ORDER BY number DESC`+limit, room, before, most)
	all, err := entries(room, rows, err)
	slices.Reverse(all)
	return all, err
}

// entries reads what a query has found.
func entries(room string, rows *sql.Rows, err error) ([]web.Entry, error) {
	if err != nil {
		return nil, fmt.Errorf("read room %s: %w", room, err)
	}
	defer rows.Close()
	all := []web.Entry{}
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return nil, fmt.Errorf("read room %s: %w", room, err)
		}
		all = append(all, e)
	}
	return all, rows.Err()
}

// Rooms implements web.Log.
func (s Web) Rooms(ctx context.Context, most int) ([]web.Room, error) {
	rows, err := s.query(ctx, `SELECT e.room, r.entries, e.id, e.author, e.kind, substr(e.text, 1, 200), e.created
		FROM (SELECT MAX(number) AS last, COUNT(*) AS entries FROM web_entry GROUP BY room) r JOIN web_entry e ON e.number = r.last
		ORDER BY e.number DESC`+limit, most)
	if err != nil {
		return nil, fmt.Errorf("read the rooms: %w", err)
	}
	defer rows.Close()
	var all []web.Room
	for rows.Next() {
		var r web.Room
		var created int64
		if err := rows.Scan(&r.Room, &r.Count, &r.Last.ID, &r.Last.Author, &r.Last.Kind, &r.Last.Text, &created); err != nil {
			return nil, fmt.Errorf("read the rooms: %w", err)
		}
		r.Last.At = unstamp(created)
		all = append(all, r)
	}
	return all, rows.Err()
}

// Events implements web.Log.
func (s Web) Events(ctx context.Context, room string, after int64, most int) ([]web.Event, error) {
	rows, err := s.query(ctx, `SELECT id, kind, body FROM web_event WHERE room = ? AND id > ? ORDER BY id`+limit, room, after, most)
	if err != nil {
		return nil, fmt.Errorf("read the events of room %s: %w", room, err)
	}
	defer rows.Close()
	var all []web.Event
	for rows.Next() {
		var e web.Event
		var body string
		if err := rows.Scan(&e.ID, &e.Kind, &body); err != nil {
			return nil, fmt.Errorf("read the events of room %s: %w", room, err)
		}
		e.Body = json.RawMessage(body)
		all = append(all, e)
	}
	return all, rows.Err()
}

// Last implements web.Log.
func (s Web) Last(ctx context.Context, room string) (int64, error) {
	var last int64
	err := s.queryRow(ctx, `SELECT COALESCE(MAX(id), 0) FROM web_event WHERE room = ?`, room).Scan(&last)
	if err != nil {
		return 0, fmt.Errorf("read the events of room %s: %w", room, err)
	}
	return last, nil
}
