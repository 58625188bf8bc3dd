package turn

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

const asking = `Let me ask. <action>{"type":"reactionPrompt","question":"Ship it?","choices":["✅","❌"]}</action>`

// promptPost is the id of the question in the room.
func (s *stage) promptPost() string {
	s.t.Helper()
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	for _, p := range s.room.posts {
		if p.Text == "Ship it?" {
			return s.room.keys[p.Key]
		}
	}
	s.t.Fatalf("posts are %+v", s.room.posts)
	return ""
}

func (s *stage) choose(emoji, person, id string) {
	s.t.Helper()
	m := reactionTo(s.promptPost(), emoji, id)
	m.Author.ID, m.Author.Name = person, person
	if err := s.inbox.Receive(s.t.Context(), m); err != nil {
		s.t.Fatal(err)
	}
}

func TestTheFirstChoiceStartsATurnThatNamesQuestionAndChoice(t *testing.T) {
	d := &dialogue{replies: []string{asking, "Shipping. " + block(`{"type":"recallAll"}`), "Shipped."}}
	s := newDialogue(t, d)
	s.start()
	s.say("a", "1", "shall we?")
	s.settled(1)
	post := s.promptPost()
	if got := strings.Join(s.room.reacted, " "); got != post+"✅ "+post+"❌" {
		t.Errorf("reactions are %q", got)
	}
	s.choose("✅", "eve", "2")
	s.settled(1)
	s.choose("❌", "ada", "3")
	s.say("a", "4", "and now?")
	s.settled(1)
	asked := d.wasAsked()
	if len(asked) != 4 || asked[1] != `eve: (chose ✅ to answer your question "Ship it?")` || asked[3] != "and now?" {
		t.Errorf("the model was asked %q", asked)
	}
	turns, err := s.Store.TurnsOf(t.Context(), "test", "2")
	if err != nil || len(turns) != 2 || turns[0].Flow != store.PromptAnswer || turns[1].Origin != store.PromptAnswer || turns[1].Message.Author.ID != "eve" {
		t.Errorf("turns are %+v, %v", turns, err)
	}
	history, err := s.Store.Exchanges(t.Context(), "test/a", 0, 1<<60, 10)
	if err != nil || len(history) != 3 || history[1].Text != `(chose ✅ to answer your question "Ship it?")` || history[1].Answer != "Shipping.\n\nShipped." {
		t.Errorf("the history is %+v, %v", history, err)
	}
}

func TestAPromptSurvivesARestart(t *testing.T) {
	d := &dialogue{replies: []string{asking, "Shipped."}}
	first := newDialogue(t, d)
	first.start()
	first.say("a", "1", "shall we?")
	first.settled(1)
	first.stop(time.Second)
	second := newStageOn(t, first.Store, first.room, first.Model)
	second.start()
	second.choose("✅", "ada", "2")
	second.settled(1)
	if got := second.room.texts("a"); got[len(got)-1] != "Shipped." {
		t.Errorf("posts are %q", got)
	}
}

func TestAPromptWhoseOutcomeWasNotStoredIsAskedOnce(t *testing.T) {
	s := newDialogue(t, &dialogue{replies: []string{asking, "Shipped."}})
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "shall we?"), true); err != nil {
		t.Fatal(err)
	}
	turn, err := s.Store.NextTurn(t.Context(), "test/a")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.generate(t.Context(), turn); err != nil {
		t.Fatal(err)
	}
	ledger, err := s.Store.Actions(t.Context(), turn.ID)
	if err != nil {
		t.Fatal(err)
	}
	spec := s.Registry.Find("reactionPrompt")
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
	second.choose("❌", "ada", "2")
	second.settled(1)
	asked := 0
	for _, text := range second.room.texts("a") {
		if text == "Ship it?" {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("posts are %q", second.room.texts("a"))
	}
}

// What a model asks in its own words must not confirm what it wants to destroy.
func TestTheAnswerToAPromptConfirmsNothing(t *testing.T) {
	for name, emoji := range map[string]string{"by a choice": "✅", "by an emoji that is none": "✔"} {
		t.Run(name, func(t *testing.T) {
			launched := 0
			d := &dialogue{replies: []string{asking + block(`{"type":"launch"}`)}}
			s := newDialogue(t, d, launch(&launched))
			s.start()
			s.say("a", "1", "shall we?")
			s.settled(1)
			s.choose(emoji, "ada", "2")
			s.settled(1)
			if launched != 0 || len(d.wasAsked()) != 2 {
				t.Errorf("launched %d times; the model was asked %q", launched, d.wasAsked())
			}
			s.say("a", "3", "/confirm")
			s.settled(1)
			if launched != 1 {
				t.Errorf("launched %d times", launched)
			}
		})
	}
}

func TestTheAnswerToAReactionRepliesToNothingWhileItIsWritten(t *testing.T) {
	s := newDialogue(t, &dialogue{replies: []string{asking, "Shipping it now, which takes a while."}})
	now := time.Now()
	var calls atomic.Int64
	s.Now = func() time.Time { return now.Add(time.Duration(calls.Add(1)) * time.Second) } // so that it is shown as it is written
	s.start()
	s.say("a", "1", "shall we?")
	s.settled(1)
	s.choose("✅", "ada", "2")
	s.settled(1)
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	last := s.room.posts[len(s.room.posts)-1]
	if last.Text != "Shipping it now, which takes a while." || last.ReplyTo != "" || s.room.edits == 0 {
		t.Errorf("the last post is %+v, after %d edits", last, s.room.edits)
	}
}

func TestInAGroupWithAJudgeTheAnswerToAPromptIsNotJudged(t *testing.T) {
	s := newDialogue(t, &dialogue{replies: []string{"Shipped."}})
	s.Judges = func(platform.Message) bool { return true }
	s.Judge = say("IGNORE")
	err := s.Store.AddPrompt(t.Context(), store.Prompt{
		Key: "k", Room: message("a", "", "").Room, Question: "Ship it?", Choices: []string{"👍", "👎"}, Listed: true, Expires: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.start()
	s.say("a", "1", "1")
	s.settled(1)
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "Shipped." {
		t.Errorf("posts are %q", got)
	}
}
