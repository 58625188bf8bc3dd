package later_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	actions "github.com/asidehq/aside/catalogue/later"
	"github.com/asidehq/aside/internal/errandtest"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
)

const theBuild = "Look at the build."

// next is when the next round is due, since noon.
func (d *desk) next() time.Duration {
	d.t.Helper()
	next, err := d.book.Next(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return next.Sub(errandtest.NewClock().Now())
}

func TestALoopGoesRoundAndKnowsWhatItSaidBefore(t *testing.T) {
	d := newDesk(t)
	d.is(d.does("ada", "1", byHour), "done: loop-1 (build) will be done in this room every 1 hour, first at 13:00:00 UTC on 1 March 2026")
	for i := range 3 {
		d.Model.Answers(theBuild, fmt.Sprint("Green, ", i+1))
		d.passes(time.Hour)
		d.Settled(fmt.Sprintf("loop-1/%d", i+1))
	}
	if got, want := d.Hall.Texts("a")[1:], []string{"Green, 1", "Green, 2", "Green, 3"}; !slices.Equal(got, want) {
		t.Errorf("there stands %q", got)
	}
	asked := d.Model.Asked(theBuild)
	if len(asked) != 3 || !strings.HasPrefix(asked[2], "[loop-1 (build): round 3 of a loop, every 1 hour. ada asked for it at 12:00 UTC on 1 March 2026. It was due at 15:00 UTC on 1 March 2026. ") {
		t.Errorf("the model was asked %q", asked)
	}
	for i, turn := range d.Turns("loop-1/3") {
		if turn.Session != "loop/loop-1" || turn.Flow != "loop" {
			t.Errorf("turn %d is %+v", i, turn)
		}
	}
	d.is(d.state(actions.Loop, 1), "pending")
}

func TestARoundIsLeftOutWhileTheOneBeforeRuns(t *testing.T) {
	d := newDesk(t)
	d.does("ada", "1", byHour)
	began, release := make(chan struct{}), make(chan struct{})
	d.Model.Does(theBuild, func(context.Context) (string, error) {
		close(began)
		<-release
		return "Green at last.", nil
	})
	d.passes(time.Hour)
	<-began
	d.passes(time.Hour)
	d.passes(time.Hour)
	if got := d.next(); got != 4*time.Hour {
		t.Errorf("the next round is due after %v", got)
	}
	close(release)
	d.Settled("loop-1/1")
	d.Model.Answers(theBuild, "Green.")
	d.passes(time.Hour)
	d.Settled("loop-1/2")
	if n := len(d.Model.Asked(theBuild)); n != 2 {
		t.Errorf("there were %d rounds", n)
	}
}

// A loop goes by when it was due, not by when the process was started: one that is started
// again and again goes round all the same, and what it missed it makes up for once.
func TestALoopDoesNotBeginAnewWithTheProcess(t *testing.T) {
	opt := errandtest.Options{Dir: storetest.Dir(t), Clock: errandtest.NewClock(), Hall: errandtest.NewHall(), Model: &errandtest.Model{}}
	d := prepare(t, opt)
	d.Start()
	d.does("ada", "1", byHour)
	begins := func(down time.Duration) {
		t.Helper()
		d.Stop()
		if err := d.Store.Close(); err != nil {
			t.Fatal(err)
		}
		opt.Clock.Move(down)
		d = prepare(t, opt)
		d.Start()
		d.passes(0)
	}
	for range 3 { // more often than it goes round
		begins(20 * time.Minute)
	}
	d.Settled("loop-1/1")
	begins(5*time.Hour + 30*time.Minute)
	d.Settled("loop-1/2")
	if got, n := d.next(), len(opt.Model.Asked(theBuild)); got != 7*time.Hour || n != 2 {
		t.Errorf("the next round is due after %v, and there were %d", got, n)
	}
	if asked := opt.Model.Asked(theBuild); !strings.Contains(asked[1], "is 4 hours 30 minutes late") {
		t.Errorf("the model was asked %q", asked[1])
	}
}

func TestALoopThatFailsFiveTimesInARowPausesAndSaysSoOnce(t *testing.T) {
	d := newDesk(t)
	d.does("ada", "1", byHour)
	round := 0
	rounds := func(n int, fail bool) {
		for range n {
			round++
			d.Model.Does(theBuild, func(context.Context) (string, error) {
				if fail {
					return "", &model.Error{Kind: model.BadKey, Message: "The model's key is not accepted."}
				}
				return "Green.", nil
			})
			d.passes(time.Hour)
			d.Settled(fmt.Sprintf("loop-1/%d", round))
		}
	}
	rounds(4, true)
	d.is(d.state(actions.Loop, 1), "pending, the last round failed: The model's key is not accepted.")
	rounds(1, false)
	d.is(d.state(actions.Loop, 1), "pending")
	rounds(5, true)
	d.Settled("loop-1/paused")
	d.is(d.state(actions.Loop, 1), "paused, it has failed 5 times in a row: The model's key is not accepted.")
	d.passes(24 * time.Hour)
	const said = "loop-1 (build) has failed 5 times in a row and is paused: The model's key is not accepted. Cancel it with loopCancel, and create it again when that is mended."
	got := d.Hall.Texts("a")
	if n := len(d.Model.Asked(theBuild)); n != 10 || got[len(got)-1] != said || strings.Count(strings.Join(got, "\n"), "is paused") != 1 {
		t.Errorf("there were %d rounds, and there stands %q", n, got)
	}
	d.is(d.does("ada", "2", `{"type":"loopCancel","id":"1"}`), "done: cancelled loop-1 (build)")
}
