package telegram

import (
	"context"
	"slices"
)

// What of an attempt to tidy up is still to be done is kept in the bookmark: Telegram may ask
// to wait, an answer may be lost, and the process may be killed before the chat is written to
// again.

// left are messages of a chat.
type left struct {
	Sure  []int `json:"sure,omitempty"`  // they are placeholders, to be deleted
	Maybe []int `json:"maybe,omitempty"` // they may be placeholders that nobody knows of
}

const (
	mostLeft      = 30 // of each kind in a chat: it is not worth more
	mostLeftChats = 1000
)

// left is what is left in a chat.
func (m *marks) left(chat int64) left {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.kept.Left[chat]
	return left{slices.Clone(l.Sure), slices.Clone(l.Maybe)}
}

// leave notes what is left in a chat and what no longer is, and tells whether that is news.
func (m *marks) leave(chat int64, more left, done ...int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.kept.Left[chat]
	is := func(id int) bool { return slices.Contains(done, id) }
	now := left{
		Sure:  latest(union(slices.DeleteFunc(slices.Clone(old.Sure), is), more.Sure)),
		Maybe: latest(union(slices.DeleteFunc(slices.Clone(old.Maybe), is), more.Maybe)),
	}
	if slices.Equal(now.Sure, old.Sure) && slices.Equal(now.Maybe, old.Maybe) {
		return false
	}
	m.dirty = true
	switch {
	case len(now.Sure)+len(now.Maybe) == 0:
		delete(m.kept.Left, chat)
	case m.kept.Left == nil:
		m.kept.Left = map[int64]left{chat: now}
	case len(m.kept.Left) < mostLeftChats || old.Sure != nil || old.Maybe != nil:
		m.kept.Left[chat] = now
	}
	return true
}

// union are some ids and those of others that are not among them.
func union(ids, others []int) []int {
	for _, id := range others {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// latest are ids without the oldest, where there are too many.
func latest(ids []int) []int {
	if len(ids) > mostLeft {
		slices.Sort(ids)
	}
	return ids[max(0, len(ids)-mostLeft):]
}

// leave keeps what is left in a chat.
func (t *Telegram) leave(ctx context.Context, chat int64, more left, done ...int) {
	if t.marks.leave(chat, more, done...) {
		t.save(ctx)
	}
}
