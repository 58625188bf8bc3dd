package telegram

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// marks are what a bookmark says.
type marks struct {
	store platform.Bookmark // may be nil

	mu    sync.Mutex
	kept  kept
	dirty bool
}

// kept is what is stored.
type kept struct {
	Offset int             `json:"offset"` // the next update
	At     time.Time       `json:"at"`     // when the last one came
	Moved  map[int64]int64 `json:"moved"`  // groups that are supergroups now

	// Parts are those of albums that were brought to the webhook and not handed over yet,
	// by album.
	Parts map[string][]json.RawMessage `json:"parts,omitempty"`
}

// counted is how long Telegram counts updates on. After a week without any it begins anew
// at some other number, which may be a smaller one.
const counted = 6 * 24 * time.Hour

func (m *marks) load(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return platform.ReadBookmark(ctx, m.store, &m.kept)
}

// offset is the next update to ask for, or 0 if nobody knows.
func (m *marks) offset(now time.Time) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now.Sub(m.kept.At) > counted {
		return 0
	}
	return m.kept.Offset
}

// reach notes that everything before an update has been handled.
func (m *marks) reach(offset int, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept.Offset, m.kept.At, m.dirty = offset, now, true
}

// now is the id that a chat has now.
func (m *marks) now(chat int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if to, ok := m.kept.Moved[chat]; ok {
		return to
	}
	return chat
}

// move notes that a group has become a supergroup, and tells whether that is news.
func (m *marks) move(from, to int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept.Moved[from] == to {
		return false
	}
	if m.kept.Moved == nil {
		m.kept.Moved = map[int64]int64{}
	}
	m.kept.Moved[from] = to
	m.dirty = true
	return true
}

// save stores what has changed.
func (m *marks) save(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.dirty {
		return nil
	}
	if err := platform.WriteBookmark(ctx, m.store, m.kept); err != nil {
		return err
	}
	m.dirty = false
	return nil
}

// moved notes that a group has become a supergroup.
func (t *Telegram) moved(ctx context.Context, from, to int64) {
	if from == 0 || to == 0 || from == to || !t.marks.move(from, to) {
		return
	}
	t.log.Info("a group has become a supergroup", "from", from, "to", to)
	t.left.forget(from) // it is out of reach
	t.save(ctx)
}

// save stores the bookmark, also when it is time to go.
func (t *Telegram) save(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := t.marks.save(last); err != nil {
		t.log.Error("how far updates were handled could not be kept", "error", err)
	}
}
