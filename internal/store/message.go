package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/platform"
)

// Received is what became of a message.
type Received struct {
	Turn  int64 // that answers it
	Fresh bool  // it was not stored before
	Mine  bool  // this process has to begin with its session
	Busy  bool  // a process is at work on it
	Idle  bool  // everything before it was settled

	Due time.Time // when its session is to be worked on; zero if at once
}

// Receive writes a message and the turn that answers it, once: for a message that
// was stored before it returns the turn of then. The session of a message is its
// room; claim says that this process would work through it.
func (s *Store) Receive(ctx context.Context, m platform.Message, claim bool) (Received, error) {
	return s.ReceiveAs(ctx, m, Handling{}, claim)
}

// Handling is how a message is answered.
type Handling struct {
	// Debounce is how long its turn waits for more of the same person, who often says one
	// thing in several messages. All that come meanwhile are answered together.
	Debounce time.Duration

	// Silent is set where nobody is to read what is said about it.
	Silent bool

	Limits  []Limit // that it counts for
	Quietly bool    // nobody is told that one is reached

	Unanswered string // why nobody answers it; "" if somebody does
	Notice     string // what is said instead, or ""
}

// ReceiveAs is Receive for a message that is not answered like any other.
func (s *Store) ReceiveAs(ctx context.Context, m platform.Message, how Handling, claim bool) (Received, error) {
	return s.receive(ctx, m, claim, arrival{stage: Waiting, flow: flowOf(m), text: m.Text, how: how})
}

// Overhear writes a message that nobody answers, so that it is known what was said.
func (s *Store) Overhear(ctx context.Context, m platform.Message) error {
	_, err := s.receive(ctx, m, false, arrival{stage: Settled, flow: flowOf(m), text: m.Text})
	return err
}

// An arrival is how a message is stored.
type arrival struct {
	stage Stage // of its turn
	flow  string
	text  string // as the model is to read it
	how   Handling
	also  func(Tx) error // is done with a message that was not stored before; nil is nothing
}

func (s *Store) receive(ctx context.Context, m platform.Message, claim bool, as arrival) (r Received, err error) {
	files := keeping(m.Files)
	var wanted []mark.Wanted
	err = s.In(ctx, func(tx Tx) error {
		r, wanted = Received{}, nil
		session := m.Room.String()
		if err := tx.lockSession(ctx, session); err != nil {
			return err
		}
		now := stamp(s.now())
		reaction, err := encodeReaction(m.Reaction)
		if err != nil {
			return err
		}
		var id int64
		err = tx.row(ctx, `INSERT INTO message (platform, room, platform_id, author, author_name, text, reply_to, direct, written, received, mentioned, reaction, edits, parent, silent, handle)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (platform, room, platform_id) DO NOTHING RETURNING id`,
			m.Room.Platform, m.Room.ID, m.ID, m.Author.ID, m.Author.Name, as.text, m.ReplyTo, m.Direct, stamp(m.At), now, m.Mentioned, reaction, m.Edits, m.Parent, as.how.Silent, m.Author.Handle).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return tx.row(ctx, `SELECT turn.id FROM turn JOIN message ON message.id = turn.message
				WHERE platform = ? AND room = ? AND platform_id = ? ORDER BY turn.id LIMIT 1`,
				m.Room.Platform, m.Room.ID, m.ID).Scan(&r.Turn)
		}
		if err != nil {
			return err
		}
		r.Fresh = true
		if as.also != nil {
			if err := as.also(tx); err != nil {
				return err
			}
		}
		if err := tx.addMessageFiles(ctx, id, session, files); err != nil {
			return err
		}
		if m.Room.Platform == webPlatform && m.Reaction == nil {
			if err := tx.landWeb(ctx, m, files); err != nil {
				return err
			}
		}
		begin, err := tx.beginning(ctx, m, as)
		if err != nil {
			return err
		}
		if err := tx.row(ctx, `INSERT INTO turn (session, flow, message, stage, due, joined, notice, unanswered, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			session, as.flow, id, begin.stage, begin.due, begin.joined, begin.notice, begin.why, now, now).Scan(&r.Turn); err != nil {
			return err
		}
		if wanted, err = tx.markReceived(ctx, id, m, !as.how.Silent && (begin.stage != Settled || begin.joined != 0), now); err != nil {
			return err
		}
		switch {
		case begin.joined != 0 || begin.due > 0:
			r.Due, r.Busy, r.Idle, err = tx.wait(ctx, session)
		case begin.stage != Settled:
			r.Mine, r.Busy, r.Idle, err = tx.take(ctx, session, claim)
		}
		return err
	})
	if err != nil {
		return Received{}, fmt.Errorf("store message %s of %s: %w", m.ID, m.Room, err)
	}
	s.marks.tell(wanted)
	return r, nil
}

// A beginning is how the turn of a message begins.
type beginning struct {
	passing
	stage  Stage
	due    int64
	joined int64 // the turn of an earlier message, which answers; 0 is none
}

func (t Tx) beginning(ctx context.Context, m platform.Message, as arrival) (b beginning, err error) {
	b.stage = as.stage
	if as.how.Unanswered != "" {
		b.passing = passing{over: true, why: as.how.Unanswered, notice: as.how.Notice}
		if b.notice == "" {
			b.stage = Settled
		}
		return b, nil
	}
	if as.how.Debounce > 0 {
		if b.joined, err = t.joinBurst(ctx, m, as.how); b.joined != 0 || err != nil {
			b.stage, b.why = Settled, joinedWhy
			return b, err
		}
	}
	if b.passing, err = t.count(ctx, as.how.Limits, as.how.Quietly || as.how.Silent); err != nil {
		return b, err
	}
	switch {
	case b.over && b.notice == "":
		b.stage = Settled
	case !b.over && as.how.Debounce > 0:
		b.due = stamp(t.s.now().Add(as.how.Debounce))
	}
	return b, nil
}

// flowOf is why a message starts a turn.
func flowOf(m platform.Message) string {
	if m.Reaction != nil {
		return "reaction"
	}
	return "message"
}

// encodeReaction is a reaction as it stands in its column, "" for none.
func encodeReaction(r *platform.Reaction) (string, error) {
	if r == nil {
		return "", nil
	}
	r.To.Files = nil // their bytes are not what it is about
	b, err := json.Marshal(r)
	return string(b), err
}

func decodeReaction(stored string, m *platform.Message) error {
	if stored == "" {
		return nil
	}
	return json.Unmarshal([]byte(stored), &m.Reaction)
}
