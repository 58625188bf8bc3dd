package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// newContinuing is a stage on which status updates are continued three times.
func newContinuing(t *testing.T, d *dialogue) *stage {
	t.Helper()
	s := newDialogue(t, d)
	s.Continues = func(*store.Turn) int { return 3 }
	return s
}

// turns are those of a message.
func (s *stage) turns(message string) []*store.Turn {
	s.t.Helper()
	all, err := s.Store.TurnsOf(s.t.Context(), "test", message)
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

func TestAStatusUpdateIsHeldBackAndContinued(t *testing.T) {
	const status = "I'll look into the logs now."
	failing := func(reply string) script {
		return func(_ context.Context, text string) (string, error) {
			if !strings.HasPrefix(text, ContinueMark) {
				return status, nil
			}
			return reply, &model.Error{Kind: model.Broken, Message: "The model cannot be reached."}
		}
	}
	tests := []struct {
		name    string
		replies []string
		model   script // instead of replies
		want    []string
		asked   int
		output  output.Type // of the last one
	}{
		{"until there is an answer", []string{status, "Working on it…", "The disk is full."}, nil, []string{"The disk is full."}, 3, output.Completion},
		{"until something blocks", []string{status, "I can't continue without the password."}, nil, []string{"I can't continue without the password."}, 2, output.Blocker},
		{"until there is a question", []string{status, "Which server?"}, nil, []string{"Which server?"}, 2, output.Question},
		{"three times, then it is sent", []string{"Working on it…", "Searching…", "Checking…", "Still looking into it now."}, nil, []string{"Still looking into it now."}, 4, output.StatusUpdate},
		{"and is delivered if nothing came of it", []string{status, ""}, nil, []string{status}, 2, output.Completion},
		{"with an acknowledgement behind it", []string{status, "Done."}, nil, []string{status + "\n\nDone."}, 2, output.Completion},
		{"with everything that was held back", []string{"Let me check.", "Searching…", "<no-reply/>"}, nil, []string{"Let me check.\n\nSearching…"}, 3, output.Completion},
		{"and is delivered before a failure", nil, failing("The disk"), []string{status + "\n\nThe disk\n\nThe model cannot be reached."}, 0, output.Error},
		{"an answer is not continued", []string{"The capital of France is Paris."}, nil, []string{"The capital of France is Paris."}, 1, output.Completion},
		{"an acknowledgement is not continued", []string{"Got it."}, nil, []string{"Got it."}, 1, output.Completion},
		{"a question is not continued", []string{"Do you want A\nor B?"}, nil, []string{"Do you want A\nor B?"}, 1, output.Question},
		{"an empty reply is not continued", []string{""}, nil, nil, 1, output.Completion},
		{"what actions say is told at once", []string{"Let me check. [REMEMBER:likes tea]", "You like tea."}, nil, []string{"Let me check.\n\nDone: remembered: likes tea\n\nYou like tea."}, 2, output.Completion},
		{"after a follow-up", []string{"Looking. " + block(`{"type":"recallAll"}`), "Checking once more…", "Nothing is there."}, nil, []string{"Looking.\n\nNothing is there."}, 3, output.Completion},
		{"with a follow-up of its own", []string{status, "Found: " + block(`{"type":"recallAll"}`), "nothing."}, nil, []string{"Found:\n\nnothing."}, 3, output.Completion},
	}
	for _, test := range tests {
		for _, edits := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, where posts can be edited: %t", test.name, edits), func(t *testing.T) {
				d := &dialogue{replies: test.replies}
				s := newContinuing(t, d)
				if test.model != nil {
					s.Model = test.model
				}
				want := strings.Join(test.want, "\n")
				got := func() string { return strings.Join(s.room.texts("a"), "\n") }
				if !edits { // then each turn has a post of its own
					s.Outbox.Platforms["test"] = muted{s.room}
					got = func() string { return strings.Join(s.room.texts("a"), "\n\n") }
				}
				s.start()
				s.say("a", "1", "why is it slow?")
				s.settled(1)
				if got() != want {
					t.Errorf("posts are %q, want %q", s.room.texts("a"), test.want)
				}
				if n := len(d.wasAsked()); n != test.asked {
					t.Errorf("the model was asked %d times", n)
				}
				turns := s.turns("1")
				last := turns[len(turns)-1]
				if last.Output != string(test.output) || last.OutputWhy == "" {
					t.Errorf("the reply is %q (%s), want %q", last.Output, last.OutputWhy, test.output)
				}
				if last.Shown != want {
					t.Errorf("what was shown is %q", last.Shown)
				}
			})
		}
	}
}

// muted is a room in which posts cannot be edited.
type muted struct{ room *room }

func (m muted) Name() string { return m.room.Name() }

func (m muted) Limits() platform.Limits { return m.room.Limits() }

func (m muted) Run(ctx context.Context, in platform.Inbox) error { return m.room.Run(ctx, in) }

func (m muted) Post(ctx context.Context, p platform.Post) platform.Receipt {
	return m.room.Post(ctx, p)
}

func (m muted) Settled(ctx context.Context, in platform.Room, id string, n int64) {
	m.room.Settled(ctx, in, id, n)
}

func TestAContinuationCarriesTheSenderAndTheCounters(t *testing.T) {
	d := &dialogue{replies: []string{"Working on it…", "Checking… " + block(`{"type":"recallAll"}`), "Searching…", "Here: nothing."}}
	s := newContinuing(t, d)
	s.start()
	s.say("a", "1", "go")
	s.settled(1)
	type facts struct {
		flow, origin, author string
		follows, continued   int
	}
	want := []facts{
		{"message", "", "ada", 0, 0}, {"continuation", "message", "ada", 1, 1}, {"follow-up", "message", "ada", 2, 1}, {"continuation", "message", "ada", 3, 2},
	}
	var got []facts
	for _, turn := range s.turns("1") {
		if turn.Message.ID != "1" || turn.Session != "test/a" {
			t.Errorf("turn %d is of message %s in %s", turn.ID, turn.Message.ID, turn.Session)
		}
		got = append(got, facts{turn.Flow, turn.Origin, turn.Message.Author.ID, turn.Follows, turn.Continued})
	}
	if !slices.Equal(got, want) {
		t.Errorf("the turns are %+v", got)
	}
	if asked := d.wasAsked(); !strings.HasPrefix(asked[1], ContinueMark) || !strings.HasPrefix(asked[2], ResultsMark) {
		t.Errorf("the model was asked %q", asked)
	}
}

func TestTheCounterStartsAgainWithTheNextMessage(t *testing.T) {
	d := &dialogue{replies: []string{"Searching…", "Searching…", "Searching…", "Searching…", "Checking…", "Done with it: 42."}}
	s := newContinuing(t, d)
	s.start()
	s.say("a", "1", "go")
	s.settled(1)
	s.say("a", "2", "and now?")
	s.settled(1)
	if got := s.room.texts("a"); !slices.Equal(got, []string{"Searching…", "Done with it: 42."}) {
		t.Errorf("posts are %q", got)
	}
}

func TestFollowUpsAndContinuationsTogetherAreBounded(t *testing.T) {
	d := &dialogue{}
	for range 30 {
		d.replies = append(d.replies, "Checking… "+block(`{"type":"recallAll"}`), "Searching…")
	}
	s := newContinuing(t, d)
	s.start()
	s.say("a", "1", "go")
	s.settled(1)
	if n := len(d.wasAsked()); n != 1+3+3 {
		t.Errorf("the model was asked %d times", n)
	}
}

func TestAHeldDraftIsNotLost(t *testing.T) {
	// The process ends after each step of the chain, and another one goes on.
	for steps := range 7 {
		t.Run(fmt.Sprintf("when it is killed after step %d", steps), func(t *testing.T) {
			for _, reply := range []string{"The disk is full.", ""} { // also where the chain ends cleanly without one
				asked := 0
				m := script(func(_ context.Context, text string) (string, error) {
					asked++
					if !strings.HasPrefix(text, ContinueMark) {
						return "I'll look into the logs now.", nil
					}
					return reply, nil
				})
				first := newStage(t, storetest.Dir(t), m)
				first.Continues = func(*store.Turn) int { return 3 }
				if _, err := first.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
					t.Fatal(err)
				}
				for range steps {
					turn, err := first.Store.NextTurn(t.Context(), "test/a")
					if err != nil || turn == nil {
						break
					}
					if err := first.Step(t.Context(), turn); err != nil {
						t.Fatal(err)
					}
				}
				second := newStageOn(t, first.Store, first.room, m)
				second.Continues = first.Continues
				second.start()
				second.untilSettled("1")
				want := reply
				if want == "" {
					want = "I'll look into the logs now."
				}
				if got := second.room.texts("a"); !slices.Equal(got, []string{want}) {
					t.Errorf("posts are %q", got)
				}
				if asked != 2 {
					t.Errorf("the model was asked %d times", asked)
				}
			}
		})
	}
}

// untilSettled waits until every turn of a message is settled.
func (s *stage) untilSettled(message string) {
	s.t.Helper()
	for {
		turns := s.turns(message)
		if !slices.ContainsFunc(turns, func(t *store.Turn) bool { return t.Stage != store.Settled }) {
			return
		}
		select {
		case <-s.room.settled:
		case <-time.After(10 * time.Second):
			s.t.Fatalf("message %s is not settled", message)
		}
	}
}

func TestAStatusUpdateThatIsSeenStaysUntilItIsTheAnswer(t *testing.T) {
	gone := make(chan struct{})
	s := newStage(t, storetest.Dir(t), nil)
	s.Model = script(func(ctx context.Context, text string) (string, error) {
		if !strings.HasPrefix(text, ContinueMark) {
			return "I'll look into the logs now.", nil
		}
		if got := s.room.texts("a"); !slices.Equal(got, []string{"I'll look into the logs now."}) {
			t.Errorf("before the answer the room shows %q", got)
		}
		close(gone)
		return "The disk is full.", nil
	})
	s.Continues = func(*store.Turn) int { return 3 }
	s.Outbox.Platforms["test"] = withdrawing{s.room, t}
	now := time.Now()
	s.Now = func() time.Time { now = now.Add(time.Second); return now } // so that it is shown as it comes
	s.start()
	s.say("a", "1", "why?")
	s.settled(1)
	<-gone
	if got := s.room.texts("a"); !slices.Equal(got, []string{"The disk is full."}) {
		t.Errorf("posts are %q", got)
	}
}

// In a withdrawing room posts can be taken away, and none should be.
type withdrawing struct {
	*room
	t *testing.T
}

func (w withdrawing) Delete(_ context.Context, _ platform.Room, post string) platform.Receipt {
	w.t.Errorf("post %s was taken away", post)
	return platform.Receipt{Outcome: platform.Delivered}
}

func TestAStoppedTurnIsNotContinued(t *testing.T) {
	began := make(chan struct{})
	s := newStage(t, storetest.Dir(t), script(func(ctx context.Context, asked string) (string, error) {
		close(began)
		<-ctx.Done()
		return "I'll look into the logs now.", &model.Error{Kind: model.Cancelled, Message: "cancelled"}
	}))
	s.Continues = func(*store.Turn) int { return 3 }
	s.start()
	s.say("a", "1", "slow")
	<-began
	s.say("a", "2", "/stop")
	s.settled(2)
	turns := s.turns("1")
	if len(turns) != 1 || turns[0].Output != string(output.Completion) || turns[0].OutputWhy != "a person has stopped it" {
		t.Errorf("the turns are %+v", turns)
	}
}
