package mark

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Keeper brings marks to the platforms. Nobody waits for it: it is told what is wanted
// and returns at once. Of several marks of a message the latest is shown, those before it
// may be skipped. It is started once and stopped once.
type Keeper struct {
	Book      Book
	Platforms map[string]platform.Platform
	Glyphs    Glyphs
	MaxAge    time.Duration // after which a mark that cannot be shown is given up
	Logger    *slog.Logger
	Now       func() time.Time

	// Wait waits for a time, or returns the context's error.
	Wait func(ctx context.Context, d time.Duration) error

	// Shared tells that other processes put marks on the same messages.
	Shared bool

	// Page is told that a mark in one of the web page's rooms has changed; nil is nobody.
	Page func(room string)

	ctx     context.Context // of all work
	cancel  context.CancelFunc
	working sync.WaitGroup

	looks     context.Context // of the look-out
	endLooks  context.CancelFunc
	lookingOn sync.WaitGroup

	mu     sync.Mutex
	open   bool
	places map[place]*state
	rooms  map[platform.Room]chan struct{} // one mark of a room is changed at a time
	warned map[platform.Room]bool          // that a mark was refused there
}

// A place is a message as it stands in its room. A message that was changed is the same
// place.
type place struct {
	room   platform.Room
	stands string
}

// state is what a keeper knows of a place.
type state struct {
	want    Wanted
	working bool
	looked  time.Time // when it was last told or asked what is wanted
	others  bool      // other processes may have put something there

	there there // is the worker's
}

// Keeps tells whether messages on a platform have marks.
func (k *Keeper) Keeps(name string) bool { return name == webPage || k.shows(name) }

// shows tells whether the keeper brings marks to a platform.
func (k *Keeper) shows(name string) bool {
	switch k.Platforms[name].(type) {
	case platform.Marker, platform.Reactor:
		return name != webPage
	}
	return false
}

// webPage is the platform whose marks stand in the store, and are written there with
// everything else.
const webPage = "web"

// Start begins with what earlier processes have left.
func (k *Keeper) Start() {
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.looks, k.endLooks = context.WithCancel(k.ctx)
	k.mu.Lock()
	k.open = true
	k.places, k.rooms, k.warned = map[place]*state{}, map[platform.Room]chan struct{}{}, map[platform.Room]bool{}
	k.mu.Unlock()
	k.lookingOn.Go(k.lookOut)
}

// Stop waits until the final marks that are wanted are shown, or until the context ends.
// What was not shown then is taken up by the next process.
func (k *Keeper) Stop(ctx context.Context) {
	k.endLooks()
	k.mu.Lock()
	k.open = false
	final := false
	for _, s := range k.places {
		final = final || s.working && s.want.Mark.Final()
	}
	k.mu.Unlock()
	if !final {
		k.cancel()
	}
	stop := context.AfterFunc(ctx, k.cancel)
	defer stop()
	k.lookingOn.Wait()
	k.working.Wait()
	k.cancel()
}

// Want has a mark shown. One that comes late is passed over: behind a final mark, or for a
// message that the person has changed since.
func (k *Keeper) Want(w Wanted) { k.want(w, false) }

// Begin notes that this process works on a message, which came in at a time.
func (k *Keeper) Begin(w Wanted, came time.Time) {
	w.Mark = Processing
	late := k.Now().Sub(came) >= stalledAfter // others may have said so
	switch {
	case w.Room.Platform != webPage:
		k.want(w, late)
	case late:
		k.alone(func() { k.turn(w, Stalled, Processing) })
	}
}

// want notes what is wanted. With others, another process may have put something on the
// message.
func (k *Keeper) want(w Wanted, others bool) {
	if !k.shows(w.Room.Platform) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.open {
		return
	}
	at := place{w.Room, w.Stands}
	s := k.places[at]
	switch {
	case s == nil:
		s = &state{there: there{unknown: !w.Fresh, foreign: !w.Fresh, asked: w.Fresh}}
		k.places[at] = s
	case w.Message < s.want.Message:
		return
	case w.Message == s.want.Message && w.Mark.rank() <= s.want.Mark.rank() && !w.Mark.Final():
		return
	}
	s.want, s.looked, s.others = w, k.Now(), s.others || others
	if !s.working {
		s.working = true
		k.working.Go(func() { k.work(at, s) })
	}
}

// alone does something that is not about a place.
func (k *Keeper) alone(do func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.open {
		k.working.Go(do)
	}
}

// work shows what is wanted at a place until nothing else is.
func (k *Keeper) work(at place, s *state) {
	var last Wanted
	var began time.Time
	var wait time.Duration
	for k.ctx.Err() == nil {
		w := k.wanted(s)
		if w.Message != last.Message || w.Mark != last.Mark {
			last, began, wait = w, k.Now(), firstWait
			s.there.failed = ""
		}
		shown, pause, err := k.show(at, s, w)
		switch {
		case shown:
			if k.rest(at, s, w) {
				return
			}
		case k.ctx.Err() != nil:
		case err != nil:
			k.Logger.Error("a mark could not be looked up or noted", "room", at.room.String(), "error", err)
			wait = k.pause(wait)
		case k.Now().Sub(began) > k.MaxAge:
			k.Logger.Warn("a mark was given up: the platform could not be asked", "room", at.room.String(), "message", at.stands, "mark", w.Mark)
			s.there.failed = GivenUp
		case pause > 0: // as long as the platform asks for
			wait = firstWait
			_ = k.pause(max(pause, firstWait))
		default:
			wait = k.pause(wait)
		}
	}
	k.rest(at, s, Wanted{})
}

const (
	firstWait   = 200 * time.Millisecond
	longestWait = 30 * time.Second
)

func (k *Keeper) pause(wait time.Duration) (next time.Duration) {
	_ = k.Wait(k.ctx, wait) // the context is looked at next
	return min(2*wait, longestWait)
}

func (k *Keeper) wanted(s *state) Wanted {
	k.mu.Lock()
	defer k.mu.Unlock()
	return s.want
}

// rest ends the work on a place if nothing else is wanted than what was shown. What has a
// final mark is forgotten.
func (k *Keeper) rest(at place, s *state, shown Wanted) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx.Err() == nil && (s.want.Message != shown.Message || s.want.Mark != shown.Mark) {
		return false
	}
	s.working = false
	if shown.Mark.Final() && k.places[at] == s {
		delete(k.places, at)
	}
	return true
}
