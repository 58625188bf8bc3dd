package forum

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// An applier does what was planned. What was done is stored step by step: killed at any
// moment, the next sync goes on from there.
type applier struct {
	*Forum
	world   World
	report  *Report
	mirrors map[string]store.Mirror
	stuck   map[platform.Room]bool // where the platform asks to wait
	full    bool                   // so it does with new threads
	again   bool                   // something was found out or changed that asks for another round
}

// sleep is how long a thread stays without a word before the platform may archive it: as
// long as there is.
const sleep = 7 * 24 * 60 // minutes

// apply does one step. Its error is that nothing more can be done now; what goes wrong with
// one thread is noted in the report.
func (a *applier) apply(ctx context.Context, s Step) error {
	if a.stuck[s.Thread.Room] {
		return ctx.Err()
	}
	switch s.Do {
	case Create:
		return a.create(ctx, s)
	case Adopt:
		a.report.Adopted++
		return a.save(ctx, s.Item, s.Mirror)
	case Link:
		return a.link(ctx, s.Item, s.Thread.Room)
	case Edit:
		return a.edit(ctx, s)
	case Agree:
		m := a.mirrors[s.Item.ID]
		m.Closed, m.Busy = s.Item.Closed, false
		return a.save(ctx, s.Item, m)
	case Close, Reopen:
		return a.decide(ctx, s)
	case Rewrite:
		return a.rewrite(ctx, s)
	case Release:
		return a.release(ctx, s)
	}
	return fmt.Errorf("nobody knows how to %s", s.Do)
}

func (a *applier) save(ctx context.Context, i Item, m store.Mirror) error {
	m.Board, m.Item, m.Forum = a.Board.Name(), i.ID, a.Room
	if err := a.Store.SaveMirror(ctx, m); err != nil {
		return err
	}
	a.mirrors[i.ID] = m
	return nil
}

// failed notes what went wrong with a thread, and returns what ends the sync.
func (a *applier) failed(ctx context.Context, i Item, thread platform.Room, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch p := problemOf(err); {
	case p.Gone: // the next sync sees it
	case p.Outcome == platform.Limited:
		a.report.Waiting++
		a.report.later(a.Now().Add(p.RetryAfter))
		a.stuck[thread] = thread.ID != ""
	case p.Outcome == platform.Refused:
		a.report.Problems = append(a.report.Problems, fmt.Sprintf("%s: could not %s: %s", i.ID, what, p.Reason))
		a.stuck[thread] = thread.ID != ""
	default:
		return a.explain("work in", err)
	}
	return nil
}

// create makes a thread. That it is asked for is stored first: should the answer be lost, the
// thread may appear later, and is looked for before another one is made.
func (a *applier) create(ctx context.Context, s Step) error {
	m := a.mirrors[s.Item.ID]
	if a.full {
		a.report.Waiting++
		return nil
	}
	if m.Forum == a.Room && m.Thread.ID != "" {
		_, err := a.Keeper.ForumThread(ctx, m.Thread)
		if err == nil {
			return nil // it is there after all
		}
		if !isGone(err) {
			return a.failed(ctx, s.Item, m.Thread, "look for its thread", err)
		}
	}
	m = store.Mirror{Tried: a.Now()}
	if err := a.save(ctx, s.Item, m); err != nil {
		return err
	}
	name := s.Item.Name()
	made, err := a.Keeper.CreateThread(ctx, platform.NewThread{
		Room: a.Room, Name: name, Text: s.Item.Body, Tags: a.world.Tags.of(s.Item), AutoArchiveMinutes: sleep,
	})
	if err != nil {
		if p := problemOf(err); p.Outcome != platform.Unknown && ctx.Err() == nil {
			a.full = p.Outcome == platform.Limited
			if err := a.save(ctx, s.Item, store.Mirror{}); err != nil {
				return err
			}
		}
		return a.failed(ctx, s.Item, platform.Room{}, "make its thread", err)
	}
	a.report.Made++
	m = store.Mirror{Thread: made.Room, Name: name, Shown: made.Name, Text: digest(s.Item.Body)}
	if err := a.save(ctx, s.Item, m); err != nil {
		return err
	}
	return a.link(ctx, s.Item, made.Room)
}

// link tells the board which thread shows an item, if it wants to know.
func (a *applier) link(ctx context.Context, i Item, thread platform.Room) error {
	if linker, ok := a.Board.(Linker); ok {
		return linker.Link(ctx, i, thread)
	}
	return nil
}

// edit changes a thread. While it does, how the thread stands tells nothing: an archived one
// is opened to be changed.
func (a *applier) edit(ctx context.Context, s Step) error {
	before := a.mirrors[s.Item.ID]
	m := before
	m.Busy = true
	if err := a.save(ctx, s.Item, m); err != nil {
		return err
	}
	touched := false
	refused := func(what string, err error) error {
		if !touched && problemOf(err).Outcome == platform.Refused {
			if err := a.save(ctx, s.Item, before); err != nil {
				return err
			}
		}
		return a.failed(ctx, s.Item, s.Thread.Room, what, err)
	}
	if s.Text != nil {
		err := a.Keeper.EditStarter(ctx, s.Thread.Room, *s.Text)
		if err != nil && !isGone(err) { // who deletes the first message does not want it
			return refused("write to its thread", err)
		}
		if err == nil {
			touched = true
			a.report.Rewritten++
		}
		m.Text = digest(*s.Text)
	}
	if c := s.Change; c.Name != nil || c.Tags != nil || c.Archived != nil {
		shown, err := a.Keeper.EditThread(ctx, s.Thread.Room, c)
		if err != nil {
			return refused("change its thread", err)
		}
		a.noteEdit(s, shown, &m)
	}
	m.Closed, m.Busy = s.Item.Closed, false
	return a.save(ctx, s.Item, m)
}

// noteEdit notes what was changed about a thread.
func (a *applier) noteEdit(s Step, shown platform.RoomInfo, m *store.Mirror) {
	if name := s.Change.Name; name != nil {
		a.report.Renamed++
		m.Name, m.Shown = *name, shown.Name
		m.Renamed[0], m.Renamed[1] = a.Now(), m.Renamed[0]
	}
	if s.Change.Tags != nil {
		a.report.Retagged++
	}
	if archived := s.Change.Archived; archived != nil && *archived != s.Thread.Archived {
		if *archived {
			a.report.Archived++
		} else {
			a.report.Opened++
		}
	}
}

// release archives the thread of an item that is to have none, and forgets it.
func (a *applier) release(ctx context.Context, s Step) error {
	m := a.mirrors[s.Item.ID]
	if s.Thread.Room.ID == "" && m.Thread.ID != "" {
		if _, err := a.Keeper.ForumThread(ctx, m.Thread); err == nil || !isGone(err) {
			if err != nil {
				err = a.failed(ctx, s.Item, m.Thread, "look for its thread", err)
			}
			return err // it is there after all, and the next sync sees it
		}
	}
	if s.Thread.Room.ID != "" && !s.Thread.Archived {
		archived := true
		if _, err := a.Keeper.EditThread(ctx, s.Thread.Room, platform.ThreadChange{Archived: &archived}); err != nil {
			return a.failed(ctx, s.Item, s.Thread.Room, "archive its thread", err)
		}
		a.report.Archived++
	}
	if s.Item.Number != "" { // the item is there
		if err := a.link(ctx, s.Item, platform.Room{}); err != nil {
			return err
		}
	}
	return a.Store.DropMirror(ctx, a.Board.Name(), s.Item.ID)
}
