package telegram

import (
	"context"
	"slices"
	"sync"

	"github.com/asidehq/aside/platform"
)

// leftovers are what is still to be tidied up, by chat. It is stored: Telegram may ask to wait,
// an answer may be lost, and the process may be killed before the chat is written to again. It
// has a bookmark of its own, because to lose it does no harm.
type leftovers struct {
	store platform.Bookmark // may be nil

	mu    sync.Mutex
	read  bool
	dirty bool
	chats map[int64]left
}

// left is what is to be tidied up in a chat.
type left struct {
	// After is the id behind which a placeholder was lost, while nobody knows yet before
	// which; 0 is none.
	After int `json:"after,omitempty"`

	Sure  []int `json:"sure,omitempty"`  // placeholders that are to be deleted
	Maybe []int `json:"maybe,omitempty"` // what may be a placeholder that nobody knows of
}

const (
	mostLeft      = 30 // of each kind in a chat: it is not worth more
	mostLeftChats = 1000
)

// load reads what is stored, once, and adds it to what was noted before.
func (s *leftovers) load(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read {
		return nil
	}
	stored := map[int64]left{}
	if err := platform.ReadBookmark(ctx, s.store, &stored); err != nil {
		return err
	}
	s.read = true
	for chat, l := range stored {
		s.set(chat, l.with(s.chats[chat]))
	}
	return nil
}

// save stores what has changed.
func (s *leftovers) save(ctx context.Context) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dirty {
		return nil
	}
	if err := platform.WriteBookmark(ctx, s.store, s.chats); err != nil {
		return err
	}
	s.dirty = false
	return nil
}

func (s *leftovers) set(chat int64, l left) {
	old, known := s.chats[chat]
	if old.After == l.After && slices.Equal(old.Sure, l.Sure) && slices.Equal(old.Maybe, l.Maybe) {
		return
	}
	switch {
	case l.After == 0 && len(l.Sure)+len(l.Maybe) == 0:
		delete(s.chats, chat)
	case known || len(s.chats) < mostLeftChats:
		s.chats[chat] = l
	}
	s.dirty = true
}

// in is what is left in a chat.
func (s *leftovers) in(chat int64) left {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.chats[chat]
	return left{l.After, slices.Clone(l.Sure), slices.Clone(l.Maybe)}
}

// lose notes that a placeholder may stand in a chat behind an id, 0 if none is known.
func (s *leftovers) lose(chat int64, after int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(chat, s.chats[chat].with(left{After: max(after, 1)}))
}

// lostAfter is the id behind which placeholders are to be looked for, which it forgets, or 0.
func (s *leftovers) lostAfter(chat int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.chats[chat]
	after := l.After
	l.After = 0
	s.set(chat, l)
	return after
}

// note notes what is left in a chat as well, and what is not any more.
func (s *leftovers) note(chat int64, more left, done ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.chats[chat]
	is := func(id int) bool { return slices.Contains(done, id) }
	l.Sure, l.Maybe = slices.DeleteFunc(slices.Clone(l.Sure), is), slices.DeleteFunc(slices.Clone(l.Maybe), is)
	s.set(chat, l.with(more))
}

// forget lets go of what is left in a chat.
func (s *leftovers) forget(chat int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(chat, left{})
}

// with is what is left with more of it.
func (l left) with(more left) left {
	if l.After == 0 || more.After != 0 && more.After < l.After {
		l.After = more.After
	}
	l.Sure, l.Maybe = latest(union(l.Sure, more.Sure)), latest(union(l.Maybe, more.Maybe))
	return l
}

// union are some ids, and those of others that are not among them.
func union(ids, others []int) []int {
	ids = slices.Clone(ids)
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

// saveLeft stores what is left, also when it is time to go.
func (t *Telegram) saveLeft(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := t.left.save(last); err != nil {
		t.log.Error("which placeholders are left over could not be kept", "error", err)
	}
}
