package slack

import (
	"context"
	"maps"
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
	saved time.Time
}

// kept is what is stored, as ids of messages, which are times.
type kept struct {
	Start     string            `json:"start"`     // what is older was never asked of the agent
	Seen      string            `json:"seen"`      // when the agent was last connected
	Positions map[string]string `json:"positions"` // the last message that was handled, by channel
}

const saveEvery = 5 * time.Second // at most, when messages come

func (m *marks) load(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := platform.ReadBookmark(ctx, m.store, &m.kept)
	if m.kept.Positions == nil {
		m.kept.Positions = map[string]string{}
	}
	return err
}

// begin notes that the agent is connected now, and gives what was noted before that: what
// comes after is overwritten from here on. The first time there is nothing to catch up with.
func (m *marks) begin(now time.Time) kept {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept.Start == "" {
		m.kept.Start, m.kept.Seen = stamp(now), stamp(now)
		m.dirty = true
	}
	before := m.kept
	before.Positions = maps.Clone(m.kept.Positions)
	return before
}

// see notes that the agent is still connected.
func (m *marks) see(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at := stamp(now); later(at, m.kept.Seen) {
		m.kept.Seen, m.dirty = at, true
	}
}

// reach moves a channel's position on.
func (m *marks) reach(channel, ts string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.kept.Positions[channel]; old == "" || later(ts, old) {
		m.kept.Positions[channel], m.dirty = ts, true
	}
}

// at tells whether a message is the last one of its channel that was handled.
func (m *marks) at(channel, ts string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept.Positions[channel] == ts
}

// save stores what has changed. Unless it is urgent, it does so now and then: what is
// fetched once too often does no harm.
func (m *marks) save(ctx context.Context, now time.Time, urgent bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.dirty || !urgent && now.Sub(m.saved) < saveEvery {
		return nil
	}
	if err := platform.WriteBookmark(ctx, m.store, m.kept); err != nil {
		return err
	}
	m.dirty, m.saved = false, now
	return nil
}
