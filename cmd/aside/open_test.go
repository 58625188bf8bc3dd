package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
)

func TestADataDirectoryInUseIsWaitedFor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		freedIn int // waits after which the other process is done; 0 is never
		waits   int // that are made
		opens   bool
		ends    bool // the wait is interrupted
	}{
		{"a command holds it for a moment", 3, 3, true, false},
		{"a command lets go at the last moment", lockTries - 1, lockTries - 1, true, false},
		{"an Aside runs on it", 0, lockTries - 1, false, false},
		{"it is interrupted while it waits", 0, 1, false, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &config.Config{Data: t.TempDir()}
			other, err := store.Open(t.Context(), "", c.Data, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { other.Close() })
			waits := 0
			s, err := openStore(t.Context(), c, func(context.Context, time.Duration) error {
				if waits++; waits == test.freedIn {
					return other.Close()
				}
				if test.ends {
					return context.Canceled
				}
				return nil
			})
			if s != nil {
				defer s.Close()
			}
			if opens := err == nil; opens != test.opens || !opens && !errors.Is(err, store.ErrInUse) {
				t.Errorf("opened with %v", err)
			}
			if waits != test.waits {
				t.Errorf("waited %d times, want %d", waits, test.waits)
			}
		})
	}
	if all := lockTries * lockEvery; all != 2*time.Second {
		t.Errorf("it is waited for %v, which is not what docs/commands.md says", all)
	}
}
