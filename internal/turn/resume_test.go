package turn

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// For each arrow of the way of a message: a process that ends exactly there, and
// another one that takes the turn up. The model is asked once wherever its reply was
// stored, every action runs once by its effect, and the room has one answer.

const resumed = "Noted. [REMEMBER:likes tea] <actions><react emoji=\"eyes\"/></actions>"

func TestATurnIsTakenUpFromEveryStage(t *testing.T) {
	steps := []struct {
		name  string
		until store.Stage
		asked int // how often the model is asked in all
	}{
		{"before the model was asked", store.Waiting, 1},
		{"when the reply is stored", store.Generated, 1},
		{"when the actions have run", store.Acted, 1},
		{"when it is settled", store.Settled, 1},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			asked := 0
			m := script(func(context.Context, string) (string, error) { asked++; return resumed, nil })
			first := newStage(t, storetest.Dir(t), m)
			if _, err := first.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
				t.Fatal(err)
			}
			turn, err := first.Store.NextTurn(t.Context(), "test/a")
			if err != nil {
				t.Fatal(err)
			}
			for turn.Stage != step.until {
				if err := first.Step(t.Context(), turn); err != nil {
					t.Fatal(err)
				}
			}
			second := newStageOn(t, first.Store, first.room, m)
			second.start()
			if step.until != store.Settled {
				second.settled(1)
			}
			second.check(t)
			if asked != step.asked {
				t.Errorf("the model was asked %d times", asked)
			}
		})
	}
}

// check asks that the message of these tests was answered once.
func (s *stage) check(t *testing.T) {
	t.Helper()
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "Noted.\n\nDone: remembered: likes tea" {
		t.Errorf("posts are %q", got)
	}
	facts, err := s.Store.Facts(t.Context(), "test/ada")
	if err != nil || len(facts) != 1 {
		t.Errorf("facts are %v, %v", facts, err)
	}
	if dead, err := s.Store.DeadPosts(t.Context()); err != nil || len(dead) != 0 {
		t.Errorf("dead letters are %v, %v", dead, err)
	}
}

func TestATurnIsTakenUpAfterAnActionWhoseOutcomeWasNotStored(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(resumed))
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	turn, _ := s.Store.NextTurn(t.Context(), "test/a")
	if err := s.generate(t.Context(), turn); err != nil {
		t.Fatal(err)
	}
	ledger, _ := s.Store.Actions(t.Context(), turn.ID)
	spec := s.Registry.Find("REMEMBER")
	args, err := spec.Decode(ledger[0].Args)
	if err != nil {
		t.Fatal(err)
	}
	if out := spec.Run(t.Context(), s.call(turn, &ledger[0]), args); !out.OK {
		t.Fatal(out.Summary)
	}
	second := newStageOn(t, s.Store, s.room, s.Model)
	second.start()
	second.settled(1)
	second.check(t)
}

func TestWhatAnActionAddsToTheReplyIsThereAfterACrash(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say("Hello. <action>{\"type\":\"SEND_MESSAGE\",\"chat\":\"a\",\"content\":\"And more.\"}</action>"))
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	turn, _ := s.Store.NextTurn(t.Context(), "test/a")
	if err := s.generate(t.Context(), turn); err != nil {
		t.Fatal(err)
	}
	ledger, _ := s.Store.Actions(t.Context(), turn.ID)
	if err := s.run(t.Context(), turn, nil, &ledger[0]); err != nil { // its outcome is stored, the posts are not
		t.Fatal(err)
	}
	second := newStageOn(t, s.Store, s.room, s.Model)
	second.start()
	second.settled(1)
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "Hello.\n\nAnd more." {
		t.Errorf("posts are %q", got)
	}
}

func TestATurnIsTakenUpAfterAPostWhoseReceiptWasLost(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(resumed))
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	turn, _ := s.Store.NextTurn(t.Context(), "test/a")
	if err := errors.Join(s.generate(t.Context(), turn), s.act(t.Context(), turn)); err != nil {
		t.Fatal(err)
	}
	posts, _ := s.Store.Posts(t.Context(), turn.ID)
	p := posts[0]
	if r := s.room.Post(t.Context(), platform.Post{Key: p.Key, Room: p.Room, Text: p.Text}); r.Outcome != platform.Delivered {
		t.Fatal(r)
	}
	second := newStageOn(t, s.Store, s.room, s.Model)
	second.start()
	second.settled(1)
	second.check(t)
}

func TestATurnIsTakenUpAfterALivePostWhoseReceiptWasLost(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(resumed))
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	turn, _ := s.Store.NextTurn(t.Context(), "test/a")
	half := store.Post{Key: postKey(turn.ID, 0), Turn: turn.ID, Room: turn.Message.Room, Text: "No", State: store.Live, Tries: 1}
	if err := s.Store.AddPost(t.Context(), half); err != nil {
		t.Fatal(err)
	}
	s.room.Post(t.Context(), platform.Post{Key: half.Key, Room: half.Room, Text: half.Text})
	s.start()
	s.settled(1)
	s.check(t)
}

func TestAMessageThatWasStoredButNotQueuedIsAnsweredByTheNextProcess(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(resumed))
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.settled(1)
	s.check(t)
}

func TestAStopInTheMiddleLosesNothing(t *testing.T) {
	began := make(chan struct{}, 1)
	times := 0
	m := script(func(ctx context.Context, _ string) (string, error) {
		if times++; times == 1 {
			began <- struct{}{}
			<-ctx.Done()
			return "", ctx.Err()
		}
		return resumed, nil
	})
	first := newStage(t, storetest.Dir(t), m)
	if err := first.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	first.say("a", "1", "hi")
	<-began
	first.stop(time.Millisecond)
	second := newStageOn(t, first.Store, first.room, m)
	second.start()
	second.settled(1)
	second.check(t)
}
