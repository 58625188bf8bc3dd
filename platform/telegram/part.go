package telegram

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// At a webhook the next part of an album comes only when the last one was accepted. So parts
// are kept in the bookmark until no more come: accepted is what is stored.

// chatPrefix is what the names of a chat's albums begin with.
func chatPrefix(chat int64) string { return strconv.FormatInt(chat, 10) + "/" }

// keepPart stores a part of an album and tells whether it has.
func (t *Telegram) keepPart(ctx context.Context, a album, data []byte) bool {
	t.marks.addPart(chatPrefix(a.chat)+a.id, data)
	if err := t.marks.save(context.WithoutCancel(ctx)); err != nil {
		t.log.Error("a part of an album could not be stored and is to come again", "error", err)
		return false
	}
	select {
	case t.hook.parts <- struct{}{}:
	default: // somebody is on it
	}
	return true
}

// release hands over the albums that wait, of one chat or of all, and tells whether it has.
// It is called with the turn of the hook.
func (t *Telegram) release(ctx context.Context, prefix string) bool {
	for _, name := range t.marks.albums(prefix) {
		var first *update
		var parts []*message
		for _, data := range t.marks.partsOf(name) {
			u := &update{}
			if decode(data, u) != nil || u.Message == nil || slices.ContainsFunc(parts, func(m *message) bool { return m.ID == u.Message.ID }) {
				continue // it came twice
			}
			if first == nil {
				first = u
			}
			parts = append(parts, u.Message)
		}
		if first != nil && !t.handle(ctx, t.hook.inbox, first, parts) {
			return false
		}
		t.marks.dropParts(name)
		t.save(ctx)
	}
	return true
}

func (m *marks) addPart(name string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept.Parts == nil {
		m.kept.Parts = map[string][]json.RawMessage{}
	}
	m.kept.Parts[name] = append(m.kept.Parts[name], data)
	m.dirty = true
}

func (m *marks) partsOf(name string) []json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.kept.Parts[name])
}

func (m *marks) dropParts(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept.Parts, name)
	m.dirty = true
}

// albums are the names of the albums that wait, oldest part first.
func (m *marks) albums(prefix string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []string
	for name := range m.kept.Parts {
		if strings.HasPrefix(name, prefix) {
			all = append(all, name)
		}
	}
	number := func(name string) int {
		var u update
		_ = decode(m.kept.Parts[name][0], &u)
		return u.ID
	}
	slices.SortFunc(all, func(a, b string) int { return number(a) - number(b) })
	return all
}

func (m *marks) partCount() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	count := 0
	for _, parts := range m.kept.Parts {
		count += len(parts)
	}
	return count
}
