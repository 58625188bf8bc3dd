package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A typist is a room in which one can see what happens in which order.
type typist struct {
	*room
	seen    chan string // "typing" or "post"
	problem error
}

func (y *typist) Typing(ctx context.Context, r platform.Room) error {
	if ctx.Err() == nil {
		y.seen <- "typing in " + r.ID
	}
	return y.problem
}

func (y *typist) Post(ctx context.Context, p platform.Post) platform.Receipt {
	y.seen <- "post in " + p.Room.ID
	return y.room.Post(ctx, p)
}

// next is what happens next in the room.
func (y *typist) next(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-y.seen:
		if got != want {
			t.Fatalf("there is %s, want %s", got, want)
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("there is never %s", want)
	}
}

// deltas is a model that says what it is given.
type deltas chan string

func (d deltas) Stream(ctx context.Context, _ model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		for {
			select {
			case text, ok := <-d:
				if !ok {
					yield(model.Delta{End: model.Done}, nil)
					return
				}
				if !yield(model.Delta{Text: text}, nil) {
					return
				}
			case <-ctx.Done():
				yield(model.Delta{}, &model.Error{Kind: model.Cancelled, Message: "cancelled"})
				return
			}
		}
	}
}

// newTypist is a stage with a room that shows typing, and its ticker.
func newTypist(t *testing.T, m model.Model) (s *stage, y *typist, ticks chan time.Time, running *atomic.Int64) {
	t.Helper()
	s = newStage(t, storetest.Dir(t), m)
	y = &typist{room: s.room, seen: make(chan string, 100)}
	s.Outbox = &outbox.Outbox{Store: s.Store, Platforms: map[string]platform.Platform{"test": y}, MaxAge: time.Hour, Now: time.Now, Wait: s.Outbox.Wait}
	ticks, running = make(chan time.Time), new(atomic.Int64)
	s.Every = func(d time.Duration) (<-chan time.Time, func()) {
		if d != typingEvery {
			t.Errorf("it ticks every %v", d)
		}
		running.Add(1)
		return ticks, func() { running.Add(-1) }
	}
	return s, y, ticks, running
}

func TestTypingIsShownUntilThereIsText(t *testing.T) {
	m := make(deltas)
	s, y, ticks, running := newTypist(t, m)
	y.problem = errors.New("nobody may know")
	later := make(chan struct{})
	began := time.Now()
	s.Now = func() time.Time { // once it is later, text is shown as soon as it comes
		select {
		case <-later:
			return began.Add(time.Hour)
		default:
			return began
		}
	}
	s.start()
	s.say("a", "1", "hi")
	y.next(t, "typing in a")
	for range 3 {
		ticks <- time.Time{}
		y.next(t, "typing in a")
	}
	m <- "Hel" // not shown yet
	ticks <- time.Time{}
	y.next(t, "typing in a")
	close(later)
	m <- "lo"
	y.next(t, "post in a")
	if n := running.Load(); n != 0 {
		t.Errorf("%d tickers run behind the text", n)
	}
	m <- " there"
	close(m)
	s.settled(1)
	if got := s.room.texts("a"); !slices.Equal(got, []string{"Hello there"}) || len(y.seen) != 0 {
		t.Errorf("in the room stands %q, and %d more things happened", got, len(y.seen))
	}
}

func TestTypingEndsWithTheTurn(t *testing.T) {
	for name, end := range map[string]func(s *stage){
		"because it was stopped":         func(s *stage) { s.say("a", "2", "/stop") },
		"because the program shuts down": func(s *stage) { s.stop(0) },
	} {
		t.Run(name, func(t *testing.T) {
			s, y, ticks, running := newTypist(t, make(deltas))
			s.start()
			s.say("a", "1", "hi")
			y.next(t, "typing in a")
			ticks <- time.Time{}
			y.next(t, "typing in a")
			end(s)
			s.stop(10 * time.Second)
			if n := running.Load(); n != 0 {
				t.Errorf("%d tickers still run", n)
			}
			for len(y.seen) > 0 {
				if got := <-y.seen; got != "post in a" {
					t.Errorf("behind the end there is %s", got)
				}
			}
		})
	}
}

func TestWhatTheRuntimeAnswersItselfNeedsNoTyping(t *testing.T) {
	s, y, _, _ := newTypist(t, make(deltas))
	s.start()
	s.say("a", "1", "/stop")
	s.settled(1)
	y.next(t, "post in a")
	if len(y.seen) != 0 {
		t.Errorf("there is %s", fmt.Sprint(<-y.seen))
	}
}
