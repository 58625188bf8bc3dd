package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A handClock moves when somebody moves it.
type handClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

const pause = 1500 * time.Millisecond

// A chat is a store whose clock is moved by hand, and what people write to it.
type chat struct {
	*store.Store
	t      *testing.T
	clock  *handClock
	number int
}

// eachChat runs a test on every engine.
func eachChat(t *testing.T, test func(t *testing.T, c *chat)) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			c := &chat{t: t, clock: &handClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
			url, dir := "sqlite", storetest.Dir(t)
			if engine == "postgres" {
				url = postgres.Server(t).Database(t)
			}
			var err error
			if c.Store, err = store.Open(t.Context(), url, dir, c.clock.Now); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			})
			test(t, c)
		})
	}
}

// says has somebody write to the room, after a while.
func (c *chat) says(after time.Duration, who, text string, how store.Handling) store.Received {
	c.t.Helper()
	c.clock.add(after)
	c.number++
	m := platform.Message{Room: platform.Room{Platform: "test", ID: "a"}, ID: fmt.Sprint(c.number), Text: text, Author: platform.Person{ID: who, Name: who}, At: c.clock.Now()}
	r, err := c.ReceiveAs(c.t.Context(), m, how, true)
	if err != nil || !r.Fresh {
		c.t.Fatalf("receive: %+v, %v", r, err)
	}
	return r
}

// answers works through what is due, and returns what each turn is about.
func (c *chat) answers() (all []string) {
	c.t.Helper()
	ctx := c.t.Context()
	sessions, err := c.Claim(ctx, 10)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, session := range sessions {
		for {
			turn, err := c.NextTurn(ctx, session)
			if err != nil {
				c.t.Fatal(err)
			}
			if turn == nil {
				released, err := c.Release(ctx, session)
				if err != nil {
					c.t.Fatal(err)
				}
				if released {
					break
				}
				continue // by now there is more
			}
			joined, err := c.Burst(ctx, turn)
			if err != nil || len(joined) != turn.Joins {
				c.t.Fatalf("joined are %v, %v; there should be %d", joined, err, turn.Joins)
			}
			said := []string{turn.Message.Text}
			for _, j := range joined {
				said = append(said, j.Message.Text)
			}
			all = append(all, turn.Message.Author.ID+": "+strings.Join(said, " "))
			settle(c.t, c.Store, turn)
		}
	}
	return all
}

func (c *chat) answered(want ...string) {
	c.t.Helper()
	if got := c.answers(); strings.Join(got, "; ") != strings.Join(want, "; ") {
		c.t.Errorf("answered are %q, want %q", got, want)
	}
}

func TestABurstIsAnsweredOnceWhenItIsOver(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		how := store.Handling{Debounce: pause}
		first := c.says(0, "ada", "one", how)
		if first.Mine || first.Due != c.clock.Now().Add(pause) {
			t.Errorf("received: %+v", first)
		}
		for range 14 {
			c.says(300*time.Millisecond, "ada", "more", how)
			c.answered()
		}
		c.clock.add(pause - time.Microsecond)
		c.answered()
		if due, err := c.NextDue(t.Context()); err != nil || due != c.clock.Now().Add(time.Microsecond) {
			t.Errorf("due at %v, %v", due, err)
		}
		c.clock.add(time.Microsecond)
		c.answered("ada: one" + strings.Repeat(" more", 14))
		c.clock.add(time.Hour)
		c.answered()
		// Every message has its turn, and none is open.
		for i := range 15 {
			turns, err := c.TurnsOf(t.Context(), "test", fmt.Sprint(i+1))
			own := slices.IndexFunc(turns, func(t *store.Turn) bool { return t.Message.ID == fmt.Sprint(i+1) })
			if err != nil || len(turns) != 1+min(i, 1) || turns[own].Stage != store.Settled || (turns[own].Unanswered != "") != (i > 0) {
				t.Errorf("message %d has turns %+v, %v", i+1, turns, err)
			}
		}
		if b, err := c.Backlog(t.Context()); err != nil || b != (store.Backlog{}) {
			t.Errorf("there is %+v left, %v", b, err)
		}
	})
}

func TestMessagesOfDifferentPeopleAreNeverOne(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		how := store.Handling{Debounce: pause}
		c.says(0, "ada", "a1", how)
		c.says(100*time.Millisecond, "bob", "b1", how)
		c.says(100*time.Millisecond, "ada", "a2", how)
		c.says(100*time.Millisecond, "bob", "b2", how)
		c.clock.add(pause - 100*time.Millisecond)
		c.answered("ada: a1 a2") // bob's goes on
		c.clock.add(100 * time.Millisecond)
		c.answered("bob: b1 b2")
	})
}

func TestABurstGoesOnForSoLongAndNoLonger(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		how := store.Handling{Debounce: pause}
		c.says(0, "ada", "1", how)
		for i := range 20 { // never a pause
			c.says(time.Second, "ada", fmt.Sprint(i+2), how)
		}
		c.answered("ada: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
		c.clock.add(pause)
		c.answered("ada: 16 17 18 19 20 21")
	})
}

func TestWhatComesAfterTheBurstHasEndedIsAnsweredByItself(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		ctx := t.Context()
		how := store.Handling{Debounce: pause}
		c.says(0, "ada", "one", how)
		c.clock.add(pause)
		if sessions, err := c.Claim(ctx, 1); err != nil || len(sessions) != 1 {
			t.Fatalf("claimed: %v, %v", sessions, err)
		}
		turn, err := c.NextTurn(ctx, "test/a")
		if err != nil || turn == nil || !turn.Due.IsZero() {
			t.Fatalf("next: %+v, %v", turn, err)
		}
		c.clock.add(-time.Millisecond) // somebody else's clock is a little behind
		if r := c.says(0, "ada", "two", how); !r.Busy {
			t.Errorf("received: %+v", r)
		}
		settle(t, c.Store, turn)
		if turn, err := c.NextTurn(ctx, "test/a"); turn != nil || err != nil {
			t.Fatalf("next: %+v, %v", turn, err)
		}
		if released, err := c.Release(ctx, "test/a"); !released || err != nil {
			t.Fatalf("released: %v, %v", released, err)
		}
		c.answered()
		c.clock.add(pause)
		c.answered("ada: two")
	})
}

func TestWhatNeedNotWaitDoesNot(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		ctx := t.Context()
		c.says(0, "ada", "one", store.Handling{Debounce: pause})
		if r := c.says(0, "ada", "/missed", store.Handling{}); !r.Mine || r.Busy || !r.Due.IsZero() {
			t.Fatalf("received: %+v", r)
		}
		turn, err := c.NextTurn(ctx, "test/a")
		if err != nil || turn == nil || turn.Message.Text != "/missed" {
			t.Fatalf("next: %+v, %v", turn, err)
		}
		settle(t, c.Store, turn)
		if turn.Last {
			t.Error("the lease has ended")
		}
		if released, err := c.Release(ctx, "test/a"); !released || err != nil {
			t.Fatalf("released: %v, %v", released, err)
		}
		c.answered()
		c.clock.add(pause)
		c.answered("ada: one")
	})
}

func TestWhoIsCalledInOneMessageOfABurstIsCalledInAll(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		how := store.Handling{Debounce: pause}
		c.says(0, "ada", "hello", how)
		m := platform.Message{Room: platform.Room{Platform: "test", ID: "a"}, ID: "m", Text: "you there", Author: platform.Person{ID: "ada"}, Mentioned: true}
		if _, err := c.ReceiveAs(t.Context(), m, how, true); err != nil {
			t.Fatal(err)
		}
		turns, err := c.TurnsOf(t.Context(), "test", "1")
		if err != nil || !turns[0].Message.Mentioned {
			t.Errorf("the turns are %+v, %v", turns, err)
		}
	})
}

func TestAMessageOfABurstThatIsDeliveredAgainChangesNothing(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		how := store.Handling{Debounce: pause}
		c.says(0, "ada", "one", how)
		c.says(time.Second, "ada", "two", how)
		for _, id := range []string{"1", "2"} {
			m := platform.Message{Room: platform.Room{Platform: "test", ID: "a"}, ID: id, Text: "again", Author: platform.Person{ID: "ada"}}
			if r, err := c.ReceiveAs(t.Context(), m, how, true); err != nil || r.Fresh {
				t.Errorf("received: %+v, %v", r, err)
			}
		}
		c.clock.add(pause)
		c.answered("ada: one two")
	})
}

func TestWhatWaitsIsStoppedBeforeItBegins(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		c.says(0, "ada", "one", store.Handling{Debounce: pause})
		if err := errors.Join(c.StopWaiting(t.Context(), "test/a"), c.StopWaiting(t.Context(), "test/b")); err != nil {
			t.Fatal(err)
		}
		c.clock.add(pause)
		c.answered()
		turns, err := c.TurnsOf(t.Context(), "test", "1")
		if err != nil || turns[0].Stage != store.Settled || turns[0].Unanswered == "" {
			t.Errorf("the turns are %+v, %v", turns, err)
		}
		if b, err := c.Backlog(t.Context()); err != nil || b != (store.Backlog{}) {
			t.Errorf("there is %+v left, %v", b, err)
		}
	})
}

// However the two meet, a message is either part of what is answered or answered itself.
func TestNoMessageIsLostBetweenTwoBursts(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		ctx := t.Context()
		how := store.Handling{Debounce: time.Microsecond} // over as soon as anybody looks
		const messages = 40
		var writing sync.WaitGroup
		writing.Go(func() {
			for i := range messages {
				c.clock.add(time.Microsecond)
				m := platform.Message{Room: platform.Room{Platform: "test", ID: "a"}, ID: fmt.Sprint("m", i), Text: fmt.Sprintf("<%d>", i), Author: platform.Person{ID: "ada"}}
				if _, err := c.ReceiveAs(ctx, m, how, true); err != nil {
					t.Error(err)
				}
			}
		})
		written := make(chan struct{})
		go func() { defer close(written); writing.Wait() }()
		said := ""
		for more := true; more; {
			select {
			case <-written:
				more = false // but for what is due after a last look at the clock
			default:
			}
			c.clock.add(time.Microsecond)
			said += strings.Join(c.answers(), "")
		}
		for i := range messages {
			if n := strings.Count(said, fmt.Sprintf("<%d>", i)); n != 1 {
				t.Errorf("message %d was answered %d times", i, n)
			}
		}
	})
}
