package mark_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/mark"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
	"github.com/asidehq/aside/platform"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

func TestAMessageThatNobodyTakesUpSaysSoAndIsMended(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.arrive(room("a"), "m1", "", false)
		w.look(29 * time.Second)
		w.stands("m1", "👀")
		w.look(time.Second)
		w.stands("m1", "😱")
		w.arrive(room("a"), "m2", "", false)
		w.look(time.Second)
		w.stands("m2", "👀")
		w.claim()
		turn := w.begin("a")
		w.stands("m1", "🤔")
		w.settle(turn, said)
		w.stands("m1", "🏆")
		w.look(time.Hour) // behind one that is worked on
		w.stands("m2", "👀")
		w.settle(w.begin("a"), end{})
		w.stands("m2", "👍")
	})
}

// Two processes share a PostgreSQL. One is killed in the middle of a turn, and the other
// has no room for its session: the eyes do not stand there for hours.
func TestTheOtherProcessSaysThatOneIsDead(t *testing.T) {
	for _, one := range []bool{false, true} {
		t.Run(map[bool]string{false: "reactor", true: "marker"}[one], func(t *testing.T) {
			url := postgres.Server(t).Database(t)
			here := newWorld(t, url, "", one)
			there := newProcess(t, url, "", one, here.fake, here.clock)
			defer func() { here.check(here.store.Close()) }()
			defer there.close()
			here.check(here.store.Begin(t.Context(), time.Hour))
			there.check(there.store.Begin(t.Context(), time.Hour))

			here.receive("a", "m1", "")
			here.begin("a")
			here.stands("m1", "🤔")
			here.receive("a", "m2", "")
			here.stands("m2", "👀")
			there.look(time.Hour) // a process that lives is only busy
			there.stands("m2", "👀")
			here.fake.fail(doneHangs)
			here.receive("a", "m3", "")
			<-here.fake.hung // 👀 is there, and whoever put it there is about to die
			here.crash()

			there.check(there.store.Beat(t.Context(), 0)) // the other one has been silent for long enough
			there.look(29 * time.Second)
			there.stands("m1", "🤔")
			there.look(time.Second)
			for _, message := range []string{"m1", "m2", "m3"} {
				there.stands(message, "😱")
			}
			there.claim()
			for _, message := range []string{"m1", "m2", "m3"} {
				turn := there.begin("a")
				there.stands(message, "🤔")
				there.settle(turn, said)
				there.stands(message, "🏆")
			}
		})
	}
}

func TestAProcessThatWasThoughtDeadReplacesNoFinalMark(t *testing.T) {
	for _, one := range []bool{false, true} {
		t.Run(map[bool]string{false: "reactor", true: "marker"}[one], func(t *testing.T) {
			url := postgres.Server(t).Database(t)
			here := newWorld(t, url, "", one)
			there := newProcess(t, url, "", one, here.fake, here.clock)
			defer here.close()
			defer there.close()
			here.check(here.store.Begin(t.Context(), time.Hour))
			there.check(there.store.Begin(t.Context(), time.Hour))
			here.receive("a", "m1", "")
			here.stands("m1", "👀")
			turn := here.begin("a")
			here.stands("m1", "🤔")

			there.check(there.store.Beat(t.Context(), 0))
			there.claim()
			there.settle(there.begin("a"), dead)
			there.stands("m1", "😱")
			// The first one wakes up, and has not heard of it.
			here.keeper.Want(mark.Wanted{Message: turn.Number, Room: turn.Message.Room, Stands: "m1", Mark: mark.Received, Fresh: true})
			here.keeper.Begin(mark.Wanted{Message: turn.Number, Room: turn.Message.Room, Stands: "m1"}, here.clock.Now())
			here.stands("m1", "😱")
			here.crash() // and forgets everything
			here.start()
			here.keeper.Want(mark.Wanted{Message: turn.Number, Room: turn.Message.Room, Stands: "m1", Mark: mark.Received, Fresh: true})
			here.stands("m1", "😱")
			here.look(time.Hour)
			here.stands("m1", "😱")
		})
	}
}

func TestAFinalMarkOfADeadProcessIsShownByOneThatLives(t *testing.T) {
	url := postgres.Server(t).Database(t)
	here := newWorld(t, url, "", false)
	there := newProcess(t, url, "", false, here.fake, here.clock)
	defer func() { here.check(here.store.Close()) }()
	defer there.close()
	here.receive("a", "m1", "")
	turn := here.begin("a")
	here.stands("m1", "🤔")
	here.fake.fail(hangs)
	here.settle(turn, said)
	<-here.fake.hung
	here.crash()
	there.look(time.Second)
	there.stands("m1", "🤔") // it may still be on its way
	there.look(time.Minute)
	there.stands("m1", "🏆")
}

// The web page's marks stand in the store, and change with what they tell of; those of other
// platforms beside them do not.
func TestMarksOfTheWebPage(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			url := engine
			if engine == "postgres" {
				url = postgres.Server(t).Database(t)
			}
			w := newWorld(t, url, t.TempDir(), false)
			defer w.close()
			lobby := platform.Room{Platform: "web", ID: "lobby"}
			w.receive("elsewhere", "x1", "")
			w.receive("elsewhere", "x1-changed", "x1")
			w.stands("x1", "👀")
			w.settle(w.begin("elsewhere"), dead)
			w.stands("x1", "👀") // of the change
			w.settle(w.begin("elsewhere"), said)
			w.stands("x1", "🏆")
			w.arrive(lobby, "m1", "", false)
			w.arrive(lobby, "m2", "", false)
			w.is("m1 received", "m2 received")
			w.look(30 * time.Second)
			w.is("m1 stalled", "m2 stalled")
			w.look(30 * time.Second)
			w.claim()
			turn := w.beginIn(lobby)
			w.keeper.Rest()
			w.is("m1 processing", "m2 stalled")
			w.settle(turn, said)
			w.is("m1 complete", "m2 stalled")
			turn = w.beginIn(lobby)
			w.settle(turn, end{ask: true})
			w.keeper.Rest()
			w.is("m1 complete", "m2 ")
			w.arrive(lobby, "m3", "", true)
			w.settle(w.beginIn(lobby), end{output: "error"})
			w.is("m1 complete", "m2 ", "m3 error")
			if w.changes < 3 {
				t.Errorf("the page was told %d times", w.changes)
			}
			events, err := store.Web{Store: w.store}.Events(t.Context(), "lobby", 0, 100)
			w.check(err)
			var kinds []string
			for _, e := range events {
				kinds = append(kinds, e.Kind)
			}
			if got := fmt.Sprint(kinds[len(kinds)-3:]); got != "[post mark settled]" {
				t.Errorf("the last events are %s", got)
			}
		})
	}
}

// is fails the test if the marks in the lobby are others.
func (w *world) is(want ...string) {
	w.t.Helper()
	entries, err := store.Web{Store: w.store}.Entries(context.Background(), "lobby", "", 100)
	w.check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.ID+" "+e.Mark)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Errorf("the marks are %q, want %q", got, want)
	}
}
