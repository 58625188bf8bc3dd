package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/cron"
	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/task"
	"github.com/asidehq/aside/platform"
)

// forums are those that mirror a board, by its name.
type forums map[string]*forum.Forum

// newForums are those that are configured, of boards that are not switched off.
func newForums(c *config.Config, s *store.Store, board *task.Board, crons *cron.Desk, platforms map[string]platform.Platform, log *slog.Logger) (forums, error) {
	f, off := forums{}, policy(c).Off
	if off("tasks") == "" {
		if err := f.add(task.Mirrored{Board: board}, c.Tasks.Forum, c.Tasks.TagMap, platforms, s, log); err != nil {
			return nil, err
		}
	}
	if off("crons") == "" {
		if err := f.add(cron.Mirrored{Desk: crons}, c.Crons.Forum, c.Crons.TagMap, platforms, s, log); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// listen has the forums synced soon after their boards have changed.
func (f forums) listen(board *task.Board, jobs *cron.Book) {
	board.Changed = func() { f.changed("tasks") }
	before := jobs.Changed
	jobs.Changed = func() {
		if before != nil {
			before()
		}
		f.changed("crons")
	}
}

// add has a board mirrored in a room, if one is configured.
func (f forums) add(board forum.Board, room config.Room, tagMap string, platforms map[string]platform.Platform, s *store.Store, log *slog.Logger) error {
	if room == "" {
		return nil
	}
	at, key := roomOf(room), board.Name()+".forum"
	p, ok := platforms[at.Platform]
	if !ok {
		return fmt.Errorf("%s: %s is not among platforms; add it there, or take the forum out", key, at.Platform)
	}
	keeper, ok := p.(platform.ForumKeeper)
	if !ok {
		return fmt.Errorf("%s: %s has no forums; take a forum of Discord", key, at.Platform)
	}
	for other, taken := range f {
		if taken.Room == at {
			return fmt.Errorf("%s: %s is the forum of %s; take another one", key, at, other)
		}
	}
	f[board.Name()] = forum.New(forum.Forum{
		Board: board, Room: at, Keeper: keeper, Store: s, TagMap: tagMap, Now: time.Now, Wait: wait, Logger: log,
	})
	return nil
}

// equip gives actions the forums that they are about.
func (f forums) equip(w *workshop) {
	if shown, ok := f["tasks"]; ok {
		w.forum = shown
	}
	if shown, ok := f["crons"]; ok {
		w.cronForum = cron.Forum{Forum: shown}
	}
}

// join says who may close what, and that one process at a time syncs: whoever is asked to.
func (f forums) join(jobs *queue.Queue, door *access.Door) {
	for _, shown := range f {
		shown.InSeat = func(ctx context.Context, seat string, run func(context.Context) error) error {
			return jobs.InSeat(ctx, seat, func(ctx context.Context, _ func(context.Context) error) error { return run(ctx) })
		}
		shown.Allowed = func(ctx context.Context, who platform.Person, thread platform.Room) (bool, error) {
			return door.Knows(ctx, platform.Message{Room: thread, Parent: shown.Room.ID, Author: who})
		}
	}
}

// run keeps the forums until the context ends. Of several processes one does.
func (f forums) run(ctx context.Context, beside *sync.WaitGroup, jobs *queue.Queue) {
	for name, shown := range f {
		beside.Go(func() {
			_ = jobs.InSeat(ctx, "look-out for "+name, func(ctx context.Context, _ func(context.Context) error) error {
				shown.Run(ctx)
				return nil
			})
		})
	}
}

// A watching inbox tells forums what happens to their threads.
type watching struct {
	*inbox.Inbox
	platform.Watcher
}

// ThreadEvent implements platform.Watcher.
func (f forums) ThreadEvent(e platform.ThreadEvent) {
	for _, shown := range f {
		shown.ThreadEvent(e)
	}
}

// changed has the forum of a board synced soon.
func (f forums) changed(board string) {
	if shown, ok := f[board]; ok {
		shown.Wake()
	}
}
