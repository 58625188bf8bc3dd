package display

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A wall is a room where everything that was ever written is remembered.
type wall struct {
	mu    sync.Mutex
	posts []string // as they stand
	said  []string // everything, in order
	down  bool
}

func (w *wall) Name() string                              { return "test" }
func (w *wall) Limits() platform.Limits                   { return platform.Limits{Text: 100} }
func (w *wall) Run(context.Context, platform.Inbox) error { return nil }

func (w *wall) Post(_ context.Context, p platform.Post) platform.Receipt {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		return platform.Receipt{Outcome: platform.Failed, Reason: "no network"}
	}
	w.posts, w.said = append(w.posts, p.Text), append(w.said, p.Text)
	return platform.Receipt{Outcome: platform.Delivered, ID: fmt.Sprint(len(w.posts) - 1)}
}

// A board is a wall on which posts can be changed.
type board struct{ wall }

func (b *board) Edit(_ context.Context, _ platform.Room, post, text string) platform.Receipt {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.down {
		return platform.Receipt{Outcome: platform.Failed, Reason: "no network"}
	}
	var at int
	if _, err := fmt.Sscan(post, &at); err != nil {
		return platform.Receipt{Outcome: platform.Refused, Reason: err.Error()}
	}
	b.posts[at], b.said = text, append(b.said, text)
	return platform.Receipt{Outcome: platform.Delivered, ID: post}
}

func newKeeper(t *testing.T, p platform.Platform) *Keeper {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	out := &outbox.Outbox{Store: s, Platforms: map[string]platform.Platform{"test": p}, MaxAge: time.Hour, Now: time.Now}
	return New(Keeper{Store: s, Logger: slog.New(slog.DiscardHandler), Display: out.Display})
}

func (k *Keeper) says(t *testing.T, text string, over bool) {
	t.Helper()
	err := k.Store.In(t.Context(), func(tx store.Tx) error {
		return tx.Show(t.Context(), store.Display{Key: "plan-001", Room: platform.Room{Platform: "test", ID: "a"}, Text: text, Over: over})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestADisplayIsOnePostThatSaysWhatIsTrueNow(t *testing.T) {
	b := &board{}
	k := newKeeper(t, b)
	for _, text := range []string{"1 of 3", "2 of 3", "2 of 3", "3 of 3"} {
		k.says(t, text, false)
		k.show(t.Context())
		k.show(t.Context())
	}
	b.down = true
	k.says(t, "nearly", false)
	k.show(t.Context())
	k.says(t, "all done", true)
	k.show(t.Context())
	b.down = false
	k.show(t.Context())
	if want := []string{"1 of 3", "2 of 3", "3 of 3", "all done"}; !slices.Equal(b.said, want) || !slices.Equal(b.posts, want[3:]) {
		t.Errorf("said was %q, and there stands %q", b.said, b.posts)
	}
	if open, err := k.Store.Displays(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("there is more to show: %v, %v", open, err)
	}
}

func TestWhereNothingCanBeChangedADisplayIsItsBeginningAndItsEnd(t *testing.T) {
	w := &wall{}
	k := newKeeper(t, w)
	for i, text := range []string{"1 of 3", "2 of 3", "3 of 3"} {
		k.says(t, text, i == 2)
		k.show(t.Context())
	}
	k.show(t.Context())
	if want := []string{"1 of 3", "3 of 3"}; !slices.Equal(w.posts, want) {
		t.Errorf("there stands %q", w.posts)
	}
}

func TestADisplayIsShownWhenTheKeeperIsWoken(t *testing.T) {
	b := &board{}
	k := newKeeper(t, b)
	k.InSeat = func(ctx context.Context, _ string, run func(context.Context, func(context.Context) error) error) error {
		return run(ctx, nil)
	}
	rests := make(chan time.Duration)
	k.After = func(d time.Duration) (<-chan time.Time, func()) {
		rests <- d
		if d == between {
			now := make(chan time.Time)
			close(now)
			return now, func() {}
		}
		return nil, func() {}
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- k.Run(ctx) }()
	<-rests
	<-rests // it would wait for ever now
	k.says(t, "1 of 3", false)
	k.Wake()
	<-rests
	b.mu.Lock()
	if !slices.Equal(b.posts, []string{"1 of 3"}) {
		t.Errorf("there stands %q", b.posts)
	}
	b.mu.Unlock()
	<-rests
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
