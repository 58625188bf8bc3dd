package mark

import (
	"context"
	"time"
)

const (
	lookEvery    = 5 * time.Second
	stalledAfter = 30 * time.Second // without anybody who takes a message up
	leftAfter    = 30 * time.Second // a final mark that nobody has shown
)

// lookOut looks for marks that nobody brings to their platform, because whoever should have
// done it is dead, and for messages that nobody takes up. A process cannot testify that it
// has itself stopped, so every process looks after all.
//
// What was left before it began waits for nobody: until that has been read once, no look
// asks for less.
func (k *Keeper) lookOut() {
	began := k.Now()
	read := k.look(began)
	for k.Wait(k.looks, lookEvery) == nil {
		left := k.Now().Add(-leftAfter)
		if !read && left.Before(began) {
			left = began
		}
		read = k.look(left) || read
	}
}

// look tells whether it could.
func (k *Keeper) look(left time.Time) bool {
	ctx, cancel := context.WithTimeout(k.looks, lookEvery)
	defer cancel()
	unshown, err := k.Book.Unshown(ctx, left)
	if err == nil {
		for _, w := range unshown {
			if !k.busy(w) {
				k.Want(w)
			}
		}
		var waiting []Wanted
		waiting, err = k.Book.Waiting(ctx, k.Now().Add(-stalledAfter))
		for _, w := range waiting {
			w.Mark = Stalled
			if w.Room.Platform == webPage {
				k.turn(w, Received, Stalled)
				continue
			}
			k.Want(w)
		}
	}
	if err == nil {
		err = k.prune(ctx)
	}
	if err != nil && k.looks.Err() == nil {
		k.Logger.Error("marks could not be looked up", "error", err)
	}
	return err == nil
}

// busy tells whether a mark is being brought to its platform.
func (k *Keeper) busy(w Wanted) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.places[place{w.Room, w.Stands}]
	return s != nil && s.working
}

// prune looks after messages about which nothing was heard for a while: another process may
// have settled them.
func (k *Keeper) prune(ctx context.Context) error {
	for at, w := range k.quiet() {
		now, ok, err := k.Book.Mark(ctx, w.Message)
		if err != nil {
			return err
		}
		if ok && now.Mark.Final() && !now.Shown {
			k.Want(now)
			continue
		}
		k.mu.Lock()
		if s := k.places[at]; s != nil && !s.working && s.want.Message == w.Message && s.want.Mark == w.Mark {
			s.looked = k.Now()
			if !ok || now.Mark.Final() {
				delete(k.places, at)
			}
		}
		k.mu.Unlock()
	}
	return nil
}

func (k *Keeper) quiet() map[place]Wanted {
	k.mu.Lock()
	defer k.mu.Unlock()
	quiet := map[place]Wanted{}
	for at, s := range k.places {
		if !s.working && k.Now().Sub(s.looked) > leftAfter {
			quiet[at] = s.want
		}
	}
	return quiet
}

// turn changes a mark on the web page.
func (k *Keeper) turn(w Wanted, from, to Mark) {
	changed, err := k.Book.Turn(k.ctx, w, from, to)
	if err != nil && k.ctx.Err() == nil {
		k.Logger.Error("a mark on the page could not be changed", "room", w.Room.String(), "error", err)
	}
	if changed && k.Page != nil {
		k.Page(w.Room.ID)
	}
}
