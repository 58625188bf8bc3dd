package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// A turn that no message of a platform has started is an errand: a job's run, something
// put off, a phase of a plan. It has a message all the same, written by the runtime and seen
// by nobody, which says for whom and where it is done; whatever follows from it carries that
// along.

// An Errand is what opens such a turn.
type Errand struct {
	// Key is the errand's own, for ever: of two with one key in one room there is only the
	// first.
	Key  string
	Flow string // cron, deferral, loop, plan or spawn

	// Session is the conversation that it belongs to, "" for that of the room. Errands of one
	// session never overlap.
	Session string

	Room   platform.Room
	Parent string // of the room
	Direct bool
	Person platform.Person // for whom, and with whose rights
	Text   string          // what the model is told, all of it
	At     time.Time       // when it was due
	Depth  int             // how many agents stand between the person and this one

	Brief
}

// A Brief is how an errand is done.
type Brief struct {
	Job   string   `json:",omitempty"` // what it is a run of, such as cron-001
	Role  string   `json:",omitempty"` // the role of the model that is asked, "" for chat
	Model string   `json:",omitempty"` // and its name, "" for the one that has the role
	Only  []string `json:",omitempty"` // the only actions allowed; nil is no such list

	// Unposted is set where the reply is for the runtime: nobody is told what it says.
	Unposted bool `json:",omitempty"`

	// Alone is set where neither what was said before nor what is known of the person is
	// told to the model.
	Alone bool `json:",omitempty"`

	// Within is the flow of the agent that has started this one, where one has.
	Within string `json:",omitempty"`

	// Cancelled is why it is not to be gone on with, "" if it is.
	Cancelled string `json:",omitempty"`
	// Routing "json" says that the reply is a list of texts for rooms.
	Routing string `json:",omitempty"`

	// Quiet is set where the reply may be empty, and then only what failed is told.
	Quiet bool `json:",omitempty"`
	// Plain is set where the reply is a text to be read, such as a document: nothing in it is
	// an instruction, and the model is told of none.
	Plain bool `json:",omitempty"`

	// More is what whoever has opened it has to know in the end.
	More json.RawMessage `json:",omitempty"`
}

// Opened is what became of an errand.
type Opened struct {
	Turn  int64
	Fresh bool // it was not there before
	Mine  bool // this process has to begin with its session
}

// OpenErrand is Open in a transaction of its own.
func (s *Store) OpenErrand(ctx context.Context, e Errand, claim bool) (o Opened, err error) {
	err = s.In(ctx, func(tx Tx) (err error) {
		o, err = tx.Open(ctx, e, claim)
		return err
	})
	if err != nil {
		return Opened{}, fmt.Errorf("open errand %s: %w", e.Key, err)
	}
	return o, nil
}

// Open writes an errand and its turn, once. claim says that this process would work
// through its session; if not, the queue has to be told to look (Await).
func (t Tx) Open(ctx context.Context, e Errand, claim bool) (o Opened, err error) {
	session := e.In()
	if err := t.lockSession(ctx, session); err != nil {
		return o, err
	}
	brief, err := json.Marshal(e.Brief)
	if err != nil {
		return o, err
	}
	now := stamp(t.s.now())
	var id int64
	err = t.row(ctx, `INSERT INTO message (platform, room, platform_id, author, author_name, text, reply_to, direct, written, received, mentioned, reaction, edits, parent, silent, errand, handle)
		VALUES (?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, '', '', ?, ?, ?, ?) ON CONFLICT (platform, room, platform_id) DO NOTHING RETURNING id`,
		e.Room.Platform, e.Room.ID, e.Key, e.Person.ID, e.Person.Name, e.Text, e.Direct, stamp(e.At), now, true, e.Parent, false, string(brief), e.Person.Handle).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = t.row(ctx, `SELECT turn.id FROM turn JOIN message ON message.id = turn.message
			WHERE platform = ? AND room = ? AND platform_id = ? ORDER BY turn.id LIMIT 1`, e.Room.Platform, e.Room.ID, e.Key).Scan(&o.Turn)
		return o, err
	}
	if err != nil {
		return o, err
	}
	o.Fresh = true
	if err := t.row(ctx, `INSERT INTO turn (session, flow, message, stage, depth, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		session, e.Flow, id, Waiting, e.Depth, now, now).Scan(&o.Turn); err != nil {
		return o, err
	}
	o.Mine, err = t.open(ctx, session, claim)
	return o, err
}

// In is the session that an errand belongs to.
func (e Errand) In() string {
	if e.Session != "" {
		return e.Session
	}
	return e.Room.String()
}

// readBrief makes a turn one of an errand, if there is a brief in the column.
func readBrief(stored string, t *Turn) error {
	if stored == "" {
		return nil
	}
	t.Message.Unseen = true
	t.Brief = &Brief{}
	return json.Unmarshal([]byte(stored), t.Brief)
}

// An OpenTurn is a turn that is not settled.
type OpenTurn struct {
	Session string
	Turn    int64
}

// CancelErrand ends an errand for a reason: no turn of it begins any more, and the reply of
// one for which a model is being asked is not stored. What a stored reply does is still
// done. It returns the turns that are open.
func (s *Store) CancelErrand(ctx context.Context, room platform.Room, key, why string) (open []OpenTurn, err error) {
	err = s.In(ctx, func(tx Tx) (err error) {
		open, err = tx.CancelErrand(ctx, room, key, why)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("cancel errand %s: %w", key, err)
	}
	return open, nil
}

// CancelErrand is the store's in a transaction of somebody else's.
func (t Tx) CancelErrand(ctx context.Context, room platform.Room, key, why string) ([]OpenTurn, error) {
	rows, err := t.rows(ctx, `SELECT session, turn.id, message.id, errand FROM turn JOIN message ON message.id = turn.message
		WHERE platform = ? AND room = ? AND platform_id = ? AND errand <> '' AND stage <> 'settled' ORDER BY turn.id`, room.Platform, room.ID, key)
	if err != nil {
		return nil, err
	}
	type found struct {
		OpenTurn
		message int64
		brief   string
	}
	all, err := readAll(rows, func(rows *sql.Rows, f *found) error { return rows.Scan(&f.Session, &f.Turn, &f.message, &f.brief) })
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var b Brief
	if err := json.Unmarshal([]byte(all[0].brief), &b); err != nil {
		return nil, err
	}
	b.Cancelled = why
	brief, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	if _, err := t.exec(ctx, `UPDATE message SET errand = ? WHERE id = ?`, string(brief), all[0].message); err != nil {
		return nil, err
	}
	var open []OpenTurn
	for _, f := range all {
		// As with a message that was changed: who has read the turn before begins anew.
		if _, err := t.exec(ctx, `UPDATE turn SET updated = updated + 1 WHERE id = ? AND stage = 'waiting'`, f.Turn); err != nil {
			return nil, err
		}
		open = append(open, f.OpenTurn)
	}
	return open, nil
}

// SpawnSession begins the names of sessions that another session waits for.
const SpawnSession = "spawn/"

// IsSpawned tells whether another session waits for one.
func IsSpawned(session string) bool { return strings.HasPrefix(session, SpawnSession) }

// OpenErrands is how many turns of a session are not settled.
func (t Tx) OpenErrands(ctx context.Context, session string) (n int, err error) {
	err = t.row(ctx, `SELECT COUNT(*) FROM turn WHERE session = ? AND stage <> 'settled'`, session).Scan(&n)
	return n, err
}
