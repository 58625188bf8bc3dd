package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

func TestTheModelIsToldThatASendFailedAndItsAnswerIsPosted(t *testing.T) {
	d := &dialogue{replies: []string{block(`{"type":"sendMessage","chat":"b","content":"The build is green."}`), "The build is green."}}
	s := newDialogue(t, d)
	s.room.refuse = func(p platform.Post) *platform.Receipt {
		if p.Room.ID == "b" {
			return &platform.Receipt{Outcome: platform.Refused, Reason: "the room is closed"}
		}
		return nil
	}
	s.start()
	s.say("a", "1", "tell b")
	s.settled(1)
	if asked := d.wasAsked(); len(asked) != 2 || asked[1] != "[results]\n- sendMessage: failed, could not send to b: the room is closed" {
		t.Errorf("the model was asked %q", asked)
	}
	// What it says then is no copy of what it has sent: nothing was.
	if got, want := s.room.texts("a"), []string{"Failed: could not send to b: the room is closed\n\nThe build is green."}; !slices.Equal(got, want) {
		t.Errorf("posts are %q, want %q", got, want)
	}
}

func TestWhatMayHaveHappenedIsNotCalledAFailure(t *testing.T) {
	unclear := func(name string, query bool) *action.Spec {
		return action.Define(action.Spec{Name: name, Category: "rockets", Query: query, Repeatable: query}, func(context.Context, action.Call, struct{}) action.Outcome {
			out := action.Fail("tried to %s, and nobody knows whether it worked", name)
			out.Unclear = true
			return out
		})
	}
	for _, test := range []struct {
		name, action string
		query        bool
		says, told   string
		state        store.ActionState
	}{
		{"something was to change", "launch", false, "Unclear: tried to launch, and nobody knows whether it worked", "unknown", store.Unknown},
		{"something was only looked up", "look", true, "Failed: tried to look, and nobody knows whether it worked", "failed", store.Failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := &dialogue{replies: []string{block(`{"type":"` + test.action + `"}`), "OK."}}
			s := newDialogue(t, d, unclear(test.action, test.query))
			s.start()
			s.say("a", "1", "go")
			s.settled(1)
			if got := s.room.texts("a"); !slices.Equal(got, []string{test.says}) {
				t.Errorf("posts are %q, want %q", got, test.says)
			}
			if asked := d.wasAsked(); len(asked) != 2 || !strings.HasPrefix(asked[1], "[results]\n- "+test.action+": "+test.told+", tried to") {
				t.Errorf("the model was asked %q", asked)
			}
			ledger, err := s.Store.Actions(t.Context(), s.turns("1")[0].ID)
			if err != nil || ledger[0].State != test.state {
				t.Errorf("the ledger is %+v, %v", ledger, err)
			}
		})
	}
}

func TestALongAnswerThatIsShownAsItComesLosesNothing(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("All work and no play makes a long reply. ", 20)) // the room takes 200 characters
	s := newStage(t, storetest.Dir(t), say(long))
	now := time.Now()
	s.Now = func() time.Time { now = now.Add(time.Second); return now } // so that it is shown as it comes
	s.start()
	s.say("a", "1", "hi")
	s.settled(1)
	got := s.room.texts("a")
	if strings.Join(got, " ") != long || slices.ContainsFunc(got, func(part string) bool { return len(part) > 200 }) {
		t.Errorf("%d parts: %q", len(got), got)
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.room.edits < 10 {
		t.Errorf("it was shown %d times only while it came", s.room.edits)
	}
}

func TestWhatWasMissedIsSplitLikeAnyAnswer(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	s.start()
	s.say("a", "1", "hi")
	s.settled(1)
	long := strings.TrimSpace(strings.Repeat("All work and no play. ", 8))
	for i := range 5 {
		late := store.Post{Key: fmt.Sprint("late-", i), Turn: 1, Room: platform.Room{Platform: "test", ID: "a"}, Text: long, State: store.Late, Created: time.Now()}
		if err := s.Store.AddPost(t.Context(), late); err != nil {
			t.Fatal(err)
		}
	}
	s.say("a", "2", "/missed")
	s.settled(1)
	parts := s.room.texts("a")[1:]
	if slices.ContainsFunc(parts, func(part string) bool { return len(part) > 200 }) {
		t.Errorf("a part is too long for the room: %q", parts)
	}
	if n := strings.Count(strings.Join(strings.Fields(strings.Join(parts, " ")), " "), long); n != 5 {
		t.Errorf("%d of 5 answers are there: %q", n, parts)
	}
}

// The post that a follow-up goes on with was delivered by the turn before it. That must not
// pass for the delivery of what the follow-up says, wherever the process ends.
func TestAnEarlierDeliveryDoesNotEndATurnThatIsTakenUp(t *testing.T) {
	for steps := range 7 {
		t.Run(fmt.Sprintf("after step %d", steps), func(t *testing.T) {
			d := &dialogue{replies: []string{"Let me look. " + query, "You like tea."}}
			first := newDialogue(t, d)
			if _, err := first.Store.Receive(t.Context(), message("a", "1", "what do I like?"), true); err != nil {
				t.Fatal(err)
			}
			for range steps {
				turn, err := first.Store.NextTurn(t.Context(), "test/a")
				if err != nil {
					t.Fatal(err)
				}
				if turn == nil {
					break
				}
				if err := first.Step(t.Context(), turn); err != nil {
					t.Fatal(err)
				}
			}
			second := newStageOn(t, first.Store, first.room, first.Model)
			second.FollowupDepth = first.FollowupDepth
			second.start()
			second.untilSettled("1")
			if got, want := second.room.texts("a"), []string{"Let me look.\n\nYou like tea."}; !slices.Equal(got, want) {
				t.Errorf("posts are %q, want %q", got, want)
			}
			if asked := d.wasAsked(); len(asked) != 2 {
				t.Errorf("the model was asked %q", asked)
			}
		})
	}
}

func TestHoweverOftenItStartsNothingIsSentAgain(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	for i := range 3 { // each in a room of its own
		if _, err := s.Store.Receive(t.Context(), message(fmt.Sprint(i), "1", "hi"), false); err != nil {
			t.Fatal(err)
		}
	}
	s.start()
	s.settled(3)
	s.stop(time.Second)
	for i := range 4 {
		again := newStageOn(t, s.Store, s.room, s.Model)
		again.start()
		again.say("fresh", fmt.Sprint(i), "anything new?") // by then it has looked at what there is to do
		again.settled(1)
		if err := again.Outbox.TellLate(t.Context()); err != nil {
			t.Fatal(err)
		}
		again.stop(time.Second)
	}
	for i := range 3 {
		if got := s.room.texts(fmt.Sprint(i)); !slices.Equal(got, []string{"You said hi"}) {
			t.Errorf("room %d has %q", i, got)
		}
	}
	if got := len(s.room.texts("fresh")); got != 4 || s.room.sent != 3+4 {
		t.Errorf("%d posts for 7 messages", s.room.sent)
	}
}
