package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func openFile(t *testing.T) (s *Store, dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := Open(t.Context(), "sqlite", dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

func addFact(ctx context.Context, text string) func(Tx) error {
	return func(tx Tx) error {
		_, err := tx.AddFact(ctx, "ada", text, Fact{Kind: "fact", Text: text})
		return err
	}
}

func countFacts(t *testing.T, s *Store) int {
	t.Helper()
	facts, err := s.Facts(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	return len(facts)
}

// Transactions that come while another one runs share its commit, and each has its own
// outcome: what failed left nothing behind, what did not is there.
func TestTransactionsThatShareACommitFailAlone(t *testing.T) {
	s, _ := openFile(t)
	ctx := t.Context()
	entered, release := make(chan struct{}), make(chan struct{})
	var writes sync.WaitGroup
	writes.Go(func() {
		err := s.In(ctx, func(tx Tx) error {
			close(entered)
			<-release
			return addFact(ctx, "first")(tx)
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-entered
	const others = 10
	ready := make(chan struct{}, others)
	for i := range others {
		writes.Go(func() {
			ready <- struct{}{}
			wrong := errors.New("on purpose")
			err := s.In(ctx, func(tx Tx) error {
				if err := addFact(ctx, fmt.Sprint(i))(tx); err != nil {
					return err
				}
				if i%2 == 0 {
					return wrong
				}
				return nil
			})
			if (i%2 == 0) != errors.Is(err, wrong) {
				t.Errorf("transaction %d ended with %v", i, err)
			}
		})
	}
	for range others {
		<-ready
	}
	close(release)
	writes.Wait()
	if n := countFacts(t, s); n != 1+others/2 {
		t.Errorf("there are %d facts", n)
	}
}

// A full disk makes SQLite forget everything since BEGIN, what others wrote included.
func TestWhatIsLostWithATransactionOfOthersIsSaid(t *testing.T) {
	s, _ := openFile(t)
	ctx := t.Context()
	// A writer of the same connection whose transactions come in a known order.
	w := &writer{conn: s.writer.conn, run: s.writer.run, queue: make(chan *write, 2), commit: s.commit}
	full := errors.New("the disk is full")
	lost := &write{result: make(chan error, 1), do: func() error { return addFact(ctx, "x")(Tx{w.run, s}) }}
	broken := &write{result: make(chan error, 1), do: func() error { return errors.Join(full, w.exec(`ROLLBACK`)) }}
	later := &write{result: make(chan error, 1), do: func() error { return addFact(ctx, "y")(Tx{w.run, s}) }}
	w.queue <- broken
	w.queue <- later
	w.together(lost)
	if err := <-lost.result; err == nil {
		t.Error("a transaction that was lost is said to be stored")
	}
	if err := <-broken.result; !errors.Is(err, full) {
		t.Errorf("the one that broke it ended with %v", err)
	}
	if n := countFacts(t, s); n != 0 {
		t.Errorf("there are %d facts", n)
	}
	w.together(<-w.queue)
	if err := <-later.result; err != nil || countFacts(t, s) != 1 {
		t.Errorf("the next one ended with %v", err)
	}
}

func TestATransactionThatNobodyWaitsForIsNotBegun(t *testing.T) {
	s, _ := openFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.In(ctx, addFact(ctx, "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if n := countFacts(t, s); n != 0 {
		t.Errorf("there are %d facts", n)
	}
}

func TestAClosedStoreLeavesOnlyItsFile(t *testing.T) {
	s, dir := openFile(t)
	ctx := t.Context()
	if err := s.In(ctx, addFact(ctx, "x")); err != nil || countFacts(t, s) != 1 {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "aside.db?*")); len(left) != 0 {
		t.Errorf("%v are left", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "aside.db")); err != nil {
		t.Error(err)
	}
	if err := s.In(ctx, addFact(ctx, "y")); !errors.Is(err, errClosed) {
		t.Errorf("a closed store said %v", err)
	}
}
