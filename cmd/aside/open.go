package main

import (
	"context"
	"errors"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
)

// How long the data directory may be in use: aside turns and the like hold it for a
// moment, and that is no reason not to start.
const (
	lockTries = 40
	lockEvery = 50 * time.Millisecond
)

// openStore opens the store of an Aside that runs.
func openStore(ctx context.Context, c *config.Config, wait func(context.Context, time.Duration) error) (*store.Store, error) {
	for try := 1; ; try++ {
		s, err := store.Open(ctx, c.Database.Reveal(), c.Data, time.Now)
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, store.ErrInUse) || try == lockTries || wait(ctx, lockEvery) != nil {
			return nil, explainOpen(err, c.Data)
		}
	}
}
