package turn

import (
	"context"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

func TestWhereAModelJudgesOnlyWhatIsForTheAgentIsAnswered(t *testing.T) {
	tests := []struct {
		name    string
		verdict string
		err     error
		change  func(*platform.Message)
		why     string // nobody answers; "" if somebody does
	}{
		{"it is", "RESPOND", nil, nil, ""},
		{"it is not", "IGNORE", nil, nil, judgedIgnore},
		{"the agent is to be quiet", "STOP", nil, nil, judgedStop},
		{"a word in a sentence is no verdict", "do NOT respond", nil, nil, judgedIgnore},
		{"nobody can judge", "", &model.Error{Kind: model.Unavailable, Message: "away"}, nil, ""},
		{"the judge breaks off", "IGN", &model.Error{Kind: model.Unavailable, Message: "away"}, nil, ""},
		{"a mention needs no judge", "STOP", nil, func(m *platform.Message) { m.Mentioned = true }, ""},
		{"neither does a direct chat", "IGNORE", nil, func(m *platform.Message) { m.Direct = true }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newDialogue(t, &dialogue{replies: []string{"Hello."}})
			s.Judges = func(m platform.Message) bool { return m.Room.ID == "a" }
			s.Judge = script(func(context.Context, string) (string, error) { return test.verdict, test.err })
			s.start()
			m := message("a", "1", "anyone?")
			if test.change != nil {
				test.change(&m)
			}
			if err := s.inbox.Receive(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			s.settled(1)
			if got := s.room.texts("a"); (len(got) == 0) != (test.why != "") {
				t.Errorf("posts are %q", got)
			}
			turns, err := s.Store.TurnsOf(t.Context(), "test", "1")
			if err != nil || len(turns) != 1 || turns[0].Unanswered != test.why {
				t.Errorf("the turns are %+v, %v", turns, err)
			}
		})
	}
}

func TestTheVerdictIsOneWordAndNothingElse(t *testing.T) {
	for said, want := range map[string]verdict{
		"RESPOND": respond, " **Respond.**\n": respond, "`stop`": stop, "STOP!": stop, "IGNORE": ignore,
		"do NOT respond": ignore, "RESPOND or IGNORE": ignore, "RESPONDING": ignore, "NONSTOP": ignore,
		"RESPOND\nSTOP": ignore, "yes": ignore, "": ignore, "…": ignore,
	} {
		if got := readVerdict(said); got != want {
			t.Errorf("%q is read as %s, want %s", said, got, want)
		}
	}
}

// judging is a stage in whose room a turn is under way, and a judge says what it is told to.
func judging(t *testing.T, verdict string) (s *stage, heeder *Heeder, release chan struct{}) {
	t.Helper()
	began, release := make(chan struct{}), make(chan struct{})
	s = newStage(t, storetest.Dir(t), script(func(ctx context.Context, asked string) (string, error) {
		if !strings.HasSuffix(asked, "write a poem") {
			return echo(ctx, asked)
		}
		close(began)
		select {
		case <-ctx.Done():
			return "Roses are", &model.Error{Kind: model.Cancelled, Message: "cancelled"}
		case <-release:
			return "Roses are red.", nil
		}
	}))
	s.inbox.Rules.Mode = func(platform.Message) inbox.Mode { return inbox.Judge }
	s.Judges = func(platform.Message) bool { return true }
	s.Judge = say(verdict)
	heeder = &Heeder{Engine: s.Engine, Stop: s.inbox.Stop}
	s.inbox.Heed = func(turn int64) { heeder.Heed(t.Context(), turn) }
	s.start()
	m := message("a", "1", "write a poem")
	m.Mentioned = true
	if err := s.inbox.Receive(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	<-began
	return s, heeder, release
}

func TestWhoWantsTheAgentToBeQuietStopsWhatItIsWriting(t *testing.T) {
	s, heeder, _ := judging(t, "STOP")
	s.say("a", "2", "please be quiet")
	heeder.Wait()
	s.settled(2)
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "Roses are\n\nStopped." {
		t.Errorf("posts are %q", got)
	}
	if turns, err := s.Store.TurnsOf(t.Context(), "test", "2"); err != nil || turns[0].Unanswered != judgedStop {
		t.Errorf("the turns are %+v, %v", turns, err)
	}
}

func TestWhatIsNotAboutBeingQuietStopsNothing(t *testing.T) {
	for _, verdict := range []string{"IGNORE", "RESPOND", "do not STOP"} {
		t.Run(verdict, func(t *testing.T) {
			s, heeder, release := judging(t, verdict)
			s.say("a", "2", "nice weather")
			heeder.Wait()
			close(release)
			s.settled(2)
			if got := s.room.texts("a"); len(got) == 0 || got[0] != "Roses are red." {
				t.Errorf("posts are %q", got)
			}
		})
	}
}

func TestTheJudgeIsNotAskedAheadWhereNothingIsUnderWay(t *testing.T) {
	s := newDialogue(t, &dialogue{replies: []string{"Hello."}})
	s.inbox.Rules.Mode = func(platform.Message) inbox.Mode { return inbox.Judge }
	s.inbox.Heed = func(int64) { t.Error("the judge is asked") }
	s.start()
	s.say("a", "1", "hello?")
	s.settled(1)
}
