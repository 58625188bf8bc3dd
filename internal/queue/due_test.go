package queue

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A handClock is a clock and its alarms, moved by hand.
type handClock struct {
	mu     sync.Mutex
	now    time.Time
	alarms map[chan time.Time]time.Time
	set    chan time.Duration // every alarm that is set
}

func newHandClock() *handClock {
	return &handClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), alarms: map[chan time.Time]time.Time{}, set: make(chan time.Duration, 100)}
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) After(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	alarm := make(chan time.Time, 1)
	c.alarms[alarm] = c.now.Add(d)
	c.ring()
	c.set <- d
	return alarm, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.alarms, alarm)
	}
}

func (c *handClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.ring()
}

// ring rings the alarms whose time has come.
func (c *handClock) ring() {
	for alarm, at := range c.alarms {
		if !at.After(c.now) {
			delete(c.alarms, alarm)
			alarm <- c.now
		}
	}
}

// sayLater has somebody write a message whose turn waits for a second.
func sayLater(t *testing.T, q *Queue, room, id string) {
	t.Helper()
	m := platform.Message{Room: platform.Room{Platform: "test", ID: room}, ID: id, Text: id, Author: platform.Person{ID: "ada"}}
	err := q.Enqueue(func(claim bool) (string, bool, error) {
		r, err := q.store.ReceiveAs(t.Context(), m, store.Handling{Debounce: time.Second}, claim)
		if err == nil && r.Mine {
			t.Errorf("%s is begun at once", id)
		}
		q.Await(r.Due)
		return m.Room.String(), r.Mine, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dueQueue is a process whose clock is moved by hand. settled gets what each turn was about.
func dueQueue(t *testing.T, s *store.Store, c *handClock, parallel int) (q *Queue, settled chan string) {
	t.Helper()
	settled = make(chan string, 100)
	q = New(s, Options{Parallel: parallel, Logger: slog.New(slog.DiscardHandler), After: c.After, Step: func(ctx context.Context, turn *store.Turn) error {
		err := settle(s)(ctx, turn)
		if turn.Stage == store.Settled {
			settled <- fmt.Sprintf("%s+%d", turn.Message.ID, turn.Joins)
		}
		return err
	}})
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return q, settled
}

func openAt(t *testing.T, dir string, c *handClock) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", dir, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestATurnBeginsWhenItIsDueAndTheBurstIsAnsweredOnce(t *testing.T) {
	c := newHandClock()
	q, settled := dueQueue(t, openAt(t, storetest.Dir(t), c), c, 4)
	defer halt(t, q, 10*time.Second)
	sayLater(t, q, "a", "1")
	if d := await(t, c.set, 1)[0]; d != time.Second {
		t.Errorf("the alarm rings after %v", d)
	}
	c.add(900 * time.Millisecond)
	sayLater(t, q, "a", "2") // which is heard at 1.9 seconds
	sayLater(t, q, "b", "3")
	c.add(999 * time.Millisecond)
	if n := q.Running(); n != 0 {
		t.Errorf("%d sessions run before anything is due", n)
	}
	c.add(time.Millisecond)
	got := await(t, settled, 2)
	if got[0]+got[1] != "1+13+0" && got[0]+got[1] != "3+01+1" {
		t.Errorf("settled were %v", got)
	}
}

func TestADueTurnWaitsForAPlaceAndIsNotForgotten(t *testing.T) {
	c := newHandClock()
	q, settled := dueQueue(t, openAt(t, storetest.Dir(t), c), c, 1)
	defer halt(t, q, 10*time.Second)
	for i := range 5 {
		sayLater(t, q, fmt.Sprint("room", i), fmt.Sprint(i))
	}
	c.add(time.Second)
	await(t, settled, 5)
}

func TestWhatWaitsAtARestartIsAnsweredOnceByTheNextProcess(t *testing.T) {
	for _, test := range []struct {
		name  string
		after time.Duration // the next process starts
	}{
		{"before it is due", 0},
		{"long after it was due", time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, dir := newHandClock(), storetest.Dir(t)
			s := openAt(t, dir, c)
			first, never := dueQueue(t, s, c, 4)
			sayLater(t, first, "a", "1")
			sayLater(t, first, "a", "2")
			halt(t, first, 10*time.Second)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			c.add(test.after)
			second, settled := dueQueue(t, openAt(t, dir, c), c, 4)
			defer halt(t, second, 10*time.Second)
			c.add(time.Second)
			if got := await(t, settled, 1); got[0] != "1+1" {
				t.Errorf("settled were %v", got)
			}
			sayLater(t, second, "a", "3")
			c.add(time.Second)
			if got := await(t, settled, 1); got[0] != "3+0" || len(never) != 0 {
				t.Errorf("settled were %v, and by the first %d", got, len(never))
			}
		})
	}
}

func TestASessionThatIsAtWorkGoesOnWithWhatIsDueLater(t *testing.T) {
	c := newHandClock()
	s := openAt(t, storetest.Dir(t), c)
	began, release, settled := make(chan struct{}), make(chan struct{}), make(chan string, 10)
	q := New(s, Options{Parallel: 2, Logger: slog.New(slog.DiscardHandler), After: c.After, Step: func(ctx context.Context, turn *store.Turn) error {
		if turn.Message.ID == "1" && turn.Stage == store.Waiting {
			close(began)
			<-release
		}
		err := settle(s)(ctx, turn)
		if turn.Stage == store.Settled {
			settled <- turn.Message.ID
		}
		return err
	}})
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer halt(t, q, 10*time.Second)
	say(t, q, "a", "1")
	<-began
	sayLater(t, q, "a", "2")
	close(release)
	if got := await(t, settled, 1); got[0] != "1" {
		t.Errorf("settled were %v", got)
	}
	c.add(time.Second)
	if got := await(t, settled, 1); got[0] != "2" {
		t.Errorf("settled were %v", got)
	}
}
