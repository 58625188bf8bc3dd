package queue

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// A sitter is a process that wants a seat.
type sitter struct {
	t      *testing.T
	began  chan func(context.Context) error // what tells whether the seat is its own
	ended  chan struct{}
	cancel context.CancelFunc
	result chan error
}

// sit has a process run something in a seat until its context ends. now counts those that
// do at the same time.
func sit(t *testing.T, s *store.Store, now *atomic.Int32) *sitter {
	t.Helper()
	q := start(t, s, 1, settle(s))
	ctx, cancel := context.WithCancel(context.Background())
	one := &sitter{t: t, began: make(chan func(context.Context) error, 10), ended: make(chan struct{}, 10), cancel: cancel, result: make(chan error, 1)}
	var running sync.WaitGroup
	running.Go(func() {
		one.result <- q.InSeat(ctx, "discord", func(ctx context.Context, mine func(context.Context) error) error {
			if now.Add(1) > 1 {
				t.Error("two sit there at the same time")
			}
			one.began <- mine
			<-ctx.Done()
			now.Add(-1)
			one.ended <- struct{}{}
			return nil
		})
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	return one
}

func (s *sitter) sits() func(context.Context) error {
	s.t.Helper()
	select {
	case mine := <-s.began:
		return mine
	case <-time.After(30 * time.Second):
		s.t.Fatal("it does not get the seat")
		return nil
	}
}

func (s *sitter) stops() {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.t.Fatal("it goes on")
	}
}

func TestASeatIsOneProcesssAtATimeAndAnothersWhenItLeaves(t *testing.T) {
	url := postgres.Server(t).Database(t)
	var now atomic.Int32
	first := sit(t, on(t, url, ""), &now)
	mine := first.sits()
	if err := mine(t.Context()); err != nil {
		t.Errorf("it is not its own: %v", err)
	}
	second := sit(t, on(t, url, ""), &now)
	first.cancel()
	if err := <-first.result; err != nil {
		t.Error(err)
	}
	second.sits()
	if err := mine(t.Context()); !errors.Is(err, ErrSeatTaken) {
		t.Errorf("the first one may go on: %v", err)
	}
}

func TestASeatIsTakenFromWhoeverIsSilentAndGivenBack(t *testing.T) {
	url := postgres.Server(t).Database(t)
	var now atomic.Int32
	first := sit(t, on(t, url, ""), &now)
	mine := first.sits()
	second, ctx := on(t, url, ""), t.Context()
	if err := second.Beat(ctx, deadAfter); err != nil {
		t.Fatal(err)
	}
	if taken, err := second.TakeSeat(ctx, "discord", deadAfter); taken || err != nil {
		t.Fatalf("it was taken from a process that lives: %v", err)
	}
	if taken, err := second.TakeSeat(ctx, "telegram", deadAfter); !taken || err != nil {
		t.Fatalf("another seat is not free: %v", err)
	}
	// Nobody's last sign of life is young enough.
	if taken, err := second.TakeSeat(ctx, "discord", -time.Hour); !taken || err != nil {
		t.Fatalf("it was not taken from a process that is silent: %v", err)
	}
	if err := mine(ctx); !errors.Is(err, ErrSeatTaken) {
		t.Errorf("the first one may go on: %v", err)
	}
	first.stops()
	if err := second.LeaveSeat(ctx, "discord"); err != nil {
		t.Fatal(err)
	}
	first.sits()
}

func TestWhatCannotBeDoneInASeatIsSaidAndTheSeatIsFree(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		q := start(t, s, 1, settle(s))
		wrong := errors.New("a wrong token")
		for range 2 {
			err := q.InSeat(t.Context(), "discord", func(ctx context.Context, mine func(context.Context) error) error {
				if err := mine(ctx); err != nil {
					t.Errorf("it is not its own: %v", err)
				}
				return wrong
			})
			if !errors.Is(err, wrong) {
				t.Errorf("got %v", err)
			}
		}
		if s.Engine == store.Postgres {
			if mine, err := s.HasSeat(t.Context(), "discord"); mine || err != nil {
				t.Errorf("it is still taken: %v", err)
			}
		}
	})
}
