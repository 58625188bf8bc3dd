package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// forums are those that mirror a board, by its name.
type forums map[string]*forum.Forum

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

// of is the forum of a board, nil if it has none.
func (f forums) of(board string) interface {
	Sync(ctx context.Context) (string, error)
	ReloadTags(ctx context.Context) (string, error)
} {
	if shown, ok := f[board]; ok {
		return shown
	}
	return nil
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
