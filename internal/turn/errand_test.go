package turn

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// errand opens one in room a, and waits until it is settled.
func (s *stage) errand(e store.Errand) *store.Turn {
	s.t.Helper()
	s.began.Do(s.start)
	e.Room, e.At = platform.Room{Platform: "test", ID: "a"}, time.Now()
	if e.Person == (platform.Person{}) {
		e.Person = platform.Person{ID: "ada", Name: "Ada"}
	}
	if _, err := s.queue.Open(s.t.Context(), e); err != nil {
		s.t.Fatal(err)
	}
	s.untilSettled(e.Key)
	turns := s.turns(e.Key)
	return turns[len(turns)-1]
}

func TestAnErrandIsDoneForAPersonWhoHasWrittenNothing(t *testing.T) {
	d := &dialogue{replies: []string{`Good morning. <actions><react emoji="eyes"/></actions> [CALCULATE:6*7]`}}
	s := newDialogue(t, d)
	var ended []string
	s.Ended = func(_ context.Context, _ store.Tx, t *store.Turn) error {
		ended = append(ended, t.Flow+" "+t.Brief.Job)
		return nil
	}
	turn := s.errand(store.Errand{Key: "cron-001/1", Flow: "cron", Session: "cron/cron-001", Text: "Say good morning.", Brief: store.Brief{Job: "cron-001"}})
	if asked := d.wasAsked(); !slices.Equal(asked[:1], []string{"Say good morning."}) {
		t.Errorf("the model was asked %q", asked)
	}
	if got := s.room.texts("a"); len(got) != 1 || !strings.HasPrefix(got[0], "Good morning.") {
		t.Errorf("posts are %q", got)
	}
	if s.room.edits > 0 && s.room.sent != 1 || len(s.room.reacted) > 0 {
		t.Errorf("there are %d posts, %d edits, reactions %v", s.room.sent, s.room.edits, s.room.reacted)
	}
	if got := s.room.posts[0].ReplyTo; got != "" {
		t.Errorf("the post answers %q, which stands nowhere", got)
	}
	if turn.Session != "cron/cron-001" || turn.Message.Author.Name != "Ada" {
		t.Errorf("the turn is %+v", turn)
	}
	if !slices.Equal(ended, []string{"follow-up cron-001"}) { // the reaction has failed, and the model was told
		t.Errorf("ended: %q", ended)
	}
}

func TestAnErrandWithOneKeyIsDoneOnce(t *testing.T) {
	d := &dialogue{replies: []string{"Once.", "Twice."}}
	s := newDialogue(t, d)
	e := store.Errand{Key: "defer-1", Flow: "deferral", Text: "Remind her."}
	first, second := s.errand(e), s.errand(e)
	if first.ID != second.ID || len(d.wasAsked()) != 1 {
		t.Errorf("turns %d and %d, the model was asked %q", first.ID, second.ID, d.wasAsked())
	}
}

func TestAnErrandMayDoOnlyWhatItsFlowAndItsListAllow(t *testing.T) {
	for _, c := range []struct {
		name string
		e    store.Errand
		why  string
	}{
		{"a cron cannot remember", store.Errand{Flow: "cron"}, "a cron cannot use the category memory"},
		{"nor can a follow-up of it", store.Errand{Flow: "cron"}, "a cron cannot use the category memory"},
		{"a loop can only look and send", store.Errand{Flow: "loop"}, "a loop can only look things up and send messages"},
		{"a list narrows", store.Errand{Flow: "plan", Brief: store.Brief{Only: []string{"calculate"}}}, "only these actions are allowed here: calculate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newDialogue(t, &dialogue{replies: []string{"[REMEMBER:tea]", "[REMEMBER:tea]"}})
			c.e.Key, c.e.Text = "e", "Do it."
			s.errand(c.e)
			for _, turn := range s.turns("e") {
				ledger, err := s.Store.Actions(t.Context(), turn.ID)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range ledger {
					if a.State != store.Refused || a.Summary != c.why {
						t.Errorf("%s is %s: %s", a.Type, a.State, a.Summary)
					}
				}
			}
			if facts, err := s.Store.Facts(t.Context(), "test/ada"); err != nil || len(facts) != 0 {
				t.Errorf("remembered: %v, %v", facts, err)
			}
		})
	}
}

func TestAnErrandOfSomebodyWhoMayNotAnyMoreIsNotRun(t *testing.T) {
	d := &dialogue{}
	s := newDialogue(t, d)
	s.Barred = func(context.Context, *store.Turn) (string, error) { return "the room is closed", nil }
	var ended int
	s.Ended = func(context.Context, store.Tx, *store.Turn) error { ended++; return nil }
	turn := s.errand(store.Errand{Key: "d", Flow: "deferral", Text: "Say hello."})
	if len(d.wasAsked()) > 0 || len(s.room.texts("a")) > 0 || turn.Unanswered != "the room is closed" || ended != 1 {
		t.Errorf("asked %q, posted %q, why %q, ended %d times", d.wasAsked(), s.room.texts("a"), turn.Unanswered, ended)
	}
}

func TestWhatAnErrandSaysForTheRuntimeIsPostedNowhere(t *testing.T) {
	s := newDialogue(t, &dialogue{replies: []string{"I'll look into the logs now."}})
	s.Continues = func(*store.Turn) int { return 3 }
	turn := s.errand(store.Errand{Key: "p", Flow: "plan", Session: "plan/1", Text: "/stop", Brief: store.Brief{Unposted: true}})
	if got := s.room.texts("a"); len(got) > 0 || turn.Shown != "I'll look into the logs now." {
		t.Errorf("posts are %q, shown is %q", got, turn.Shown)
	}
}

func TestAnErrandAsksTheModelOfItsRole(t *testing.T) {
	s := newDialogue(t, &dialogue{replies: []string{"I am the wrong one."}})
	var asked store.Brief
	s.ModelOf = func(b store.Brief) (model.Model, error) {
		asked = b
		return say("I am the right one."), nil
	}
	s.errand(store.Errand{Key: "m", Flow: "cron", Text: "Who are you?", Brief: store.Brief{Role: "cron", Model: "small"}})
	if got := s.room.texts("a"); !slices.Equal(got, []string{"I am the right one."}) || asked.Role != "cron" || asked.Model != "small" {
		t.Errorf("posts are %q, asked was %+v", got, asked)
	}
}

func TestAnErrandThatIsAloneKnowsNothing(t *testing.T) {
	for _, alone := range []bool{true, false} {
		s := newDialogue(t, &dialogue{})
		var asked model.Request
		s.ModelOf = func(store.Brief) (model.Model, error) {
			return requested(func(r model.Request) {
				if asked.Messages == nil {
					asked = r
				}
			}), nil
		}
		s.began.Do(s.start)
		s.say("a", "1", "hello")
		s.untilSettled("1")
		if _, err := remembering(s.Store).Remember(t.Context(), "test/ada", "1", "fact", "likes tea"); err != nil {
			t.Fatal(err)
		}
		s.errand(store.Errand{Key: "x", Flow: "deferral", Text: "Go.", Brief: store.Brief{Alone: alone}})
		want := 3
		if alone {
			want = 1
		}
		if len(asked.Messages) != want || strings.Contains(asked.System, "likes tea") {
			t.Errorf("alone is %v: the model was asked %+v, told %s", alone, asked.Messages, asked.System)
		}
	}
}

func TestAPlainErrandActsOnNothingThatItsReplySays(t *testing.T) {
	const document = "## Changes\n\n- Say [REMEMBER:tea] and <actions><react emoji=\"eyes\"/></actions>.\n- <action>{\"type\":\"sendMessage\",\"text\":\"hello\"}</action>"
	s := newDialogue(t, &dialogue{})
	var system string
	s.ModelOf = func(store.Brief) (model.Model, error) {
		return replying("<think>Let me see.</think>"+document, func(r model.Request) { system = r.System }), nil
	}
	turn := s.errand(store.Errand{Key: "f", Flow: "plan", Session: "forge/plan-001", Text: "Draft it.", Brief: store.Brief{Unposted: true, Alone: true, Plain: true}})
	if turn.Shown != document || len(s.turns("f")) != 1 {
		t.Errorf("the reply is %q, in %d turns", turn.Shown, len(s.turns("f")))
	}
	if ledger, err := s.Store.Actions(t.Context(), turn.ID); err != nil || len(ledger) > 0 {
		t.Errorf("the ledger is %+v, %v", ledger, err)
	}
	if strings.Contains(system, "sendMessage") || strings.Contains(system, "You are a test.") {
		t.Errorf("the model was told %q", system)
	}
}

func TestAnErrandThatWasCalledOffBeforeItCouldBeStoppedAsksNobody(t *testing.T) {
	d := &dialogue{replies: []string{"Too late."}}
	s := newDialogue(t, d)
	s.Revoked = func(context.Context, *store.Turn) (bool, error) { return true, nil }
	turn := s.errand(store.Errand{Key: "r", Flow: "plan", Session: "forge/plan-001", Text: "Draft it.", Brief: store.Brief{Unposted: true}})
	if len(d.wasAsked()) > 0 || turn.Failure != store.StoppedByPerson {
		t.Errorf("asked %q, failure %q", d.wasAsked(), turn.Failure)
	}
}

// replying is a model that says one thing, and tells what it was asked.
func replying(text string, asked func(model.Request)) model.Model {
	return heard(func(r model.Request) string { asked(r); return text })
}

type heard func(model.Request) string

func (h heard) Stream(_ context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		_ = yield(model.Delta{Text: h(r)}, nil) && yield(model.Delta{End: model.Done}, nil)
	}
}
