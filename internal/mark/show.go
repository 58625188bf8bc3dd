package mark

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/asidehq/aside/platform"
)

// there is what may stand on a message, as far as a keeper knows.
type there struct {
	glyphs  []string // of the set that may stand there; for a Marker at most one
	sure    string   // the one that certainly does
	unknown bool     // another process may have put any of them there
	foreign bool     // this process has not seen the message come
	asked   bool     // the book was asked whether the message has a mark at all
	failed  Mark     // why what is wanted cannot be shown, "" while that is not known
}

// callTime is how long a platform may take.
const callTime = 30 * time.Second

// show brings a mark to its platform and tells whether that is done. If not, it has to be
// tried again, after a pause if there is one.
func (k *Keeper) show(at place, s *state, w Wanted) (shown bool, pause time.Duration, err error) {
	if !s.there.asked {
		if over, err := k.ask(at, s, w); over || err != nil {
			return over, 0, err
		}
	}
	if s.there.failed == "" {
		if done, pause := k.bring(at, s, w); !done {
			return false, pause, nil
		}
	}
	if w.Mark.Final() {
		err = k.Book.Shown(k.ctx, w, cmp.Or(s.there.failed, w.Mark))
	} else {
		err = k.lookAgain(w)
	}
	return err == nil, 0, err
}

// ask asks the book about a message that was taken over from another process: whether it
// has a mark at all, and whether that is final by now. over tells that there is nothing
// else to do about what was wanted.
func (k *Keeper) ask(at place, s *state, w Wanted) (over bool, err error) {
	now, ok, err := k.Book.Mark(k.ctx, w.Message)
	switch {
	case err != nil:
		return false, err
	case !ok || now.Mark == Replaced, now.Mark.Final() && now.Shown && !w.Mark.Final():
		// The last: it is being done again, and keeps the mark it has until that is over.
		k.forget(at, s, w)
		return true, nil
	case now.Mark.Final() && !w.Mark.Final():
		k.Want(now)
		over = true
	}
	s.there.asked = true
	return over, nil
}

// lookAgain looks whether what was just shown has come late: another process may have
// settled the message meanwhile, and thinks that nothing else is put on it.
func (k *Keeper) lookAgain(w Wanted) error {
	now, ok, err := k.Book.Mark(k.ctx, w.Message)
	if err == nil && ok && now.Mark.Final() && now.Mark != Replaced {
		k.Want(now)
	}
	return err
}

// forget lets a place go that has nothing to be shown.
func (k *Keeper) forget(at place, s *state, w Wanted) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.want.Message == w.Message && s.want.Mark == w.Mark && k.places[at] == s {
		delete(k.places, at)
	}
}

// bring puts a mark on a message, and takes off what is not to stand there any more.
func (k *Keeper) bring(at place, s *state, w Wanted) (done bool, pause time.Duration) {
	leave, err := k.enter(at.room)
	if err != nil {
		return false, 0
	}
	defer leave()
	t := &s.there
	if k.Shared && w.Mark.Final() && (t.foreign || k.seenByOthers(s)) {
		t.unknown = true // what another process has put there late is taken off as well
	}
	to := k.Platforms[at.room.Platform]
	ctx, cancel := context.WithTimeout(k.ctx, callTime)
	defer cancel()
	if marker, ok := to.(platform.Marker); ok {
		return k.replace(ctx, marker, at, t, w)
	}
	return k.exchange(ctx, to.(platform.Reactor), at, t, w)
}

// replace shows a mark where there is one place for it.
func (k *Keeper) replace(ctx context.Context, to platform.Marker, at place, t *there, w Wanted) (done bool, pause time.Duration) {
	glyph := k.Glyphs.shown(w, true)
	if picky, ok := to.(platform.Picky); ok && glyph != "" {
		glyph = cmp.Or(picky.Nearest(glyph), glyph) // one of its own may be spelt otherwise
	}
	own := len(w.Own) > 0 // which stands where the mark stood
	if !t.unknown && !own && slices.Equal(t.glyphs, one(glyph)) {
		return true, 0
	}
	r := to.Mark(ctx, at.room, at.stands, glyph)
	switch r.Outcome {
	case platform.Delivered:
		t.glyphs, t.unknown = one(glyph), false
		return true, 0
	case platform.Refused:
		if glyph != "" && (t.unknown || len(t.glyphs) > 0) {
			// What stands there is not true any more. No mark is better than a false one.
			if off := to.Mark(ctx, at.room, at.stands, ""); off.Outcome != platform.Delivered && off.Outcome != platform.Refused {
				return false, off.RetryAfter
			}
		}
		t.glyphs, t.unknown = nil, false
		k.refused(at, t, w, r)
		return true, 0
	}
	t.unknown = true
	return false, r.RetryAfter
}

func one(glyph string) []string {
	if glyph == "" {
		return nil
	}
	return []string{glyph}
}

// exchange puts the new mark on and then takes the old ones off, so that a person never
// sees a message without one. What the agent itself has put there stays.
func (k *Keeper) exchange(ctx context.Context, to platform.Reactor, at place, t *there, w Wanted) (done bool, pause time.Duration) {
	keep := k.Glyphs.among(w.Own)
	for _, glyph := range keep { // it may have been taken off as an older mark
		if r := to.React(ctx, at.room, at.stands, glyph); r.Outcome != platform.Delivered && r.Outcome != platform.Refused {
			return false, r.RetryAfter
		}
	}
	if glyph := k.Glyphs.shown(w, false); glyph != "" {
		if t.unknown || t.sure != glyph {
			t.may(glyph) // also if nobody hears what became of it
			switch r := to.React(ctx, at.room, at.stands, glyph); r.Outcome {
			case platform.Delivered:
				t.sure = glyph
			case platform.Refused:
				k.refused(at, t, w, r)
			default:
				return false, r.RetryAfter
			}
		}
		if t.failed == "" {
			keep = append(keep, glyph)
		}
	}
	if t.unknown {
		for _, glyph := range k.Glyphs.all() {
			t.may(glyph)
		}
	}
	for _, glyph := range slices.Clone(t.glyphs) {
		if slices.Contains(keep, glyph) {
			continue
		}
		r := to.Unreact(ctx, at.room, at.stands, glyph)
		if r.Outcome != platform.Delivered && r.Outcome != platform.Refused { // refused: nothing of ours is there
			return false, r.RetryAfter
		}
		t.glyphs = slices.DeleteFunc(t.glyphs, func(g string) bool { return g == glyph })
		if t.sure == glyph {
			t.sure = ""
		}
	}
	t.unknown = false
	return true, 0
}

// may notes that a glyph may stand there.
func (t *there) may(glyph string) {
	if !slices.Contains(t.glyphs, glyph) {
		t.glyphs = append(t.glyphs, glyph)
	}
}

func (k *Keeper) seenByOthers(s *state) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return s.others
}

// refused notes that a platform takes no mark on a message, which a person is told once for
// each room.
func (k *Keeper) refused(at place, t *there, w Wanted, r platform.Receipt) {
	t.failed = Refused
	k.mu.Lock()
	before := k.warned[at.room]
	k.warned[at.room] = true
	k.mu.Unlock()
	log := k.Logger.Warn
	if before {
		log = k.Logger.Debug
	}
	log("a mark was refused; others in this room may be as well", "room", at.room.String(), "message", at.stands, "mark", w.Mark, "reason", r.Reason)
}

// enter waits until no other mark of a room is being changed: platforms are slow with
// reactions, and those of the agent itself must not wait behind a crowd of marks.
func (k *Keeper) enter(room platform.Room) (leave func(), err error) {
	k.mu.Lock()
	door := k.rooms[room]
	if door == nil {
		door = make(chan struct{}, 1)
		k.rooms[room] = door
	}
	k.mu.Unlock()
	select {
	case door <- struct{}{}:
		return func() { <-door }, nil
	case <-k.ctx.Done():
		return nil, k.ctx.Err()
	}
}
