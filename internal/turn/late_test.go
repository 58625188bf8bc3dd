package turn

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

func TestAnAnswerThatCameTooLateIsToldOfOnceAndShownWhenAskedFor(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	var later atomic.Int64 // how far the clock is ahead, by waiting in vain
	s.Outbox.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	s.Outbox.Wait = func(ctx context.Context, d time.Duration) error { later.Add(int64(d)); return ctx.Err() }
	down := true
	s.room.refuse = func(platform.Post) *platform.Receipt {
		if down {
			return &platform.Receipt{Outcome: platform.Failed, Reason: "connection lost"}
		}
		return nil
	}
	s.start()
	s.say("a", "1", "hi")
	s.say("b", "1", "ho")
	s.settled(2)

	if err := s.Outbox.TellLate(t.Context()); err != nil { // in vain
		t.Fatal(err)
	}
	s.room.mu.Lock()
	down = false
	s.room.mu.Unlock()
	for range 2 {
		if err := s.Outbox.TellLate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := "An answer could not be delivered in time. Write /missed to see it."
	if got := s.room.texts("a"); len(got) != 1 || got[0] != want {
		t.Fatalf("room a has %q", got)
	}
	later.Store(0)
	s.say("a", "2", "/missed")
	s.settled(1)
	if got := s.room.texts("a"); len(got) != 2 || !strings.HasSuffix(got[1], "\nYou said hi") {
		t.Errorf("room a has %q", got)
	}
	dead, err := s.Store.DeadPosts(t.Context())
	if err != nil || len(dead) != 2 {
		t.Errorf("dead letters are %v, %v", dead, err)
	}
}

func TestADeadLetterCanBeSentAgain(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	refused := true
	s.room.refuse = func(platform.Post) *platform.Receipt {
		if refused {
			return &platform.Receipt{Outcome: platform.Refused, Reason: "the room is closed"}
		}
		return nil
	}
	s.start()
	s.say("a", "1", "hi")
	s.settled(1)
	s.room.mu.Lock()
	refused = false
	s.room.mu.Unlock()
	dead, err := s.Store.DeadPosts(t.Context())
	if err != nil || len(dead) != 1 {
		t.Fatalf("dead letters are %v, %v", dead, err)
	}
	resend := func(claim bool) (string, bool, error) { return s.Store.Requeue(t.Context(), dead[0].Key, claim) }
	if err := s.queue.Enqueue(resend); err != nil {
		t.Fatal(err)
	}
	s.settled(1)
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "You said hi" {
		t.Errorf("posts are %q", got)
	}
	if err := s.queue.Enqueue(resend); err == nil {
		t.Error("a delivered post was queued again")
	}
}

func TestAMessageThatWaitedLongIsAnsweredWithANote(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	m := message("a", "1", "hi")
	m.At = time.Now().Add(-3 * time.Hour)
	if err := s.inbox.Receive(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.settled(1)
	if got := s.room.texts("a"); len(got) != 1 || !strings.HasPrefix(got[0], "(You asked this at ") || !strings.HasSuffix(got[0], "You said hi") {
		t.Errorf("posts are %q", got)
	}
	if posts, err := s.Store.Posts(t.Context(), 1); err != nil || len(posts) != 1 || posts[0].State != store.Delivered {
		t.Errorf("the outbox has %+v, %v", posts, err)
	}
}
