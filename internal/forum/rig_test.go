package forum_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
	"github.com/asidehq/aside/platform/platformtest"
)

// A board is one of tasks in memory.
type board struct {
	mu    sync.Mutex
	items []forum.Item
	notes []string // who closed and reopened what
	now   func() time.Time
}

func (b *board) Name() string { return "tasks" }

func (b *board) Words() forum.Words {
	return forum.Words{One: "task", Many: "tasks", Closed: "closed", Reopened: "reopened", Statuses: []string{"open", "closed"}}
}

func (b *board) Items(context.Context) ([]forum.Item, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.items), nil
}

func (b *board) Close(_ context.Context, i forum.Item, by forum.By) error {
	b.change(i.ID, func(i *forum.Item) { i.Closed, i.Mark, i.Status = true, "☑️", "closed" })
	b.notes = append(b.notes, "closed "+i.ID+": "+by.Why)
	return nil
}

func (b *board) Reopen(_ context.Context, i forum.Item, by forum.By) error {
	b.change(i.ID, func(i *forum.Item) { i.Closed, i.Mark, i.Status = false, "🟢", "open" })
	b.notes = append(b.notes, "reopened "+i.ID+": "+by.Why)
	return nil
}

func (b *board) Link(_ context.Context, i forum.Item, thread platform.Room) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.at(i.ID)
	b.items[at].Thread = thread
	return nil
}

func (b *board) at(id string) int {
	return slices.IndexFunc(b.items, func(i forum.Item) bool { return i.ID == id })
}

func (b *board) change(id string, change func(*forum.Item)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.at(id)
	change(&b.items[at])
	b.items[at].Changed = b.now()
}

// add makes a task.
func (b *board) add(title string, labels ...string) forum.Item {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := fmt.Sprintf("%03d", len(b.items)+1)
	i := forum.Item{ID: "ws-" + number, Number: number, Title: title, Mark: "🟢", Body: "About " + title + ".", Labels: labels, Status: "open", Changed: b.now()}
	b.items = append(b.items, i)
	return i
}

// A rig is a forum at a Discord for tests, with a board and a store.
type rig struct {
	*discordtest.Server
	t      testing.TB
	ctx    context.Context
	board  *board
	store  *store.Store
	clock  *platformtest.Clock
	room   *discordtest.Channel
	tagMap string
	denied []string // who may not talk to the agent
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{Server: discordtest.New(t), t: t, ctx: t.Context(), clock: &platformtest.Clock{}}
	r.board = &board{now: r.clock.Now}
	s, err := store.Open(r.ctx, "sqlite", storetest.Dir(t), r.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	r.store = s
	r.room = r.AddChannel(r.Guild, "tasks", discordtest.Forum)
	return r
}

// keeper is an adapter as a program has it that has just been started.
func (r *rig) keeper() platform.ForumKeeper {
	r.t.Helper()
	d, err := discord.New(discord.Options{Token: discordtest.Token, APIURL: r.APIURL(), GatewayURL: r.GatewayURL(), Now: r.clock.Now, Wait: r.clock.Wait})
	if err != nil {
		r.t.Fatal(err)
	}
	return d
}

func (r *rig) forum(keeper platform.ForumKeeper) *forum.Forum {
	return forum.New(forum.Forum{
		Board: r.board, Room: platform.Room{Platform: "discord", ID: r.room.ID}, Keeper: keeper, Store: r.store, TagMap: r.tagMap,
		Allowed: func(_ context.Context, who platform.Person, _ platform.Room) (bool, error) {
			return !slices.Contains(r.denied, who.Name), nil
		},
		InSeat: func(ctx context.Context, _ string, run func(context.Context) error) error { return run(ctx) },
		Now:    r.clock.Now, Wait: r.clock.Wait, Logger: slog.New(slog.DiscardHandler),
	})
}

// sync syncs as a program does that has just been started.
func (r *rig) sync() string {
	r.t.Helper()
	report, err := r.forum(r.keeper()).Sync(r.ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	return report
}

// reports checks what a sync reports.
func (r *rig) reports(want string) {
	r.t.Helper()
	if got := r.sync(); got != want {
		r.t.Errorf("the sync reports %q, want %q", got, want)
	}
}

// look is the forum as people see it: the names of its threads, and which are archived.
func (r *rig) look() string {
	var lines []string
	for _, c := range r.Threads(r.room) {
		line := c.Name
		if c.Metadata.Archived {
			line += " (archived)"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (r *rig) looks(want ...string) {
	r.t.Helper()
	if got := r.look(); got != strings.Join(want, "\n") {
		r.t.Errorf("there is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// thread is the thread of an item.
func (r *rig) thread(id string) *discordtest.Channel {
	r.t.Helper()
	r.board.mu.Lock()
	defer r.board.mu.Unlock()
	c := r.Channel(r.board.items[r.board.at(id)].Thread.ID)
	if c == nil {
		r.t.Fatalf("%s has no thread", id)
	}
	return c
}
