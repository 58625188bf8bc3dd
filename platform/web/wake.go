package web

import (
	"context"
	"sync/atomic"

	"github.com/asidehq/aside/platform"
)

// A subscriber is an event stream that waits for something to happen in its room.
type subscriber struct {
	wake   chan struct{} // holds one: to be woken twice is to be woken
	typing atomic.Bool
}

func (s *subscriber) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (w *Web) subscribe(room string) *subscriber {
	s := &subscriber{wake: make(chan struct{}, 1)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.subscribers[room] == nil {
		w.subscribers[room] = map[*subscriber]struct{}{}
	}
	w.subscribers[room][s] = struct{}{}
	return s
}

func (w *Web) unsubscribe(room string, s *subscriber) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.subscribers[room], s)
	if len(w.subscribers[room]) == 0 {
		delete(w.subscribers, room)
	}
}

// Changed is called when another process has written to a room's log, and AnyChanged
// when it may have written to any.
func (w *Web) Changed(room string) { w.wake(room) }

// AnyChanged wakes the subscribers of all rooms.
func (w *Web) AnyChanged() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, room := range w.subscribers {
		for s := range room {
			s.nudge()
		}
	}
}

// wake tells a room's subscribers to read on in the log. It waits for none of them.
func (w *Web) wake(room string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for s := range w.subscribers[room] {
		s.nudge()
	}
}

// Typing implements platform.Typist. Who is not looking misses it.
func (w *Web) Typing(_ context.Context, room platform.Room) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for s := range w.subscribers[room.ID] {
		s.typing.Store(true)
		s.nudge()
	}
	return nil
}
