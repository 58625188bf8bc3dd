package wiretest_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/asidehq/aside/internal/wiretest"
)

func TestWhoeverWaitsMissesNothing(t *testing.T) {
	var news wiretest.News
	var mu sync.Mutex
	count := 0
	var waiting sync.WaitGroup
	for want := range 20 {
		waiting.Go(func() {
			if err := news.UntilLocked(t.Context(), &mu, func() bool { return count >= want }); err != nil {
				t.Errorf("waiting for %d: %v", want, err)
			}
		})
	}
	for range 20 {
		mu.Lock()
		news.Happened() // before the change, as servers may
		count++
		mu.Unlock()
	}
	waiting.Wait()
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	var news wiretest.News
	ctx, cancel := context.WithCancel(t.Context())
	err := news.Until(ctx, func() bool {
		cancel()
		return false
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
