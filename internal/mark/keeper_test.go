package mark_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
)

// each runs a test on a platform of each kind.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	for _, one := range []bool{false, true} {
		t.Run(map[bool]string{false: "reactor", true: "marker"}[one], func(t *testing.T) {
			w := newWorld(t, "sqlite", storetest.Dir(t), one)
			defer w.close()
			test(t, w)
		})
	}
}

var (
	said = end{posts: []store.PostState{store.Delivered}}
	dead = end{posts: []store.PostState{store.Dead}}
)

func TestAMarkFollowsItsMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		w.stands("m1", "👀")
		turn := w.begin("a")
		w.stands("m1", "🤔")
		w.settle(turn, said)
		w.stands("m1", "🏆")
		if got := fmt.Sprint(w.fake.history()); got != "[m1 👀 m1 🤔 m1 🏆]" {
			t.Errorf("what was put there is %s", got)
		}
	})
}

func TestEveryEndHasItsMark(t *testing.T) {
	tests := []struct {
		name string
		end  end
		want []string
	}{
		{"a reply", said, []string{"🏆"}},
		{"no words", end{}, []string{"👍"}},
		{"a post that was taken back", end{posts: []store.PostState{store.Withdrawn}}, []string{"👍"}},
		{"a reply that was refused", dead, []string{"😱"}},
		{"a reply that came too late", end{posts: []store.PostState{store.Delivered, store.Late}}, []string{"😱"}},
		{"the model failed and said so: an apology is no success", end{failure: "The model could not answer.", posts: said.posts}, []string{"😱"}},
		{"stopped by a person", end{failure: store.StoppedByPerson, posts: said.posts}, []string{"🏆"}},
		{"a blocker", end{output: "blocker", posts: said.posts}, []string{"😱"}},
		{"a question", end{output: "question", posts: said.posts}, nil},
		{"an action that waits", end{ask: true, posts: said.posts}, nil},
		{"not for the agent", end{output: mark.PassedOver}, nil},
	}
	each(t, func(t *testing.T, w *world) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				w := w.in(t)
				w.receive("a", test.name, "")
				w.settle(w.begin("a"), test.end)
				w.stands(test.name, test.want...)
			})
		}
	})
}

func TestALateMarkNeverReplacesAFinalOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		turn := w.begin("a")
		late := mark.Wanted{Message: turn.Number, Room: turn.Message.Room, Stands: "m1"}
		w.settle(turn, said)
		w.keeper.Begin(late, w.clock.Now()) // perhaps while the trophy is on its way
		w.stands("m1", "🏆")
		w.keeper.Begin(late, w.clock.Now())
		w.stands("m1", "🏆")
		late.Mark = mark.Received
		w.keeper.Want(late)
		w.stands("m1", "🏆")
		w.crash()
		w.start()
		w.keeper.Begin(late, w.clock.Now())
		w.stands("m1", "🏆")
	})
}

func TestAFollowUpIsNotTheEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		w.settle(w.begin("a"), end{tell: "[results]", posts: said.posts})
		w.stands("m1", "🤔")
		w.settle(w.begin("a"), end{failure: "The model could not answer."})
		w.stands("m1", "😱")
	})
}

func TestAMessageBehindAnotherOneKeepsItsEyes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		turn := w.begin("a")
		w.receive("a", "m2", "")
		w.look(time.Hour) // its session has an owner, who is busy
		w.stands("m1", "🤔")
		w.stands("m2", "👀")
		w.settle(turn, said)
		w.settle(w.begin("a"), end{})
		w.stands("m1", "🏆")
		w.stands("m2", "👍")
	})
}

func TestAChangedMessageHasOneMark(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		first := w.begin("a")
		w.receive("a", "m1-edit", "m1")
		w.stands("m1", "👀")
		w.keeper.Begin(mark.Wanted{Message: first.Number, Room: first.Message.Room, Stands: "m1"}, w.clock.Now())
		w.stands("m1", "👀") // of the change, which waits
		w.settle(first, dead)
		w.stands("m1", "👀")
		w.crash()
		w.start()
		w.settle(w.begin("a"), said)
		w.stands("m1", "🏆")
		w.receive("a", "m1-again", "m1")
		w.stands("m1", "👀")
	})
}

func TestAnAnswerThatIsSentAgainHasItsTrophyInTheEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		w.settle(w.begin("a"), dead)
		w.stands("m1", "😱")
		_, _, err := w.store.Requeue(t.Context(), "turn-1-post-0", true)
		w.check(err)
		turn := w.begin("a")
		w.stands("m1", "😱")
		posts, err := w.store.Posts(t.Context(), turn.ID)
		w.check(err)
		posts[0].State = store.Delivered
		w.check(w.store.Settle(t.Context(), turn, posts))
		w.stands("m1", "🏆")
	})
}

func TestTheMarkComesBackWhenAPersonHasAnswered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		w.settle(w.begin("a"), end{ask: true, posts: said.posts})
		w.stands("m1")
		asked, err := w.store.Asked(t.Context(), room("a").String(), "ada", "")
		w.check(err)
		asked[0].State = store.Refused
		w.receive("a", "m2", "")
		turn := w.begin("a")
		turn.Problems, turn.Timings = []byte("[]"), []byte("{}")
		w.check(w.store.SaveReply(t.Context(), turn, store.Reply{Over: asked}))
		w.stands("m1", "🏆")
	})
}

func TestWhatTheAgentHasPutThereItselfStays(t *testing.T) {
	tests := []struct {
		name, emoji  string
		several, one []string
	}{
		{"an emoji of its own", "🎉", []string{"🎉", "🏆"}, []string{"🎉"}},
		{"one that is a mark elsewhere", "👀", []string{"🏆", "👀"}, []string{"👀"}},
		{"the very mark", "🏆", []string{"🏆"}, []string{"🏆"}},
	}
	each(t, func(t *testing.T, w *world) {
		for i, test := range tests {
			want := test.several
			if w.one {
				want = test.one
			}
			want = slices.Sorted(slices.Values(want))
			first, second := fmt.Sprint(i, "first"), fmt.Sprint(i, "second")
			w.receive("a", first, "")
			e := said
			e.react = test.emoji
			w.settle(w.begin("a"), e)
			w.stands(first, want...)
			w.receive("a", second, "")
			turn := w.begin("a")
			w.crash() // between the reaction and the mark
			w.settle(turn, e)
			w.start()
			w.stands(second, want...)
		}
	})
}

func TestFaultsOfThePlatform(t *testing.T) {
	tests := []struct {
		name   string
		faults []fault
	}{
		{"it was done and the answer was lost", []fault{answered, answered}},
		{"it did not arrive", []fault{lost, lost, failed}},
		{"it asks to wait", []fault{limited, limited, limited}},
		{"everything at once", []fault{answered, limited, lost, failed, answered, lost, limited}},
	}
	each(t, func(t *testing.T, w *world) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				w := w.in(t)
				w.fake.fail(test.faults...)
				w.receive("a", test.name, "")
				w.stands(test.name, "👀")
				turn := w.begin("a")
				w.fake.fail(test.faults...)
				w.settle(turn, said)
				w.stands(test.name, "🏆")
			})
		}
	})
}

func TestAPlatformThatAsksToWaitIsNotAskedBefore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fake.fail(limited, limited)
		before := w.clock.Now()
		w.receive("a", "m1", "")
		w.stands("m1", "👀")
		if took := w.clock.Now().Sub(before); took < 4*time.Second || w.fake.calls != 3 {
			t.Errorf("it was asked %d times in %v", w.fake.calls, took)
		}
	})
}

func TestAMarkThatIsRefusedLeavesNoFalseOneAndIsToldOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, id := range []string{"m1", "m2"} {
			w.receive("a", id, "")
			w.stands(id, "👀")
			turn := w.begin("a")
			w.stands(id, "🤔")
			w.fake.fail(refused) // the trophy
			w.settle(turn, said)
			w.stands(id)
			got, ok, err := store.Marks{Store: w.store}.Mark(t.Context(), turn.Number)
			if err != nil || !ok || got.Mark != mark.Refused || !got.Shown {
				t.Errorf("the book says %+v, %v", got, err)
			}
		}
		if n := strings.Count(w.log.String(), "a mark was refused"); n != 1 {
			t.Errorf("it was told %d times:\n%s", n, w.log)
		}
		calls := w.fake.calls
		w.crash()
		w.start()
		w.look(time.Hour)
		w.keeper.Rest()
		if w.fake.calls != calls {
			t.Error("the platform was asked again after it had refused")
		}
	})
}

func TestAMarkIsGivenUpInTheEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		w.stands("m1", "👀")
		turn := w.begin("a")
		w.stands("m1", "🤔")
		w.fake.fail(slices.Repeat([]fault{failed}, 1000)...)
		w.settle(turn, said)
		w.keeper.Rest()
		got, _, err := store.Marks{Store: w.store}.Mark(t.Context(), turn.Number)
		if err != nil || got.Mark != mark.GivenUp {
			t.Errorf("the book says %+v, %v", got, err)
		}
		if passed := w.clock.Now().Sub(noon); passed < time.Hour || passed > 2*time.Hour {
			t.Errorf("it was given up after %v", passed)
		}
	})
}

func TestAFinalMarkThatADeadProcessOwesIsShownByTheNext(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		w.stands("m1", "👀")
		turn := w.begin("a")
		w.stands("m1", "🤔")
		w.fake.fail(doneHangs) // the trophy stands, beside what was there
		w.settle(turn, said)
		<-w.fake.hung
		w.crash()
		w.start()
		w.stands("m1", "🏆")
		calls := w.fake.calls
		w.crash()
		w.start()
		w.look(time.Hour)
		w.keeper.Rest()
		if w.fake.calls != calls {
			t.Error("a mark that stands was brought there again")
		}
	})
}

// An unreadable book cannot be read once.
type unreadable struct {
	mark.Book
	times atomic.Int64
}

func (b *unreadable) Unshown(ctx context.Context, before time.Time) ([]mark.Wanted, error) {
	if b.times.Add(1) == 1 {
		return nil, errors.New("the store is busy")
	}
	return b.Book.Unshown(ctx, before)
}

func TestWhatADeadProcessOwesIsShownSoonThoughItCouldNotBeReadAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.receive("a", "m1", "")
		turn := w.begin("a")
		w.stands("m1", "🤔")
		w.fake.fail(hangs)
		w.settle(turn, said)
		<-w.fake.hung
		w.crash()
		w.clock.pass(time.Second)
		w.around = func(b mark.Book) mark.Book { return &unreadable{Book: b} }
		w.start()
		w.look(mark.LookEvery)
		w.stands("m1", "🏆")
	})
}

func TestPlatformsThatCannotReactHaveNoMarks(t *testing.T) {
	w := newWorld(t, "sqlite", storetest.Dir(t), false)
	defer w.close()
	w.crash()
	w.on = plain{w.fake}
	w.start()
	w.receive("a", "m1", "")
	if _, ok, err := (store.Marks{Store: w.store}).Mark(t.Context(), 1); ok || err != nil {
		t.Errorf("there is a mark: %v", err)
	}
	w.settle(w.begin("a"), said)
	w.keeper.Rest()
	if w.fake.calls != 0 {
		t.Error("the platform was asked")
	}
}

// plain can neither react nor mark.
type plain struct{ *fake }
