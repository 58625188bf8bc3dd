package forge

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A rig is a forge with the real engine, queue and store, and models that say what a test
// wants them to.
type rig struct {
	*Forge
	t      *testing.T
	dir    string
	engine *turn.Engine
	queue  *queue.Queue

	mu    sync.Mutex
	asked []string                                                      // the first line of everything, in order
	texts []string                                                      // all of it
	says  func(ctx context.Context, role, asked string) (string, error) // what the models say
}

func newRig(t *testing.T, says func(ctx context.Context, role, asked string) (string, error)) *rig {
	t.Helper()
	dir := storetest.Dir(t)
	s, err := store.Open(t.Context(), "sqlite", dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return newRigOn(t, s, dir, says)
}

// newRigOn is another process on a store.
func newRigOn(t *testing.T, s *store.Store, dir string, says func(ctx context.Context, role, asked string) (string, error)) *rig {
	t.Helper()
	r := &rig{t: t, dir: dir, says: says}
	out := &outbox.Outbox{Store: s, Platforms: map[string]platform.Platform{"test": nobody{}}, MaxAge: time.Hour, Now: time.Now}
	r.Forge = new(Forge)
	registry, err := action.NewRegistry(forges.Specs(r.Forge)...)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	r.engine = &turn.Engine{
		Store: s, Outbox: out, Registry: registry, Reading: extract.Config{}, Now: time.Now, Logger: log,
		Policy: action.Policy{Enabled: true}, Folder: &turn.Folder{Store: s, Tokens: 1000, Logger: log},
		Gatherer: &turn.Gatherer{Store: s, Registry: registry, Persona: func() string { return "" }, Tokens: 1000},
		ModelOf:  func(b store.Brief) (model.Model, error) { return voice{r, b.Role}, nil },
	}
	r.queue = queue.New(s, queue.Options{Parallel: 4, Logger: log, Step: r.engine.Step})
	folder := plan.NewFolder(filepath.Join(dir, "plans"))
	*r.Forge = Forge{
		Store: s, Plans: &plan.Plans{Store: s, Folder: folder, Now: time.Now, Logger: log, Tasks: board{}}, Folder: folder, Logger: log, Rounds: 5,
		Opened: func() { r.queue.Await(time.Now()) }, Stop: r.engine.Stop,
	}
	r.engine.Ended, r.engine.Revoked = r.Ended, r.Revoked
	if err := r.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := r.queue.Stop(ctx); err != nil {
			t.Error(err)
		}
		r.engine.Folder.Stop()
	})
	return r
}

// A voice is a model of a role.
type voice struct {
	*rig
	role string
}

func (v voice) Stream(ctx context.Context, q model.Request) iter.Seq2[model.Delta, error] {
	asked := q.Messages[len(q.Messages)-1].Text
	first, _, _ := strings.Cut(asked, "\n")
	v.mu.Lock()
	v.asked, v.texts = append(v.asked, v.role+" "+first), append(v.texts, asked)
	says := v.says
	v.mu.Unlock()
	return func(yield func(model.Delta, error) bool) {
		text, err := says(ctx, v.role, asked)
		if text != "" && !yield(model.Delta{Text: text}, nil) {
			return
		}
		if err != nil {
			yield(model.Delta{}, err)
			return
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

func (r *rig) wasAsked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.asked...)
}

func (r *rig) text(n int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.texts[n]
}

// A nobody is a platform where nothing is posted.
type nobody struct{}

func (nobody) Name() string                              { return "test" }
func (nobody) Limits() platform.Limits                   { return platform.Limits{Text: 2000} }
func (nobody) Run(context.Context, platform.Inbox) error { return nil }
func (nobody) Post(context.Context, platform.Post) platform.Receipt {
	return platform.Receipt{Outcome: platform.Refused, Reason: "nothing is posted here"}
}

// A board is one with one task.
type board struct{}

func (board) Create(context.Context, string, store.Asker, string, string) (string, error) {
	return "ws-001", nil
}

func (board) Close(context.Context, store.Tx, string, store.Asker, string, string) error { return nil }

func call(key string) action.Call {
	return action.Call{Key: key, Platform: "test", Room: "a", Person: "ada", Name: "Ada"}
}

// create begins a forge.
func (r *rig) create(key string) forges.Forge {
	r.t.Helper()
	row, err := r.Create(r.t.Context(), call(key), "Add a cache to the reader.", "It is slow.")
	if err != nil {
		r.t.Fatal(err)
	}
	return row
}

// until waits until a forge is in a state.
func (r *rig) until(id int64, states ...store.ForgeState) *store.Forge {
	r.t.Helper()
	var row *store.Forge
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		var err error
		if row, err = r.Store.ForgeByID(r.t.Context(), id); err != nil {
			r.t.Fatal(err)
		}
		for _, state := range states {
			if row.State == state {
				return row
			}
		}
		<-time.After(5 * time.Millisecond)
	}
	r.t.Fatalf("the forge is %+v; asked were %q", row, r.wasAsked())
	return nil
}

// over waits until a forge has ended.
func (r *rig) over(id int64) *store.Forge {
	r.t.Helper()
	return r.until(id, store.Forged, store.Capped, store.Broken, store.CalledOff)
}

// file is what a plan's file says.
func (r *rig) file(name string) *plan.File {
	r.t.Helper()
	file, err := r.Folder.Read(plan.Number(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return file
}

// shown is what is shown of a forge.
func (r *rig) shown() []string {
	r.t.Helper()
	all, err := r.Store.Displays(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	var texts []string
	for _, n := range all {
		texts = append(texts, n.Text)
	}
	return texts
}

// document is a draft whose changes are as they are said to be.
func document(changes string) string {
	var b strings.Builder
	for _, name := range sectionNames() {
		body := "About " + name + "."
		if name == plan.Changes {
			body = changes
		}
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", name, body)
	}
	return b.String()
}

// inTurn are models that say these, each role its own in order, and the last one for ever.
func inTurn(drafts, audits []string) func(context.Context, string, string) (string, error) {
	var mu sync.Mutex
	next := func(from *[]string) string {
		mu.Lock()
		defer mu.Unlock()
		text := (*from)[0]
		if len(*from) > 1 {
			*from = (*from)[1:]
		}
		return text
	}
	return func(_ context.Context, role, _ string) (string, error) {
		if role == "forge-auditor" {
			return next(&audits), nil
		}
		return next(&drafts), nil
	}
}

const (
	clear   = `{"maxSeverity":"none","shouldLoop":false,"summary":"It can be carried out.","concerns":[]}`
	blocked = `{"maxSeverity":"blocking","shouldLoop":true,"summary":"It cannot be undone.","concerns":[{"severity":"blocking","section":"Risks","concern":"There is no way back."},{"severity":"minor","section":"Scope","concern":"A typo."}]}`
)
