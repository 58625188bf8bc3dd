package platformtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/asidehq/aside/platform"
)

func checkMessage(t T, h Harness) {
	s := start(t, h)
	const text = "Is anyone there? 👋"
	id := s.write(text)
	s.stored(id)
	m := s.inbox.Messages()[0]
	if m.Text != text {
		t.Errorf("the text is %q, want %q", m.Text, text)
	}
	if m.Room.Platform != s.adapter.Name() {
		t.Errorf("the message's platform is %q and the adapter's name %q", m.Room.Platform, s.adapter.Name())
	}
	if m.Author.ID == "" || m.Author.Bot {
		t.Errorf("the author is %+v, want a person with an id", m.Author)
	}
	if m.At.IsZero() {
		t.Errorf("the message has no time")
	}
	s.stop()
}

func checkOnce(t T, h Harness) {
	s := start(t, h)
	first := s.write("first")
	s.server.Repeat(s.room, first)
	s.stored(first)
	s.server.Repeat(s.room, first)
	second := s.write("second")
	s.server.Repeat(s.room, first)
	third := s.write("third")
	s.expect(first, second, third)
	s.stop()
}

func checkOrder(t T, h Harness) {
	s := start(t, h)
	// The first takes its time, so that the others are waiting together.
	release := make(chan struct{})
	s.inbox.Before(func(_ context.Context, m platform.Message) error {
		select {
		case <-release:
		case <-s.inbox.quit:
		}
		return nil
	})
	var ids []string
	for i := range 20 {
		ids = append(ids, s.write(fmt.Sprintf("message %d", i)))
	}
	close(release)
	s.expect(ids...)
	s.stop()
}

func checkHeldBack(t T, h Harness) {
	s := prepare(t, h)
	var mu sync.Mutex
	failed := false
	s.inbox.Before(func(_ context.Context, m platform.Message) error {
		mu.Lock()
		defer mu.Unlock()
		if m.Text == "second" && !failed {
			failed = true
			return ErrNotStored
		}
		return nil
	})
	s.run()
	s.expect(s.write("first"), s.write("second"), s.write("third"), s.write("fourth"))
	s.stop()
}

func checkReceived(t T, h Harness) {
	s := prepare(t, h)
	if h.Acks != Can {
		// The platform is not told anything; what it means for a message that was
		// not stored is in the next checks.
		if h.Acks == Unsaid {
			t.Errorf("the harness does not say whether the platform is told what was received (Acks)")
		}
		return
	}
	storing := make(chan struct{})
	release := make(chan struct{})
	var once sync.Once
	s.inbox.Before(func(context.Context, platform.Message) error {
		once.Do(func() { close(storing) })
		select {
		case <-release:
		case <-s.inbox.quit:
		}
		return nil
	})
	s.run()
	id := s.write("hello")
	s.wait(storing, "the message did not arrive")
	received := s.server.Received(s.room, id)
	select {
	case <-received:
		t.Errorf("the platform was told that the message was received before it was stored")
	default:
	}
	close(release)
	s.stored(id)
	s.wait(received, "the platform was not told that the message was received")
	s.stop()
}

func checkComesAgain(t T, h Harness) {
	s := prepare(t, h)
	var mu sync.Mutex
	tries := 0
	s.inbox.Before(func(_ context.Context, m platform.Message) error {
		mu.Lock()
		defer mu.Unlock()
		if tries++; tries <= 2 {
			if h.Acks == Can {
				select {
				case <-s.server.Received(s.room, m.ID):
					t.Errorf("the platform was told that a message was received which was not stored")
				default:
				}
			}
			return ErrNotStored
		}
		return nil
	})
	s.run()
	s.expect(s.write("hello"))
	s.stop()
}

func checkReconnect(t T, h Harness) {
	s := start(t, h)
	ids := []string{s.write("before")}
	s.stored(ids[0])
	s.server.Drop()
	ids = append(ids, s.write("while it was away"), s.write("and another"))
	s.connected()
	ids = append(ids, s.write("after"))
	s.expect(ids...)
	s.server.Drop()
	s.server.Drop()
	s.connected()
	ids = append(ids, s.write("after the second time"))
	s.expect(ids...)
	s.delivered(s.post("after", "still here"), "a post after the connection was dropped")
	s.stands("still here")
	s.stop()
}

func checkShutdown(t T, h Harness) {
	s := prepare(t, h)
	storing := make(chan struct{})
	release := make(chan struct{})
	var once sync.Once
	s.inbox.Before(func(context.Context, platform.Message) error {
		once.Do(func() { close(storing) })
		select {
		case <-release:
		case <-s.inbox.quit:
		}
		return nil
	})
	s.run()
	first := s.write("first")
	s.wait(storing, "the message did not arrive")
	s.cancel()
	select {
	case err := <-s.ended:
		t.Fatalf("Run returned (%v) while a message was being stored", err)
	default:
	}
	close(release)
	s.returned()
	s.restart()
	s.expect(first, s.write("second"))
	s.stop()
}

func checkShutdownUnstored(t T, h Harness) {
	s := prepare(t, h)
	storing := make(chan struct{})
	var once sync.Once
	s.inbox.Before(func(ctx context.Context, _ platform.Message) error {
		once.Do(func() { close(storing) })
		select {
		case <-ctx.Done():
		case <-s.inbox.quit:
		}
		return ErrNotStored
	})
	s.run()
	ids := []string{s.write("first"), s.write("second")}
	s.wait(storing, "the message did not arrive")
	s.stop()
	s.inbox.Before(nil)
	ids = append(ids, s.write("while it was stopped"))
	s.restart()
	ids = append(ids, s.write("after"))
	s.expect(ids...)
	s.stop()
}
