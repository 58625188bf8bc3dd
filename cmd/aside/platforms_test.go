package main

import (
	"context"
	"errors"
	"testing"

	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/platform"
)

type inboxFunc func(platform.Message) error

func (f inboxFunc) Receive(_ context.Context, m platform.Message) error { return f(m) }

func TestWhatIsDeliveredToAProcessThatWasThoughtDeadIsNotStored(t *testing.T) {
	t.Parallel()
	var lost error
	received := 0
	in := seated{inboxFunc(func(platform.Message) error { received++; return nil }), func(context.Context) error { return lost }}
	if err := in.Receive(t.Context(), platform.Message{ID: "1"}); err != nil || received != 1 {
		t.Errorf("%d were received, %v", received, err)
	}
	lost = queue.ErrSeatTaken
	if err := in.Receive(t.Context(), platform.Message{ID: "2"}); !errors.Is(err, queue.ErrSeatTaken) || received != 1 {
		t.Errorf("%d were received, %v", received, err)
	}
}
