package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/internal/task"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A parlour is a room in which messages can be pinned and deleted, and which remembers all
// that ever stood in it.
type parlour struct {
	*room
	mu      sync.Mutex
	stood   []string
	pinned  []string
	deleted []string
}

func (p *parlour) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stood = append(p.stood, text)
}

func (p *parlour) Post(ctx context.Context, post platform.Post) platform.Receipt {
	p.note(post.Text)
	return p.room.Post(ctx, post)
}

func (p *parlour) Edit(ctx context.Context, in platform.Room, post, text string) platform.Receipt {
	p.note(text)
	return p.room.Edit(ctx, in, post, text)
}

func (p *parlour) Delete(_ context.Context, _ platform.Room, post string) platform.Receipt {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deleted = append(p.deleted, post)
	return platform.Receipt{Outcome: platform.Delivered}
}

func (p *parlour) Pin(_ context.Context, _ platform.Room, message string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pinned = append(p.pinned, message)
	return nil
}

func (p *parlour) Unpin(context.Context, platform.Room, string) error { return nil }

func (p *parlour) Pins(context.Context, platform.Room) ([]platform.Message, error) { return nil, nil }

// A library finds a page about tea, and nothing else.
type library struct{}

func (library) Search(_ context.Context, query string) ([]tools.Hit, error) {
	if query == "tea" {
		return []tools.Hit{{Title: "Tea", URL: "https://tea.example.com/", Extract: "Tea is green."}}, nil
	}
	return nil, nil
}

func (l library) SearchDeeper(ctx context.Context, query string) ([]tools.Hit, error) {
	if query == "coffee" {
		return nil, errors.New("the library is closed; try again tomorrow")
	}
	return l.Search(ctx, query)
}

// toldAnswer is what the model answers when it is told what came of its signals.
const toldAnswer = "So it is."

// A scribe writes a reply byte by byte to who says "go", and a plain one to everybody else.
type scribe struct {
	reply string
	mu    sync.Mutex
	wrote int               // bytes of the reply
	told  string            // what came of its signals
	asked [][]model.Message // with which it was asked
}

func (s *scribe) Stream(_ context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	last := r.Messages[len(r.Messages)-1].Text
	s.mu.Lock()
	s.asked = append(s.asked, r.Messages)
	s.mu.Unlock()
	text, counts := "You said "+last, false
	switch {
	case strings.HasPrefix(last, ResultsMark):
		s.mu.Lock()
		s.told = last
		s.mu.Unlock()
		text = toldAnswer
	case last == "go":
		text, counts = s.reply, true
	}
	return func(yield func(model.Delta, error) bool) {
		for i := range len(text) {
			if counts {
				s.mu.Lock()
				s.wrote++
				s.mu.Unlock()
			}
			if !yield(model.Delta{Text: text[i : i+1]}, nil) {
				return
			}
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

// newParlour is a stage with every action that has a signal, and a scribe.
func newParlour(t *testing.T, reply string) (*stage, *parlour, *scribe) {
	t.Helper()
	writer := &scribe{reply: reply}
	s := newStage(t, storetest.Dir(t), writer)
	in := &parlour{room: s.room}
	s.Outbox.Platforms["test"] = in
	var specs []*action.Spec
	all := func() []*action.Spec { return specs }
	board := &task.Board{Store: s.Store, Now: time.Now, Prefix: "ws"}
	for _, some := range [][]*action.Spec{
		messaging.Specs(s.Outbox, s.Outbox), catalogue.Specs(remembering(s.Store)), tasks.Specs(board, nil),
		tools.Specs(), tools.Search(library{}),
		{tools.Help(GuideIn(s.Reading.Dialects), all)},
		tools.Talk(&Talk{s.Engine}, all),
	} {
		specs = append(specs, some...)
	}
	registry, err := action.NewRegistry(specs...)
	if err != nil {
		t.Fatal(err)
	}
	s.Registry, s.Gatherer.Registry, s.FollowupDepth = registry, registry, 1
	s.Now = hasty()
	if _, err := board.Create(t.Context(), tasks.By{Key: "k", Person: "ada", Name: "Ada"}, tasks.New{Title: "Water the plants"}); err != nil {
		t.Fatal(err)
	}
	if _, err := remembering(s.Store).Remember(t.Context(), "test/ada", "before", "fact", "Meets Bob at 3:30"); err != nil {
		t.Fatal(err)
	}
	s.began.Do(s.start)
	return s, in, writer
}

// hasty is a clock on which something is due to be shown whenever somebody looks.
func hasty() func() time.Time {
	var looks atomic.Int64
	return func() time.Time { return time.Now().Add(time.Duration(looks.Add(1)) * 301 * time.Millisecond) }
}

// sayDirect says something to the agent alone, and waits until it is settled.
func (s *stage) sayDirect(id, text string) {
	s.t.Helper()
	m := message("a", id, text)
	m.Direct = true
	if err := s.inbox.Receive(s.t.Context(), m); err != nil {
		s.t.Fatal(err)
	}
	s.untilSettled(id)
}

// outcomes are the actions of a message's turns, a line for each.
func (s *stage) outcomes(message string) []string {
	s.t.Helper()
	lines := []string{}
	for _, turn := range s.turns(message) {
		ledger, err := s.Store.Actions(s.t.Context(), turn.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, a := range ledger {
			lines = append(lines, fmt.Sprintf("%s %s %s", a.Type, a.State, a.Summary))
		}
	}
	return lines
}
