package turn

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/social"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A plaza is a room that can do everything an envelope may ask for, and keeps every text
// that ever stood in it.
type plaza struct {
	*room
	mu    sync.Mutex
	shown []string
	gone  []string // posts that were taken away
}

func (p *plaza) saw(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = append(p.shown, text)
}

func (p *plaza) Post(ctx context.Context, post platform.Post) platform.Receipt {
	p.saw(post.Text)
	return p.room.Post(ctx, post)
}

func (p *plaza) Edit(ctx context.Context, in platform.Room, post, text string) platform.Receipt {
	p.saw(text)
	return p.room.Edit(ctx, in, post, text)
}

func (p *plaza) Delete(_ context.Context, _ platform.Room, post string) platform.Receipt {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = append(p.gone, post)
	return platform.Receipt{Outcome: platform.Delivered}
}

func (p *plaza) Messages(context.Context, platform.Room, platform.Page) ([]platform.Message, error) {
	return nil, nil
}

func (p *plaza) Message(_ context.Context, _ platform.Room, id string) (platform.Message, error) {
	return platform.Message{ID: id, Text: "tea is green", Author: platform.Person{Name: "Ada"}}, nil
}

// stands are the posts of a room that were not taken away.
func (p *plaza) stands(in string) []string {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for i, post := range p.posts {
		if post.Room.ID == in && !slices.Contains(p.gone, fmt.Sprint(i)) {
			all = append(all, post.Text)
		}
	}
	return all
}

// typed is a model that gives one reply after the other, a byte at a time.
type typed struct{ dialogue }

func (m *typed) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		text, _ := m.next(ctx, r.Messages[len(r.Messages)-1].Text)
		for i := range len(text) {
			if !yield(model.Delta{Text: text[i : i+1]}, nil) {
				return
			}
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

// newPlaza is a stage on which replies are envelopes, and shown at every byte.
func newPlaza(t *testing.T, m *typed, more ...*action.Spec) (*stage, *plaza) {
	t.Helper()
	s := newDialogue(t, &m.dialogue, more...)
	registry, err := action.NewRegistry(append(s.Registry.Specs(), social.Specs(s.Outbox, s.Outbox, platform.Room{Platform: "test", ID: "wall"})...)...)
	if err != nil {
		t.Fatal(err)
	}
	p := &plaza{room: s.room}
	var calls atomic.Int64
	began := time.Now()
	s.Now = func() time.Time { return began.Add(time.Duration(calls.Add(1)) * 350 * time.Millisecond) }
	s.Outbox.Platforms["test"] = p
	s.Model, s.Registry, s.Gatherer.Registry = m, registry, registry
	s.Reading = extract.Config{Dialects: extract.Everything}
	s.Continues = func(*store.Turn) int { return 2 }
	return s, p
}

// wroteDown is a reply's ledger in few words.
func (s *stage) wroteDown(message string) []string {
	s.t.Helper()
	var all []string
	for _, t := range s.turns(message) {
		rows, err := s.Store.Actions(s.t.Context(), t.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, a := range rows {
			all = append(all, strings.TrimSpace(a.Type+" "+string(a.State)+" "+a.Summary))
		}
	}
	return all
}
