package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A board is a platform that answers from a script and notes what it was asked.
type board struct {
	mu       sync.Mutex
	receipts []platform.Receipt // one for each post; then delivered
	log      []string
	hold     chan struct{} // posts wait for it, if there is one
}

func (b *board) Name() string                              { return "board" }
func (b *board) Limits() platform.Limits                   { return platform.Limits{} }
func (b *board) Run(context.Context, platform.Inbox) error { return nil }
func (b *board) note(format string, args ...any)           { b.log = append(b.log, fmt.Sprintf(format, args...)) }

func (b *board) noted() []string { b.mu.Lock(); defer b.mu.Unlock(); return slices.Clone(b.log) }

func (b *board) Post(_ context.Context, p platform.Post) platform.Receipt {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.ReplyTo == "" {
		b.note("post %s", p.Text)
	} else {
		b.note("post %s to %s", p.Text, p.ReplyTo)
	}
	if b.hold != nil {
		b.mu.Unlock()
		<-b.hold
		b.mu.Lock()
		b.note("posted %s", p.Text)
	}
	if len(b.receipts) == 0 {
		return platform.Receipt{Outcome: platform.Delivered, ID: "7"}
	}
	r := b.receipts[0]
	b.receipts = b.receipts[1:]
	return r
}

// An editingBoard can edit as well.
type editingBoard struct{ *board }

func (b editingBoard) Edit(_ context.Context, _ platform.Room, post, text string) platform.Receipt {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note("edit %s to %s", post, text)
	return platform.Receipt{Outcome: platform.Delivered}
}

var room = platform.Room{Platform: "board", ID: "a"}

// A desk is an outbox with a clock that moves when it waits.
type desk struct {
	*outbox.Outbox
	waited []time.Duration
	turn   int64
}

func newDesk(t *testing.T, p platform.Platform) *desk {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	r, err := s.Receive(t.Context(), platform.Message{Room: room, ID: "1", At: now}, true)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{turn: r.Turn}
	d.Outbox = &outbox.Outbox{
		Store: s, Platforms: map[string]platform.Platform{"board": p}, MaxAge: time.Minute, Now: clock,
		Wait: func(ctx context.Context, wait time.Duration) error {
			d.waited = append(d.waited, wait)
			now = now.Add(wait)
			return ctx.Err()
		},
	}
	return d
}

func (d *desk) post(text string) store.Post {
	return store.Post{Key: text, Turn: d.turn, Room: room, Text: text, State: store.Queued, Created: d.Now()}
}

func TestAPostIsTriedUntilAReceiptSettlesIt(t *testing.T) {
	failed := platform.Receipt{Outcome: platform.Failed, Reason: "no way"}
	tests := []struct {
		name     string
		receipts []platform.Receipt
		state    store.PostState
		reason   string
		tries    int
		waited   []time.Duration
	}{
		{"it is delivered at once", nil, store.Delivered, "", 1, nil},
		{"it is refused", []platform.Receipt{{Outcome: platform.Refused, Reason: "the room is closed"}}, store.Dead, "the room is closed", 1, nil},
		{
			"it fails and is tried again, later each time",
			[]platform.Receipt{failed, failed, failed},
			store.Delivered, "", 4,
			[]time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond},
		},
		{"nobody knows, and it is tried again", []platform.Receipt{{Outcome: platform.Unknown}}, store.Delivered, "", 2, []time.Duration{200 * time.Millisecond}},
		{
			"it waits as long as the platform asks, and no longer after that",
			[]platform.Receipt{failed, failed, {Outcome: platform.Limited, RetryAfter: 5 * time.Second}, failed},
			store.Delivered, "", 5,
			[]time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 5 * time.Second, 400 * time.Millisecond},
		},
		{
			"it is asked to wait fifty times, which uses up nothing",
			slices.Repeat([]platform.Receipt{{Outcome: platform.Limited, RetryAfter: time.Second}}, 50),
			store.Delivered, "", 51, slices.Repeat([]time.Duration{time.Second}, 50),
		},
		{"it gets too old", slices.Repeat([]platform.Receipt{failed}, 20), store.Late, "could not be delivered for 1 minute", 9, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, &board{receipts: test.receipts})
			p, err := d.Deliver(t.Context(), d.post("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if p.State != test.state || p.Reason != test.reason || p.Tries != test.tries {
				t.Errorf("it is %s (%s) after %d tries", p.State, p.Reason, p.Tries)
			}
			if test.waited != nil && !slices.Equal(d.waited, test.waited) {
				t.Errorf("it waited %v, want %v", d.waited, test.waited)
			}
		})
	}
}

func TestAPostForAPlatformThatIsNotThereIsDead(t *testing.T) {
	d := newDesk(t, &board{})
	p := d.post("hi")
	p.Room.Platform = "smoke"
	p, err := d.Deliver(t.Context(), p)
	if err != nil || p.State != store.Dead || p.Reason != "smoke is not connected" {
		t.Errorf("it is %s (%s), %v", p.State, p.Reason, err)
	}
}

func TestAPostWhoseAnswerWasLostIsMadeTrueByAnEdit(t *testing.T) {
	b := &board{receipts: []platform.Receipt{{Outcome: platform.Unknown}}}
	d := newDesk(t, editingBoard{b})
	if p, err := d.Deliver(t.Context(), d.post("hi")); err != nil || p.State != store.Delivered || p.PostID != "7" {
		t.Errorf("it is %+v, %v", p, err)
	}
	known := d.post("hi")
	known.PostID = "7"
	if p, err := d.Deliver(t.Context(), known); err != nil || p.State != store.Delivered || p.PostID != "7" {
		t.Errorf("it is %+v, %v", p, err)
	}
	if got, want := b.noted(), []string{"post hi", "post hi", "edit 7 to hi", "edit 7 to hi"}; !slices.Equal(got, want) {
		t.Errorf("the board was asked to %q, want %q", got, want)
	}
}

func TestWhatIsDeliveredWithoutAnIDIsNotSentAgain(t *testing.T) {
	b := &board{receipts: []platform.Receipt{{Outcome: platform.Delivered}}}
	d := newDesk(t, editingBoard{b})
	for range 3 {
		if id, err := d.Send(t.Context(), d.turn, platform.Post{Key: "key", Room: room, Text: "hello"}); err != nil || id != "" {
			t.Fatalf("its id is %q, %v", id, err)
		}
	}
	if got := b.noted(); !slices.Equal(got, []string{"post hello"}) {
		t.Errorf("the board was asked to %q", got)
	}
	if dead, err := d.Store.DeadPosts(t.Context()); err != nil || len(dead) != 0 {
		t.Errorf("dead letters are %+v, %v", dead, err)
	}
}

func TestPostsOfARoomAreWrittenOneAfterTheOther(t *testing.T) {
	b := &board{hold: make(chan struct{})}
	d := newDesk(t, b)
	var posts sync.WaitGroup
	for _, text := range []string{"one", "two", "three"} {
		posts.Go(func() {
			if _, err := d.Deliver(t.Context(), d.post(text)); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 {
		b.hold <- struct{}{}
	}
	posts.Wait()
	got := b.noted()
	for i := 0; i < len(got); i += 2 {
		if got[i][len("post "):] != got[i+1][len("posted "):] {
			t.Errorf("posts were mixed: %q", got)
		}
	}
}

func TestAContextThatEndsLeavesThePostInTheOutbox(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := newDesk(t, &board{receipts: slices.Repeat([]platform.Receipt{{Outcome: platform.Failed}}, 5)})
	wait := d.Wait
	d.Wait = func(ctx context.Context, d time.Duration) error { cancel(); return wait(ctx, d) }
	if p, err := d.Deliver(ctx, d.post("hi")); !errors.Is(err, context.Canceled) || p.State != store.Queued {
		t.Errorf("it is %s, %v", p.State, err)
	}
}

func TestWhatAnActionSendsIsSentOnce(t *testing.T) {
	b := &board{}
	d := newDesk(t, b)
	for range 3 {
		id, err := d.Send(t.Context(), d.turn, platform.Post{Key: "key", Room: room, Text: "hello", ReplyTo: "5"})
		if err != nil || id != "7" {
			t.Fatalf("its id is %q, %v", id, err)
		}
	}
	if got := b.noted(); !slices.Equal(got, []string{"post hello to 5"}) {
		t.Errorf("the board was asked to %q", got)
	}
	b.receipts = []platform.Receipt{{Outcome: platform.Refused, Reason: "the room is closed"}}
	for range 2 {
		if _, err := d.Send(t.Context(), d.turn, platform.Post{Key: "other", Room: room, Text: "hello"}); err == nil || err.Error() != "the room is closed" {
			t.Errorf("it ended with %v", err)
		}
	}
}

func TestARoomIsToldOnceOfWhatCameTooLate(t *testing.T) {
	tests := []struct {
		late int
		want string
	}{
		{1, "post An answer could not be delivered in time. Write /missed to see it."},
		{3, "post 3 answers could not be delivered in time. Write /missed to see them."},
		{110, "post 110 answers could not be delivered in time. Write /missed to see them."},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			b := &board{receipts: []platform.Receipt{{Outcome: platform.Failed}}}
			d := newDesk(t, b)
			for i := range test.late {
				p := d.post(fmt.Sprint(i))
				p.State = store.Late
				if err := d.Store.AddPost(t.Context(), p); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 { // cannot be told, is told, knows
				if err := d.TellLate(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if got := b.noted(); !slices.Equal(got, []string{test.want, test.want}) {
				t.Errorf("the board was asked to %q", got)
			}
		})
	}
}

// A narrow board takes ten characters.
type narrowBoard struct{ *board }

func (narrowBoard) Limits() platform.Limits { return platform.Limits{Text: 10} }

func TestWhatAnActionSendsIsCutIntoPartsThatFitAndSentOnce(t *testing.T) {
	b := &board{}
	d := newDesk(t, narrowBoard{b})
	for range 2 { // again, as after a crash
		if id, err := d.Send(t.Context(), d.turn, platform.Post{Key: "key", Room: room, Text: "one two three four", ReplyTo: "1"}); err != nil || id != "7" {
			t.Fatalf("got %q, %v", id, err)
		}
	}
	if got := b.noted(); !slices.Equal(got, []string{"post one two to 1", "post three four"}) {
		t.Errorf("the board was asked to %q", got)
	}
}
