package forum_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/platform"
)

// A mortal keeper, with its board, is killed at a call: before it is made or after. A program
// that was killed does nothing more, so the context of everything ends with it.
type mortal struct {
	platform.ForumKeeper
	left  int
	after bool // the call is made first
	kill  context.CancelFunc
}

var errKilled = errors.New("killed")

// live makes a call unless it is the one.
func live[T any](m *mortal, call func() (T, error)) (T, error) {
	m.left--
	var none T
	if m.left != 0 {
		return call()
	}
	if m.after {
		_, _ = call()
	}
	m.kill()
	return none, errKilled
}

func (m *mortal) ForumThreads(ctx context.Context, in platform.Room) ([]platform.ForumThread, error) {
	return live(m, func() ([]platform.ForumThread, error) { return m.ForumKeeper.ForumThreads(ctx, in) })
}

func (m *mortal) ForumThread(ctx context.Context, in platform.Room) (platform.ForumThread, error) {
	return live(m, func() (platform.ForumThread, error) { return m.ForumKeeper.ForumThread(ctx, in) })
}

func (m *mortal) CreateThread(ctx context.Context, t platform.NewThread) (platform.RoomInfo, error) {
	return live(m, func() (platform.RoomInfo, error) { return m.ForumKeeper.CreateThread(ctx, t) })
}

func (m *mortal) EditThread(ctx context.Context, in platform.Room, c platform.ThreadChange) (platform.RoomInfo, error) {
	return live(m, func() (platform.RoomInfo, error) { return m.ForumKeeper.EditThread(ctx, in, c) })
}

func (m *mortal) EditStarter(ctx context.Context, in platform.Room, text string) error {
	_, err := live(m, func() (struct{}, error) { return struct{}{}, m.ForumKeeper.EditStarter(ctx, in, text) })
	return err
}

// A mortalBoard is the keeper's board.
type mortalBoard struct {
	forum.Board
	m *mortal
}

func (b mortalBoard) Close(ctx context.Context, i forum.Item, by forum.By) error {
	_, err := live(b.m, func() (struct{}, error) { return struct{}{}, b.Board.Close(ctx, i, by) })
	return err
}

func (b mortalBoard) Reopen(ctx context.Context, i forum.Item, by forum.By) error {
	_, err := live(b.m, func() (struct{}, error) { return struct{}{}, b.Board.Reopen(ctx, i, by) })
	return err
}

func (b mortalBoard) Link(ctx context.Context, i forum.Item, thread platform.Room) error {
	_, err := live(b.m, func() (struct{}, error) { return struct{}{}, b.Board.(forum.Linker).Link(ctx, i, thread) })
	return err
}

// busyDay leaves something to do of every kind.
func (r *rig) busyDay() {
	r.t.Helper()
	for _, title := range []string{"Close", "Archive", "Open", "Retitle", "Delete", "Release", "Rewrite while closed"} {
		r.board.add(title)
	}
	r.sync()
	r.board.change("ws-003", closed)
	r.board.change("ws-007", closed)
	r.sync()
	r.pass(time.Hour)
	r.board.change("ws-001", closed)
	r.Archive(r.Ada, r.thread("ws-002"), true)
	r.Archive(r.Ada, r.thread("ws-003"), false)
	r.board.change("ws-004", func(i *forum.Item) { i.Title, i.Body = "Retitled", "Anew." })
	r.RemoveThread(r.thread("ws-005"))
	r.board.change("ws-006", func(i *forum.Item) { i.NoThread = true })
	r.board.change("ws-007", func(i *forum.Item) { i.Body = "Anew." })
	r.board.add("New")
}

func (r *rig) pass(d time.Duration) {
	r.clock.Pass(d)
	r.Pass(d)
}

func TestKilledAtAnyMomentTheNextSyncGoesOn(t *testing.T) {
	want := []string{
		"☑️ [001] Close (archived)", "☑️ [002] Archive (archived)", "☑️ [007] Rewrite while closed (archived)",
		"🟢 [003] Open", "🟢 [004] Retitled", "🟢 [005] Delete", "🟢 [006] Release (archived)", "🟢 [008] New",
	}
	for _, after := range []bool{false, true} {
		for n, died := 1, true; died; n++ {
			if !torture() && (n%2 == 0) != after {
				continue // half of them at a time
			}
			t.Run(fmt.Sprintf("at call %d, made %v", n, after), func(t *testing.T) {
				r := newRig(t)
				r.busyDay()
				ctx, kill := context.WithCancel(r.ctx)
				defer kill()
				m := &mortal{ForumKeeper: r.keeper(), left: n, after: after, kill: kill}
				f := r.forum(m)
				f.Board = mortalBoard{r.board, m}
				_, err := f.Sync(ctx)
				if died = m.left <= 0; died == (err == nil) {
					t.Fatalf("died %v, and it says %v", died, err)
				}
				r.pass(31 * time.Second)
				r.sync()
				r.looks(want...)
				r.still()
				if text := r.Messages(r.thread("ws-004"))[0].Content; text != "Anew." {
					t.Errorf("one begins with %q", text)
				}
				if text := r.Messages(r.thread("ws-007"))[0].Content; text != "Anew." {
					t.Errorf("an archived one begins with %q", text)
				}
			})
			if n > 200 {
				t.Fatal("it takes too many calls")
			}
		}
	}
}

// still checks that another sync has nothing to do, and does nothing.
func (r *rig) still() {
	r.t.Helper()
	before := len(r.AllRequests())
	if report := r.sync(); !strings.HasPrefix(report, "nothing to mend") {
		r.t.Errorf("a second sync reports %q", report)
	}
	for _, q := range r.AllRequests()[before:] {
		if q.Method != http.MethodGet {
			r.t.Errorf("a second sync asks for %s %s", q.Method, q.Path)
		}
	}
}

// torture tells whether there is time.
func torture() bool { return os.Getenv("ASIDE_TORTURE") != "" }

// failing is a test whose failures are those of a draw, which is then made smaller.
type failing struct {
	testing.TB
	draw *rapid.T
}

func (f failing) Errorf(format string, args ...any) { f.draw.Errorf(format, args...) }
func (f failing) Fatalf(format string, args ...any) { f.draw.Fatalf(format, args...) }
func (f failing) Fatal(args ...any)                 { f.draw.Fatal(args...) }

// After whatever people do, one sync leaves nothing to another.
func TestASyncLeavesNothingToDo(t *testing.T) {
	runs, failed := 0, false
	rapid.Check(t, func(draw *rapid.T) {
		if runs++; runs > 25 && !failed && !torture() {
			return // a run takes its time
		}
		defer func() { failed = failed || draw.Failed() }()
		r := newRig(t)
		r.t = failing{t, draw}
		for range rapid.IntRange(1, 4).Draw(draw, "items") {
			r.board.add("Do it")
		}
		if rapid.Bool().Draw(draw, "synced") {
			r.sync()
		}
		for range rapid.IntRange(1, 12).Draw(draw, "doings") {
			r.pass(time.Duration(rapid.SampledFrom([]int{1, 60, 700}).Draw(draw, "later")) * time.Second)
			r.doSomething(draw)
		}
		r.pass(11 * time.Minute) // names may be changed again
		r.sync()
		r.still()
		r.consistent()
	})
}

// doSomething does what people may do to an item or a thread.
func (r *rig) doSomething(draw *rapid.T) {
	i := rapid.SampledFrom(r.board.items).Draw(draw, "item")
	switch what := rapid.SampledFrom([]string{"add", "close", "reopen", "retitle", "rewrite", "opt out", "opt in", "orphan", "sync"}).Draw(draw, "do"); what {
	case "add":
		r.board.add("More")
	case "close":
		r.board.change(i.ID, closed)
	case "reopen":
		r.board.change(i.ID, func(i *forum.Item) { i.Closed, i.Mark = false, "🟢" })
	case "retitle":
		r.board.change(i.ID, func(i *forum.Item) { i.Title += "!" })
	case "rewrite":
		r.board.change(i.ID, func(i *forum.Item) { i.Body += "!" })
	case "opt out", "opt in":
		r.board.change(i.ID, func(i *forum.Item) { i.NoThread = what == "opt out" })
	case "orphan":
		r.Begin(r.Ada, r.room, rapid.SampledFrom([]string{"Hello", "[002] mine", "[777] nobody's"}).Draw(draw, "name"), "text")
	case "sync":
		r.sync()
	}
	c := r.Channel(i.Thread.ID)
	if c == nil {
		return
	}
	switch rapid.SampledFrom([]string{"leave", "archive", "open", "rename", "delete", "write", "hush", "erase"}).Draw(draw, "to the thread") {
	case "archive":
		r.Archive(r.Ada, c, true)
	case "open":
		r.Archive(r.Ada, c, false)
	case "rename":
		r.Rename(c, "hers")
	case "delete":
		r.RemoveThread(c)
	case "write":
		r.Write(r.Ada, c, "hello")
	case "hush":
		r.Hush(c)
		r.clock.Pass(7 * 24 * time.Hour)
	case "erase":
		if len(r.Messages(c)) > 0 && r.Messages(c)[0].ID == c.ID {
			r.Erase(c, c.ID)
		}
	}
}

// consistent checks that every open item has one thread, with its name, and every closed one
// none that was left open by anybody but who writes there.
func (r *rig) consistent() {
	r.t.Helper()
	names := map[string]int{}
	for _, c := range r.Threads(r.room) {
		if !c.Metadata.Archived {
			names[c.Name]++
		}
	}
	seen := map[string]bool{}
	for _, i := range r.board.items {
		switch c := r.Channel(i.Thread.ID); {
		case i.NoThread && i.Thread.ID != "":
			r.t.Errorf("%s is to have no thread", i.ID)
		case i.NoThread || i.Closed && c == nil:
		case c == nil:
			r.t.Errorf("%s has no thread", i.ID)
		case seen[c.ID]:
			r.t.Errorf("%s shares its thread", i.ID)
		case c.Name != i.Name():
			r.t.Errorf("the thread of %s is called %q, not %q", i.ID, c.Name, i.Name())
		default:
			seen[c.ID] = true
		}
		if names[i.Name()] > 1 {
			r.t.Errorf("%d threads are called %q", names[i.Name()], i.Name())
		}
	}
}
