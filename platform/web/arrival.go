package web

import "context"

// A message goes into the inbox first and then into the log, so that nothing stands
// in a room that nobody will answer. But once it is in the inbox its answer may be
// faster than the log. What refers to a message that is still arriving therefore
// puts it into the log itself: without that, a reaction would find no message and
// an answer would stand above it.

type entryKey struct{ room, id string }

// An arrival is a message that is on its way, in as many requests as there are
// tries at once.
type arrival struct {
	entry    Entry
	requests int
}

// arrive begins an arrival; the caller ends it.
func (w *Web) arrive(e Entry) (end func()) {
	key := entryKey{e.Room, e.ID}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.arriving[key] == nil {
		w.arriving[key] = &arrival{entry: e}
	}
	w.arriving[key].requests++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.arriving[key].requests--; w.arriving[key].requests == 0 {
			delete(w.arriving, key)
		}
	}
}

// land puts a message that is still arriving into the log. Whoever refers to it
// knows it from the inbox, so it is certain to stand there.
func (w *Web) land(ctx context.Context, room, id string) error {
	w.mu.Lock()
	a := w.arriving[entryKey{room, id}]
	w.mu.Unlock()
	if a == nil {
		return nil
	}
	return w.log.Add(ctx, a.entry)
}
