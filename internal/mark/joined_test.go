package mark_test

import (
	"context"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// pause is how long a burst waits for more.
const pause = time.Second

// burst has a person say one thing in several messages.
func (w *world) burst(session string, ids ...string) {
	w.t.Helper()
	for _, id := range ids {
		_, err := w.store.ReceiveAs(context.Background(),
			platform.Message{Room: room(session), ID: id, Text: "hi", Author: platform.Person{ID: "ada"}, At: w.clock.Now()}, store.Handling{Debounce: pause}, true)
		w.check(err)
	}
}

// beginBurst takes a burst up when it is over.
func (w *world) beginBurst(session string) *store.Turn {
	w.t.Helper()
	w.clock.pass(2 * pause)
	w.claim()
	turn := w.begin(session)
	if turn == nil {
		w.t.Fatalf("nothing is due in %s", session)
	}
	return turn
}

func TestEachMessageOfABurstHasTheMarkOfItsAnswer(t *testing.T) {
	tests := []struct {
		name string
		end  end
		want []string
	}{
		{"a reply", said, []string{"🏆"}},
		{"no words", end{}, []string{"👍"}},
		{"a reply that was refused", dead, []string{"😱"}},
		{"the model failed", end{failure: "The model could not answer.", posts: said.posts}, []string{"😱"}},
		{"a question", end{output: "question", posts: said.posts}, nil},
	}
	each(t, func(t *testing.T, w *world) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				w := w.in(t)
				first, second, third := test.name+" 1", test.name+" 2", test.name+" 3"
				w.burst("a", first, second, third)
				w.stands(third, "👀")
				w.settle(w.beginBurst("a"), test.end)
				for _, id := range []string{first, second, third} {
					w.stands(id, test.want...)
				}
			})
		}
	})
}

func TestABurstThatIsStoppedBeforeItBeginsKeepsNoEyes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.burst("a", "m1", "m2")
		w.stands("m2", "👀")
		w.check(w.store.StopWaiting(context.Background(), room("a").String()))
		w.stands("m1", "👍")
		w.stands("m2", "👍")
	})
}

func TestEachMessageOfABurstHasItsMarkBackWhenAPersonHasAnswered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.burst("a", "m1", "m2")
		asking := w.beginBurst("a")
		w.settle(asking, end{ask: true, output: "question", why: store.AsksToConfirm, posts: said.posts})
		w.stands("m1")
		w.stands("m2")
		w.receive("a", "m3", "")
		answer := w.begin("a")
		actions, err := w.store.Actions(ctx, asking.ID)
		w.check(err)
		actions[0].State, actions[0].Summary = store.Refused, "the person said no"
		answer.Problems, answer.Timings = []byte("[]"), []byte("{}")
		w.check(w.store.SaveReply(ctx, answer, store.Reply{Over: actions}))
		w.check(w.store.Settle(ctx, answer, nil))
		w.stands("m1", "🏆")
		w.stands("m2", "🏆")
	})
}
