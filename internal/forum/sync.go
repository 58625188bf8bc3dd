package forum

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A Forum mirrors a board.
type Forum struct {
	Board  Board
	Room   platform.Room
	Keeper platform.ForumKeeper
	Store  *store.Store
	TagMap string // the file, "" for none

	// Allowed tells whether somebody who has archived a thread may talk to the agent.
	Allowed func(ctx context.Context, who platform.Person, thread platform.Room) (bool, error)

	// InSeat runs something that only one process does at a time.
	InSeat func(ctx context.Context, name string, run func(context.Context) error) error

	Now    func() time.Time
	Wait   func(ctx context.Context, d time.Duration) error
	Logger *slog.Logger

	turn chan struct{} // has one element while nobody syncs
	wake chan struct{}
}

// New makes a forum that can be synced.
func New(f Forum) *Forum {
	f.turn, f.wake = make(chan struct{}, 1), make(chan struct{}, 1)
	f.turn <- struct{}{}
	return &f
}

// mostRounds is how often a sync looks again after it has changed the board, whose items then
// have other names. It is only reached where somebody changes them all the time.
const mostRounds = 4

// Sync compares the board with the forum and mends what differs. Its error is one for a
// person, and what was done before it is done.
func (f *Forum) Sync(ctx context.Context) (string, error) {
	report, err := f.sync(ctx)
	var problem *platform.Problem
	switch {
	case errors.As(err, &problem):
		return "", err
	case err != nil: // not written for people
		f.Logger.Error("the forum could not be synced", "board", f.Board.Name(), "error", err)
		return "", fmt.Errorf("the %s cannot be compared with their threads at the moment; try again", f.Board.Words().Many)
	}
	return report.Text(f.Board.Words()), nil
}

func (f *Forum) sync(ctx context.Context) (*Report, error) {
	select {
	case <-f.turn:
		defer func() { f.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	report := &Report{}
	err := f.InSeat(ctx, "forum "+f.Board.Name(), func(ctx context.Context) error {
		*report = Report{}
		for range mostRounds {
			again, err := f.round(ctx, report)
			if err != nil || !again {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = ctx.Err() // or the seat was never free
	}
	return report, err
}

// round reads everything, plans and does it. again is set where there may be more to do: the
// board was changed, or a thread is not what it seemed.
func (f *Forum) round(ctx context.Context, report *Report) (again bool, err error) {
	w, err := f.read(ctx, report)
	if err != nil {
		return false, err
	}
	plan := MakePlan(w)
	report.Threads, report.Orphans = len(w.Threads), plan.Orphans
	report.later(plan.Later)
	a := &applier{Forum: f, world: w, report: report, mirrors: map[string]store.Mirror{}, stuck: map[platform.Room]bool{}}
	for _, m := range w.Mirrors {
		a.mirrors[m.Item] = m
	}
	for _, s := range plan.Steps {
		if err := a.apply(ctx, s); err != nil {
			return false, err
		}
	}
	return a.again, nil
}

// read reads everything that a plan needs. The board is read first: what is changed meanwhile
// is seen by the next sync, and what is read of the threads is newer.
func (f *Forum) read(ctx context.Context, report *Report) (w World, err error) {
	w = World{Forum: f.Room, Now: f.Now()}
	if w.Items, err = f.Board.Items(ctx); err != nil {
		return w, err
	}
	if w.Mirrors, err = f.Store.Mirrors(ctx, f.Board.Name()); err != nil {
		return w, err
	}
	if _, ok := f.Board.(Linker); !ok {
		f.linked(&w)
	}
	if w.Threads, err = f.Keeper.ForumThreads(ctx, f.Room); err != nil {
		return w, f.explain("read the threads of", err)
	}
	if f.TagMap != "" {
		var wrong []string
		if w.Tags, wrong, err = f.readTags(ctx); err != nil {
			return w, err
		}
		if len(wrong) > 0 {
			report.TagMap = fmt.Sprintf("%s: %s", f.TagMap, strings.Join(wrong, "; "))
		}
	}
	if _, ok := f.Board.(Rewriter); ok {
		err = f.readStarters(ctx, &w)
	}
	return w, err
}

// linked gives items the threads that are known here, where their board does not know.
func (f *Forum) linked(w *World) {
	threads := map[string]platform.Room{}
	for _, m := range w.Mirrors {
		if m.Forum == f.Room {
			threads[m.Item] = m.Thread
		}
	}
	for n, i := range w.Items {
		w.Items[n].Thread = threads[i.ID]
	}
}

// readStarters reads what other people's threads begin with that may belong to an item.
func (f *Forum) readStarters(ctx context.Context, w *World) error {
	mirrored := map[platform.Room]bool{}
	for _, m := range w.Mirrors {
		mirrored[m.Thread] = true
	}
	w.Starters = map[platform.Room]platform.Starter{}
	for _, t := range w.Threads {
		if t.Own || !mirrored[t.Room] && !strings.Contains(t.Name, "[") {
			continue
		}
		starter, err := f.Keeper.Starter(ctx, t.Room)
		switch {
		case isGone(err):
		case err != nil:
			return f.explain("read a thread of", err)
		default:
			w.Starters[t.Room] = starter
		}
	}
	return nil
}

// readTags reads the tag map and finds its tags. A file that cannot be read leaves all tags
// as they are.
func (f *Forum) readTags(ctx context.Context) (Tags, []string, error) {
	data, err := os.ReadFile(f.TagMap)
	if err != nil {
		return Tags{}, []string{"the file cannot be read: " + errors.Unwrap(err).Error()}, nil
	}
	m, wrong := ReadTagMap(data, f.Board.Words())
	if len(m.lines) == 0 {
		return Tags{}, wrong, nil
	}
	there, err := f.Keeper.Tags(ctx, f.Room)
	if err != nil {
		return Tags{}, nil, f.explain("read the tags of", err)
	}
	tags, missing := m.Find(there)
	return tags, append(wrong, missing...), nil
}

// ReloadTags tells what the tag map says and what is wrong with it, and has the threads get
// other tags. It is read for each sync, so there is nothing to be kept.
func (f *Forum) ReloadTags(ctx context.Context) (string, error) {
	if f.TagMap == "" {
		return "", fmt.Errorf("no tag map is configured; whoever looks after Aside can name a file in aside.yaml, as %s: {tag_map: tags.yaml}", f.Board.Name())
	}
	tags, wrong, err := f.readTags(ctx)
	if err != nil {
		return "", err
	}
	f.Wake()
	text := fmt.Sprintf("%s and %s have tags", count(len(tags.labels), "label", "labels"), count(len(tags.statuses), "status", "statuses"))
	if len(wrong) > 0 {
		text += ", and in " + f.TagMap + " is wrong:\n- " + strings.Join(wrong, "\n- ")
	}
	return text, nil
}

// explain says what could not be done. Of errors only a *platform.Problem is for people.
func (f *Forum) explain(what string, err error) error {
	return fmt.Errorf("could not %s the forum %s: %w", what, f.Room, problemOf(err))
}

func problemOf(err error) *platform.Problem {
	var p *platform.Problem
	if errors.As(err, &p) {
		return p
	}
	return &platform.Problem{Outcome: platform.Unknown, Reason: "the platform does not answer"}
}

func isGone(err error) bool { return err != nil && problemOf(err).Gone }
