package queue

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
	"github.com/asidehq/aside/platform"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

func open(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url, "", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A process that has a job and dies leaves it running. The next sign of life of
// another one gives it free, but never the job of one that lives.
func TestTheJobOfADeadProcessIsTakenOver(t *testing.T) {
	s := open(t, postgres.Server(t).Database(t))
	ctx := t.Context()
	message := platform.Message{Room: platform.Room{Platform: "test", ID: "a"}, ID: "1", At: time.Now()}
	if _, _, err := s.Receive(ctx, message); err != nil {
		t.Fatal(err)
	}
	began := make(chan string, 2)
	release := make(chan struct{})
	process := func(name string) *Queue {
		q, err := New(s, Options{Parallel: 2, Logger: slog.New(slog.DiscardHandler), Step: func(ctx context.Context, t *store.Turn) error {
			began <- name
			select {
			case <-release:
			case <-ctx.Done():
			}
			return ctx.Err()
		}})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	first := process("first")
	if err := first.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if got := <-began; got != "first" {
		t.Fatalf("%s began", got)
	}
	second := process("second")
	if err := s.Beat(ctx, second.client.ID(), deadAfter); err != nil { // the first one lives
		t.Fatal(err)
	}
	if n := running(t, s); n != 1 {
		t.Fatalf("%d jobs are running", n)
	}
	// The first one leaves no more signs of life.
	first.alive.stop()
	first.alive.done.Wait()
	if err := s.Leave(ctx, first.client.ID()); err != nil {
		t.Fatal(err)
	}
	if err := s.Beat(ctx, second.client.ID(), deadAfter); err != nil {
		t.Fatal(err)
	}
	if n := running(t, s); n != 0 {
		t.Errorf("%d jobs of a dead process are running", n)
	}
	close(release)
	stopping, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = first.client.StopAndCancel(stopping) // it is dead; what it says does not matter
}

func running(t *testing.T, s *store.Store) int {
	t.Helper()
	var n int
	if err := s.DB.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM river_job WHERE state = 'running'`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
