package discord

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/disgoorg/snowflake/v2"

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

// kept is what is stored. Positions are by shard, as 0/1: the first of one.
type kept struct {
	Start     snowflake.ID            `json:"start"` // what is older was never asked of the agent
	Positions map[string]snowflake.ID `json:"positions"`
	Direct    []snowflake.ID          `json:"direct"` // rooms, the latest last
}

const (
	saveEvery  = 5 * time.Second // at most, when messages come
	mostDirect = 500
)

func (m *marks) load(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := platform.ReadBookmark(ctx, m.store, &m.kept)
	if m.kept.Positions == nil {
		m.kept.Positions = map[string]snowflake.ID{}
	}
	return err
}

func shardName(index, count int) string { return fmt.Sprintf("%d/%d", index, count) }

// position is up to where a shard has handled everything, or 0 if it has never run. With
// another number of shards than before it is the earliest of all.
func (m *marks) position(index, count int) snowflake.ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p, ok := m.kept.Positions[shardName(index, count)]; ok {
		return p
	}
	var least snowflake.ID
	for _, p := range m.kept.Positions {
		if least == 0 || p < least {
			least = p
		}
	}
	return least
}

// reach moves a shard's position on.
func (m *marks) reach(index, count int, p snowflake.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	mine := shardName(index, count)
	for name := range m.kept.Positions {
		var i, n int
		if _, err := fmt.Sscanf(name, "%d/%d", &i, &n); err != nil || n != count && index == 0 {
			delete(m.kept.Positions, name)
		}
	}
	if m.kept.Start == 0 {
		m.kept.Start = p
	}
	if p > m.kept.Positions[mine] {
		m.kept.Positions[mine] = p
		m.dirty = true
	}
}

// start is the latest message when the agent was started for the first time.
func (m *marks) start() snowflake.ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept.Start
}

// direct tells whether a direct chat is known, and remembers it.
func (m *marks) direct(room snowflake.ID) (known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.Index(m.kept.Direct, room)
	if at >= 0 {
		m.kept.Direct = slices.Delete(m.kept.Direct, at, at+1)
	}
	m.kept.Direct = append(m.kept.Direct, room)
	if len(m.kept.Direct) > mostDirect {
		m.kept.Direct = m.kept.Direct[1:]
	}
	if at < 0 {
		m.dirty = true
	}
	return at >= 0
}

func (m *marks) directs() []snowflake.ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.kept.Direct)
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
