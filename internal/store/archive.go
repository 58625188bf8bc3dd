package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/asidehq/aside/platform"
)

// What was said becomes episodes when the conversation has ended. What of it is still to
// become one is looked for here.

// A Pending session has messages that are in no episode.
type Pending struct {
	Session string
	Until   int64 // the last message that is in one
	Folded  int64 // the last message that no prompt tells in full any more
}

// A Said is something that was said in a session, and what was answered.
type Said struct {
	Message      int64
	Person, Name string // Person as platform/id
	Direct       bool
	Errand       bool // nobody has said the text: the runtime has
	Text, Answer string
	At           time.Time
}

// archived is the bookmark of how far messages were looked at.
const archived = "episodes"

// noticedAtOnce is how many messages are looked at in one go.
const noticedAtOnce = 5000

// Notice looks at messages that came before a time, for sessions with something new in them.
// It tells whether there are more. The time has to be some minutes ago: the messages of other
// processes are not there in the order of their numbers at once.
func (s *Store) Notice(ctx context.Context, before time.Time) (more bool, err error) {
	bookmark, err := Bookmark{s, archived}.Load(ctx)
	if err != nil {
		return false, err
	}
	since, _ := strconv.ParseInt(string(bookmark), 10, 64) // none is 0
	type seen struct {
		message, received int64
		session           string
		counts            bool
	}
	rows, err := s.query(ctx, `SELECT message.id, message.received, COALESCE(turn.session, ''), message.errand = '' AND turn.session = message.platform || '/' || message.room
		FROM message JOIN turn ON turn.message = message.id WHERE message.id > ? ORDER BY message.id`+limit, since, noticedAtOnce)
	var all []seen
	if err == nil {
		all, err = readAll(rows, func(rows *sql.Rows, one *seen) error {
			return rows.Scan(&one.message, &one.received, &one.session, &one.counts)
		})
	}
	if err != nil {
		return false, fmt.Errorf("look for what was said: %w", err)
	}
	newest := map[string]seen{}
	last := since
	more = len(all) == noticedAtOnce
	for _, one := range all {
		if one.received > stamp(before) {
			more = false
			break
		}
		if last = one.message; one.counts {
			newest[one.session] = one
		}
	}
	if last == since {
		return false, nil
	}
	err = s.In(ctx, func(tx Tx) error {
		for session, one := range newest {
			if _, err := tx.exec(ctx, `INSERT INTO episode_progress (session, newest, spoke) VALUES (?, ?, ?)
				ON CONFLICT (session) DO UPDATE SET newest = excluded.newest, spoke = excluded.spoke WHERE episode_progress.newest < excluded.newest`,
				session, one.message, one.received); err != nil {
				return err
			}
		}
		_, err := tx.exec(ctx, `INSERT INTO bookmark (name, data) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET data = excluded.data`,
			archived, []byte(strconv.FormatInt(last, 10)))
		return err
	})
	if err != nil {
		return false, fmt.Errorf("note what was said: %w", err)
	}
	return more, nil
}

// Pending returns sessions in which something has been said that is in no episode, and which
// were silent since a time or have something that was folded.
func (s *Store) Pending(ctx context.Context, silent time.Time, most int) ([]Pending, error) {
	rows, err := s.query(ctx, `SELECT episode_progress.session, episode_progress.until, COALESCE(summary.until, 0)
		FROM episode_progress LEFT JOIN summary ON summary.session = episode_progress.session
		WHERE newest > episode_progress.until AND (spoke <= ? OR summary.until > episode_progress.until) ORDER BY spoke`+limit, stamp(silent), most)
	if err == nil {
		var all []Pending
		if all, err = readAll(rows, func(rows *sql.Rows, p *Pending) error { return rows.Scan(&p.Session, &p.Until, &p.Folded) }); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("look for conversations that have ended: %w", err)
}

const saidColumns = `SELECT turn.message, platform || '/' || author, author_name, direct, errand <> '', text, edits, reaction, shown, received
	FROM turn JOIN message ON message.id = turn.message `

// Said returns what was said in a session after a message and before another one, oldest
// first, at most so much: up to the first message that is not settled yet.
func (s *Store) Said(ctx context.Context, session string, after, before int64, most int) ([]Said, error) {
	rows, err := s.query(ctx, saidColumns+`WHERE session = ? AND turn.message > ? AND turn.message < ?
		AND turn.message < COALESCE((SELECT MIN(open.message) FROM turn AS open WHERE open.session = ? AND open.stage <> 'settled'), turn.message + 1)
		AND NOT EXISTS (SELECT 1 FROM turn AS later WHERE later.message = turn.message AND later.id > turn.id) ORDER BY turn.message`+limit,
		session, after, before, session, most)
	if err == nil {
		var all []Said
		if all, err = readAll(rows, scanSaid); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read what was said in %s: %w", session, err)
}

func scanSaid(rows *sql.Rows, one *Said) error {
	var m platform.Message
	var reaction string
	var received int64
	err := rows.Scan(&one.Message, &one.Person, &one.Name, &one.Direct, &one.Errand, &m.Text, &m.Edits, &reaction, &one.Answer, &received)
	if err == nil {
		err = decodeReaction(reaction, &m)
	}
	one.Text, one.At = Words(m), unstamp(received)
	return err
}

// errArchived says that somebody else has made the episode.
var errArchived = errors.New("it is in an episode already")

// Archive notes that what was said in a session is in episodes up to a message, and keeps
// the episode that it is in, unless that is nil: then nothing of it was worth one. It
// does nothing if somebody else has gone on from there.
func (s *Store) Archive(ctx context.Context, p Pending, last int64, e *Episode, words string) error {
	err := s.In(ctx, func(tx Tx) error {
		done, err := tx.exec(ctx, `UPDATE episode_progress SET until = ? WHERE session = ? AND until = ?`, last, p.Session, p.Until)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errArchived)
		}
		if e == nil {
			return nil
		}
		return tx.AddEpisode(ctx, *e, words)
	})
	if err != nil && !errors.Is(err, errArchived) {
		return fmt.Errorf("keep an episode of %s: %w", p.Session, err)
	}
	return nil
}
