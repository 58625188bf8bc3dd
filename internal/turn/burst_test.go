package turn

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A handClock is a clock and its alarms, moved by hand.
type handClock struct {
	mu     sync.Mutex
	now    time.Time
	alarms map[chan time.Time]time.Time
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

func (c *handClock) ring() {
	for alarm, at := range c.alarms {
		if !at.After(c.now) {
			delete(c.alarms, alarm)
			alarm <- c.now
		}
	}
}

const debounce = 1500 * time.Millisecond

// A groupStage is a stage where several people write, and a clock that is moved by hand.
type groupStage struct {
	*stage
	clock *handClock
	asked *listener
}

// A listener is a model that notes the last message of every request.
type listener struct {
	mu   sync.Mutex
	all  []string
	then script
}

func (a *listener) script(ctx context.Context, text string) (string, error) {
	a.mu.Lock()
	a.all = append(a.all, text)
	a.mu.Unlock()
	return a.then(ctx, text)
}

func (a *listener) texts() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

func newGroup(t *testing.T, reply script) *groupStage {
	t.Helper()
	clock := &handClock{now: time.Now().Truncate(time.Microsecond), alarms: map[chan time.Time]time.Time{}}
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return newGroupOn(t, s, clock, &room{settled: make(chan string, 100)}, reply)
}

// newGroupOn is a new process on the store of another one.
func newGroupOn(t *testing.T, s *store.Store, clock *handClock, r *room, reply script) *groupStage {
	t.Helper()
	a := &listener{then: reply}
	g := &groupStage{stage: newStageOn(t, s, r, script(a.script)), clock: clock, asked: a}
	g.Now, g.Outbox.Now = clock.Now, clock.Now
	g.queue = queue.New(s, queue.Options{Parallel: 8, Logger: g.Logger, Step: g.Step, After: clock.After})
	g.inbox.Queue, g.inbox.Await, g.inbox.Now = g.queue, g.queue.Await, clock.Now
	g.inbox.Rules.Debounce = func(platform.Message) time.Duration { return debounce }
	g.inbox.Rules.Command = IsCommand
	g.start()
	return g
}

func (g *groupStage) write(who, id, text string, change ...func(*platform.Message)) {
	g.t.Helper()
	m := message("a", id, text)
	m.Author, m.At = platform.Person{ID: who, Name: who}, g.clock.Now()
	for _, c := range change {
		c(&m)
	}
	if err := g.inbox.Receive(g.t.Context(), m); err != nil {
		g.t.Fatal(err)
	}
}

func TestFifteenMessagesInABurstGetOneAnswerThatKnowsThemAll(t *testing.T) {
	g := newGroup(t, echo)
	var lines []string
	for i := range 15 {
		g.write("Ada", fmt.Sprint(i), fmt.Sprint("part ", i))
		lines = append(lines, fmt.Sprint("part ", i))
		g.clock.add(300 * time.Millisecond)
	}
	g.clock.add(debounce)
	g.settled(15)
	want := "Ada: " + strings.Join(lines, "\n")
	if got := g.asked.texts(); len(got) != 1 || got[0] != want {
		t.Errorf("the model was asked %q, want %q", got, want)
	}
	if got := g.room.texts("a"); len(got) != 1 {
		t.Errorf("posts are %q", got)
	}
	// What was said before is known as one thing.
	past := make(chan []model.Message, 1)
	g.Model = requested(func(r model.Request) { past <- r.Messages })
	g.write("Bob", "b", "and then?")
	g.clock.add(debounce)
	g.settled(1)
	if got := <-past; len(got) != 3 || got[0].Text != want || got[1].Role != model.Assistant || got[2].Text != "Bob: and then?" {
		t.Errorf("the model is told %+v", got)
	}
}

func TestTwoPeopleWhoWriteAtOnceAreAnsweredEach(t *testing.T) {
	g := newGroup(t, echo)
	for i, who := range []string{"Ada", "Bob", "Ada", "Bob"} {
		g.write(who, fmt.Sprint(i), fmt.Sprint("text ", i))
	}
	g.clock.add(debounce)
	g.settled(4)
	got := g.asked.texts()
	if want := []string{"Ada: text 0\ntext 2", "Bob: text 1\ntext 3"}; !slices.Equal(got, want) {
		t.Errorf("the model was asked %q, want %q", got, want)
	}
	g.room.mu.Lock()
	defer g.room.mu.Unlock()
	if len(g.room.posts) != 2 || g.room.posts[0].ReplyTo != "0" || g.room.posts[1].ReplyTo != "1" {
		t.Errorf("posts are %+v", g.room.posts)
	}
}

func TestABurstIsAnsweredOnceAcrossARestart(t *testing.T) {
	g := newGroup(t, echo)
	g.write("Ada", "1", "one")
	g.write("Ada", "2", "two")
	g.stop(10 * time.Second)
	again := newGroupOn(t, g.Store, g.clock, g.room, echo)
	again.write("Ada", "3", "three")
	g.clock.add(debounce)
	again.settled(3)
	if got := append(g.asked.texts(), again.asked.texts()...); !slices.Equal(got, []string{"Ada: one\ntwo\nthree"}) {
		t.Errorf("the model was asked %q", got)
	}
	if got := g.room.texts("a"); len(got) != 1 {
		t.Errorf("posts are %q", got)
	}
}

func TestWhatIsNotPartOfABurst(t *testing.T) {
	for _, test := range []struct {
		name   string
		text   string
		change func(*platform.Message)
		answer string
	}{
		{"a command", "/missed", nil, "Nothing was missed."},
		{"a direct message", "hello", func(m *platform.Message) { m.Direct = true }, "You said hello"},
		{"a reaction", "", func(m *platform.Message) {
			m.Reaction = &platform.Reaction{Emoji: "🎉", ToAgent: true, To: platform.Message{Text: "Hi.", At: time.Now()}}
		}, `You said Ada: (reacted with 🎉 to your message: "Hi.")`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newGroup(t, echo)
			g.write("Ada", "1", "one")
			g.write("Ada", "2", test.text, func(m *platform.Message) {
				if test.change != nil {
					test.change(m)
				}
			})
			g.settled(1) // at once
			if got := g.room.texts("a"); len(got) != 1 || got[0] != test.answer {
				t.Errorf("posts are %q", got)
			}
			g.clock.add(debounce)
			g.settled(1)
			if got := g.room.texts("a"); len(got) != 2 || got[1] != "You said Ada: one" {
				t.Errorf("posts are %q", got)
			}
		})
	}
}

func TestWhatIsChangedWhileABurstGoesOnIsPartOfIt(t *testing.T) {
	g := newGroup(t, echo)
	g.write("Ada", "1", "one")
	g.clock.add(time.Millisecond)
	g.write("Ada", "1-edit", "won", func(m *platform.Message) { m.Edits = "1" })
	g.write("Ada", "2", "two")
	g.clock.add(debounce)
	g.settled(2)
	if got := g.asked.texts(); !slices.Equal(got, []string{"Ada: won\ntwo"}) {
		t.Errorf("the model was asked %q", got)
	}
}

func TestStopEndsAlsoWhatHasNotBegun(t *testing.T) {
	g := newGroup(t, echo)
	g.write("Ada", "1", "write a poem")
	g.write("Ada", "2", "/stop")
	g.settled(1)
	g.clock.add(time.Hour)
	g.write("Ada", "3", "hello", func(m *platform.Message) { m.Direct = true })
	g.settled(1)
	if got := g.asked.texts(); !slices.Equal(got, []string{"hello"}) {
		t.Errorf("the model was asked %q", got)
	}
}

func TestAFollowUpKnowsTheWholeBurst(t *testing.T) {
	g := newGroup(t, echo)
	g.FollowupDepth = 1
	var requests []model.Request
	g.Model = requested(func(r model.Request) { requests = append(requests, r) })
	g.write("Ada", "1", "one")
	g.write("Ada", "2", "two")
	g.clock.add(debounce)
	g.settled(1)
	if len(requests) != 2 || requests[1].Messages[0].Text != "Ada: one\ntwo" || len(requests[1].Messages) != 3 {
		t.Errorf("the model was asked %+v", requests)
	}
}

// requested is a model that shows what it is asked, and looks something up.
func requested(show func(model.Request)) model.Model { return requests{show} }

type requests struct{ show func(model.Request) }

func (m requests) Stream(_ context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	m.show(r)
	return func(yield func(model.Delta, error) bool) {
		if yield(model.Delta{Text: `<action>{"type":"recallAll"}</action>`}, nil) {
			yield(model.Delta{End: model.Done}, nil)
		}
	}
}
