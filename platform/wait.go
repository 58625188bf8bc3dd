package platform

import (
	"context"
	"time"
)

// Wait waits for a time, or returns the context's error. It is how adapters wait unless
// they are told otherwise.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
