package turn

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
)

func TestTheFastModelSaysWhatAReplyIs(t *testing.T) {
	long := strings.Repeat("This is what I found. ", 30)
	tests := []struct {
		name, reply, verdict string
		err                  error
		want                 output.Type
		why                  string
	}{
		{"as it sees it", "Ich sehe gleich nach.", `{"type": "blocker", "reason": "it waits"}`, nil, output.Blocker, "fast model: it waits"},
		{"if its answer is one", "The capital of France is Paris.", "That is a status update.", nil, output.Completion, "rules: nothing says that it is not an answer"},
		{"if it answers", "Do you want A or B?", "", errors.New("it is gone"), output.Question, "rules: it ends with a question"},
		{"but a long reply is worth being read", long, `{"type": "status update", "reason": "progress"}`, nil, output.Completion, "a status update that is long enough to be an answer; fast model: progress"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t, storetest.Dir(t), say(test.reply))
			s.Classifier = script(func(_ context.Context, asked string) (string, error) {
				if !strings.Contains(asked, strings.TrimSpace(test.reply)) {
					t.Errorf("it was asked about %q", asked)
				}
				return test.verdict, test.err
			})
			s.start()
			s.say("a", "1", "hi")
			s.settled(1)
			turn := s.turns("1")[0]
			if turn.Output != string(test.want) || turn.OutputWhy != test.why {
				t.Errorf("it is %q (%s)", turn.Output, turn.OutputWhy)
			}
			if got := strings.Join(s.room.texts("a"), " "); got != strings.TrimSpace(test.reply) {
				t.Errorf("posts are %q", got)
			}
		})
	}
}

func TestAReplyIsStoredBeforeItIsClassified(t *testing.T) {
	asked := 0
	m := script(func(context.Context, string) (string, error) { asked++; return "The disk is full.", nil })
	first := newStage(t, storetest.Dir(t), m)
	dying, kill := context.WithCancel(t.Context())
	first.Classifier = script(func(ctx context.Context, _ string) (string, error) { kill(); return "", ctx.Err() })
	if _, err := first.Store.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
		t.Fatal(err)
	}
	turn, err := first.Store.NextTurn(t.Context(), "test/a")
	for err == nil && turn.Stage != store.Settled {
		err = first.Step(dying, turn)
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the process died with %v", err)
	}
	second := newStageOn(t, first.Store, first.room, m)
	second.start()
	second.settled(1)
	if got := second.room.texts("a"); len(got) != 1 || asked != 1 {
		t.Errorf("posts are %q, the model was asked %d times", got, asked)
	}
}

func TestWhatHappenedCountsMoreThanWhatAReplySays(t *testing.T) {
	later := action.Define(action.Spec{Name: "later", Category: "defer", Quiet: true}, func(context.Context, action.Call, struct{}) action.Outcome {
		return action.Done("put off")
	})
	times := 0
	tests := []struct {
		name, reply, said string
		want              output.Type
	}{
		{"an action that waits to be confirmed asks", "I'll look into it now. " + block(`{"type":"launch"}`), "hi", output.Question},
		{"so does a prompt", "Let me check. " + block(`{"type":"reactionPrompt","question":"Which?","choices":["👍","👎"]}`), "hi", output.Question},
		{"what was put off is not to be done now", "I'll look into it now. " + block(`{"type":"later"}`), "hi", output.Completion},
		{"Aside itself has answered", "", "/missed", output.Completion},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newDialogue(t, &dialogue{replies: []string{test.reply}}, launch(&times), later)
			s.Continues = func(*store.Turn) int { return 3 }
			s.start()
			s.say("a", "1", test.said)
			s.settled(1)
			turns := s.turns("1")
			if len(turns) != 1 || turns[0].Output != string(test.want) || turns[0].OutputWhy == "" {
				t.Errorf("%d turns, the first is %q (%s)", len(turns), turns[0].Output, turns[0].OutputWhy)
			}
		})
	}
}
