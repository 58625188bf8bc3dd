package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

// on opens a store for a process.
func on(t *testing.T, url, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url, dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// each runs a test on every engine.
func each(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Run("sqlite", func(t *testing.T) { test(t, on(t, "sqlite", storetest.Dir(t))) })
	t.Run("postgres", func(t *testing.T) { test(t, on(t, postgres.Server(t).Database(t), "")) })
}

// start is a process whose turns are brought from stage to stage by step.
func start(t *testing.T, s *store.Store, parallel int, step func(ctx context.Context, t *store.Turn) error) *Queue {
	t.Helper()
	q := New(s, Options{Parallel: parallel, Logger: slog.New(slog.DiscardHandler), Step: step})
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { halt(t, q, 10*time.Second) })
	return q
}

func halt(t *testing.T, q *Queue, patience time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := q.Stop(ctx); err != nil {
		t.Error(err)
	}
}

func say(t *testing.T, q *Queue, room, id string) {
	t.Helper()
	m := platform.Message{Room: platform.Room{Platform: "test", ID: room}, ID: id, Text: id, At: time.Now()}
	err := q.Enqueue(func(claim bool) (string, bool, error) {
		r, err := q.store.Receive(t.Context(), m, claim)
		return m.Room.String(), r.Mine, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// settle is a step that settles a turn.
func settle(s *store.Store) func(ctx context.Context, t *store.Turn) error {
	return func(ctx context.Context, t *store.Turn) error {
		if t.Stage == store.Waiting {
			return s.SaveReply(ctx, t, store.Reply{})
		}
		return s.Settle(ctx, t, nil)
	}
}

// await gets so many values.
func await[T any](t *testing.T, from <-chan T, n int) []T {
	t.Helper()
	var all []T
	for range n {
		select {
		case one := <-from:
			all = append(all, one)
		case <-time.After(30 * time.Second):
			t.Fatalf("only %v came", all)
		}
	}
	return all
}

func TestTurnsOfASessionRunInOrderAndNeverOverlap(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var mu sync.Mutex
		running := map[string]bool{}
		settled := make(chan string, 100)
		q := start(t, s, 3, func(ctx context.Context, turn *store.Turn) error {
			mu.Lock()
			if running[turn.Session] {
				t.Errorf("two turns of %s run at once", turn.Session)
			}
			running[turn.Session] = true
			mu.Unlock()
			err := settle(s)(ctx, turn)
			mu.Lock()
			running[turn.Session] = false
			mu.Unlock()
			if turn.Stage == store.Settled {
				settled <- turn.Session + " " + turn.Message.ID
			}
			return err
		})
		const rooms, messages = 8, 5 // more rooms than may run at once
		for i := range messages {
			for room := range rooms {
				say(t, q, fmt.Sprint(room), fmt.Sprint(i))
			}
		}
		next := map[string]int{}
		for _, one := range await(t, settled, rooms*messages) {
			var session string
			var id int
			if _, err := fmt.Sscan(one, &session, &id); err != nil || id != next[session] {
				t.Errorf("%s came when %d was due", one, next[session])
			}
			next[session]++
		}
	})
}

func TestASlowSessionDelaysNoOther(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		release := make(chan struct{})
		settled := make(chan string, 10)
		q := start(t, s, 2, func(ctx context.Context, turn *store.Turn) error {
			if turn.Message.Room.ID == "slow" {
				<-release
			}
			err := settle(s)(ctx, turn)
			if turn.Stage == store.Settled {
				settled <- turn.Message.Room.ID
			}
			return err
		})
		say(t, q, "slow", "1")
		for i := range 3 {
			say(t, q, "quick", fmt.Sprint(i))
		}
		for _, room := range await(t, settled, 3) {
			if room != "quick" {
				t.Errorf("%s was settled", room)
			}
		}
		close(release)
		await(t, settled, 1)
	})
}

func TestATurnThatFailsIsTriedAgainAndTheNextWaits(t *testing.T) {
	s := on(t, "sqlite", storetest.Dir(t))
	failed := false
	settled := make(chan string, 10)
	q := start(t, s, 2, func(ctx context.Context, turn *store.Turn) error {
		if !failed {
			failed = true
			return errors.New("not now")
		}
		err := settle(s)(ctx, turn)
		if turn.Stage == store.Settled {
			settled <- turn.Message.ID
		}
		return err
	})
	say(t, q, "a", "1")
	say(t, q, "a", "2")
	if got := await(t, settled, 2); got[0] != "1" {
		t.Errorf("settled were %v", got)
	}
}

func TestWhatWaitsWhenAProcessStopsIsTakenUpByTheNext(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		began := make(chan struct{}, 1)
		first := New(s, Options{Parallel: 1, Logger: slog.New(slog.DiscardHandler), Step: func(ctx context.Context, _ *store.Turn) error {
			began <- struct{}{}
			<-ctx.Done() // stuck until it is cancelled
			return ctx.Err()
		}})
		if err := first.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		say(t, first, "a", "1")
		await(t, began, 1)
		say(t, first, "b", "1") // there is no room for it
		halt(t, first, time.Millisecond)
		say(t, first, "c", "1") // after the end

		settled := make(chan string, 10)
		start(t, s, 4, func(ctx context.Context, turn *store.Turn) error {
			err := settle(s)(ctx, turn)
			if turn.Stage == store.Settled {
				settled <- turn.Message.Room.ID
			}
			return err
		})
		await(t, settled, 3)
	})
}

// A process that is silent loses its sessions to another one, and cannot bring their
// turns forward should it live after all.
func TestTheSessionsOfASilentProcessAreTakenOver(t *testing.T) {
	url := postgres.Server(t).Database(t)
	first, second := on(t, url, ""), on(t, url, "")
	ctx := t.Context()
	if err := errors.Join(first.Beat(ctx, deadAfter), second.Beat(ctx, deadAfter)); err != nil {
		t.Fatal(err)
	}
	m := platform.Message{Room: platform.Room{Platform: "test", ID: "a"}, ID: "1", At: time.Now()}
	if r, err := first.Receive(ctx, m, true); err != nil || !r.Mine {
		t.Fatalf("got %+v, %v", r, err)
	}
	turn, err := first.NextTurn(ctx, "test/a")
	if err != nil || turn == nil {
		t.Fatalf("the owner gets %v, %v", turn, err)
	}
	claimed := func() int {
		t.Helper()
		sessions, err := second.Claim(ctx, 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(sessions)
	}
	if err := second.Beat(ctx, deadAfter); err != nil { // the first one lives
		t.Fatal(err)
	}
	if n := claimed(); n != 0 {
		t.Fatalf("%d sessions were taken from a process that lives", n)
	}
	if turn, err := second.NextTurn(ctx, "test/a"); turn != nil || err != nil {
		t.Errorf("a stranger gets %v, %v", turn, err)
	}

	if err := second.Beat(ctx, 0); err != nil { // nobody's last sign of life is young enough
		t.Fatal(err)
	}
	if n := claimed(); n != 1 {
		t.Fatalf("%d sessions of a silent process were taken over", n)
	}
	if err := first.SaveReply(ctx, turn, store.Reply{}); !errors.Is(err, store.ErrTakenOver) {
		t.Errorf("the one that was thought dead stored a reply: %v", err)
	}
	if released, err := first.Release(ctx, "test/a"); !released || err != nil {
		t.Errorf("it holds on: %v, %v", released, err)
	}
	turn, err = second.NextTurn(ctx, "test/a")
	if err != nil || turn == nil {
		t.Fatalf("the new owner gets %v, %v", turn, err)
	}
	for turn.Stage != store.Settled {
		if err := settle(second)(ctx, turn); err != nil {
			t.Fatal(err)
		}
	}
	if !turn.Last {
		t.Error("the lease has not ended")
	}
}

func TestProcessesShareSessions(t *testing.T) {
	url := postgres.Server(t).Database(t)
	release := make(chan struct{})
	began := make(chan string, 10)
	process := func(name string) *Queue {
		s := on(t, url, "")
		return start(t, s, 1, func(ctx context.Context, turn *store.Turn) error {
			if turn.Stage == store.Waiting {
				began <- name
				select {
				case <-release:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return settle(s)(ctx, turn)
		})
	}
	first := process("first")
	process("second")
	say(t, first, "a", "1")
	say(t, first, "b", "1") // the first has no room for it
	got := await(t, began, 2)
	if got[0] == got[1] {
		t.Errorf("both sessions run in the %s process", got[0])
	}
	close(release)
}
