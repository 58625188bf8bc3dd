package later_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	actions "github.com/asidehq/aside/catalogue/later"
	"github.com/asidehq/aside/internal/errandtest"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

func TestADeferralIsDoneWhenItIsDueAndOnce(t *testing.T) {
	d := newDesk(t)
	d.is(d.does("ada", "1", inTen), "done: defer-1 will be done in this room at 12:10:00 UTC on 1 March 2026")
	if next, err := d.book.Next(t.Context()); err != nil || next.Sub(d.Clock.Now()) != 10*time.Minute {
		t.Errorf("it rings at %v, %v", next, err)
	}
	d.Model.Answers(theOven, "Ada, the oven is on.")
	d.passes(10*time.Minute - time.Microsecond)
	if len(d.Model.Asked(theOven)) != 0 {
		t.Error("it is done too early")
	}
	d.passes(time.Microsecond)
	d.passes(0)
	d.Settled("defer-1")
	d.passes(time.Hour)
	if next, err := d.book.Next(t.Context()); err != nil || !next.IsZero() {
		t.Errorf("it rings again at %v, %v", next, err)
	}
	got := d.Hall.Texts("a")
	if len(got) != 2 || got[1] != "Ada, the oven is on." {
		t.Errorf("there stands %q", got)
	}
	asked := d.Model.Asked(theOven)
	const want = "[defer-1: something that was put off. ada asked for it at 12:00 UTC on 1 March 2026. It was due at 12:10 UTC on 1 March 2026. " +
		"Nobody has written anything just now: do what is asked below, and write what the room is to read.]\n\n" + theOven
	if !slices.Equal(asked, []string{want}) {
		t.Errorf("the model was asked %q", asked)
	}
	d.is(d.state(actions.Deferral, 1), "done")
	if all, err := d.book.List(t.Context(), actions.Deferral); err != nil || len(all) != 0 {
		t.Errorf("the list has %+v, %v", all, err)
	}
	d.is(d.does("ada", "2", inTen), "done: defer-2 will be done in this room at 13:20:00 UTC on 1 March 2026")
}

// What is due stands in the store and nowhere else.
func TestATimerIsNotLostWithTheProcess(t *testing.T) {
	for _, test := range []struct {
		name  string
		down  time.Duration
		asked string // what the model is told about it
		shown string
	}{
		{"it comes back before", time.Minute, "It was due at 12:10 UTC on 1 March 2026. Nobody", "The oven is on."},
		{"it comes back a little later", 40 * time.Minute, "and is 30 minutes late, because Aside was not running or not reachable; say so. Nobody", "The oven is on."},
		{"it comes back much later", 26 * time.Hour, "and is 1 day 1 hour late", "(This was due at 12:10 UTC on 1 March.)\n\nThe oven is on."},
	} {
		t.Run(test.name, func(t *testing.T) {
			opt := errandtest.Options{Dir: storetest.Dir(t), Clock: errandtest.NewClock(), Hall: errandtest.NewHall(), Model: &errandtest.Model{}}
			opt.Model.Answers(theOven, "The oven is on.")
			first := prepare(t, opt)
			first.Start()
			first.does("ada", "1", inTen)
			first.Stop()
			if err := first.Store.Close(); err != nil {
				t.Fatal(err)
			}
			opt.Clock.Move(test.down)
			second := prepare(t, opt)
			second.Start()
			second.passes(0)
			second.passes(max(0, 10*time.Minute-test.down))
			second.Settled("defer-1")
			if asked := opt.Model.Asked(theOven); len(asked) != 1 || !strings.Contains(asked[0], test.asked) {
				t.Errorf("the model was asked %q", asked)
			}
			if got := opt.Hall.Texts("a"); len(got) != 2 || got[1] != test.shown {
				t.Errorf("there stands %q", got)
			}
		})
	}
}

func TestOfManyProcessesOneBegins(t *testing.T) {
	url := postgres.Server(t).Database(t)
	opt := errandtest.Options{Database: url, Clock: errandtest.NewClock(), Hall: errandtest.NewHall(), Model: &errandtest.Model{}}
	here, there := prepare(t, opt), prepare(t, opt)
	here.Start()
	there.Start()
	here.does("ada", "1", inTen)
	here.does("ada", "2", byHour)
	opt.Clock.Move(time.Hour)
	var ringing sync.WaitGroup
	for range 5 {
		for _, d := range []*desk{here, there} {
			ringing.Go(func() {
				if err := d.book.Ring(context.Background(), opt.Clock.Now()); err != nil {
					t.Error(err)
				}
			})
		}
	}
	ringing.Wait()
	here.Settled("defer-1")
	here.Settled("loop-1/1")
	if n, rounds := len(opt.Model.Asked(theOven)), opt.Model.Asked("Look at the build."); n != 1 || len(rounds) != 1 {
		t.Errorf("the deferral was done %d times, the loop %d", n, len(rounds))
	}
}

func TestWhoMayNotAnyMoreGetsNothingDoneAndTheListSaysWhy(t *testing.T) {
	d := newDesk(t)
	d.Engine.Barred = func(_ context.Context, turn *store.Turn) (string, error) {
		if may, _ := d.Hall.May(t.Context(), turn.Message.Author.ID, platform.SendMessages, turn.Message.Room); !may {
			return "the person may not write in that room any more", nil
		}
		return "", nil
	}
	d.does("ada", "1", inTen)
	d.does("ada", "2", byHour)
	d.Hall.Deny("ada", platform.SendMessages, "a", true)
	d.passes(time.Hour)
	d.Settled("defer-1")
	d.Settled("loop-1/1")
	if got := d.Hall.Texts("a"); len(got) != 2 || len(d.Model.Asked(theOven)) != 0 {
		t.Errorf("there stands %q", got)
	}
	d.is(d.state(actions.Deferral, 1), "barred, the person may not write in that room any more")
	d.is(d.state(actions.Loop, 1), "paused, the person may not write in that room any more")
	d.Hall.Deny("ada", platform.SendMessages, "a", false)
	d.passes(24 * time.Hour) // it does not begin again by itself
	d.is(d.state(actions.Loop, 1), "paused, the person may not write in that room any more")
	if n := len(d.Model.Asked("Look at the build.")); n != 0 {
		t.Errorf("there were %d rounds", n)
	}
	for kind, want := range map[actions.Kind]int{actions.Deferral: 1, actions.Loop: 1} {
		if all, err := d.book.List(t.Context(), kind); err != nil || len(all) != want {
			t.Errorf("the list of %s has %+v, %v", kind, all, err)
		}
	}
	d.passes(time.Hour) // what came to nothing is told of for a day
	if all, err := d.book.List(t.Context(), actions.Deferral); err != nil || len(all) != 0 {
		t.Errorf("the list has %+v, %v", all, err)
	}
}

func TestADeferralThatFailsSaysSo(t *testing.T) {
	d := newDesk(t)
	d.does("ada", "1", inTen)
	d.Model.Does(theOven, func(context.Context) (string, error) { return "", context.DeadlineExceeded })
	d.passes(10 * time.Minute)
	d.Settled("defer-1")
	d.is(d.state(actions.Deferral, 1), "failed, The model could not answer. Try again.")
}

func TestALongAnswerOfADeferralIsSplit(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("All work and no play makes a long reply. ", 200)) // 2,000 characters fit
	d := newDesk(t)
	d.does("ada", "1", inTen)
	d.Model.Answers(theOven, long)
	d.passes(10 * time.Minute)
	d.Settled("defer-1")
	got := d.Hall.Texts("a")[1:]
	if len(got) < 5 || strings.Join(got, " ") != long {
		t.Errorf("%d parts: %q", len(got), got)
	}
}
