package later_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	actions "github.com/asidehq/aside/catalogue/later"
	spawns "github.com/asidehq/aside/catalogue/spawn"
	"github.com/asidehq/aside/internal/errandtest"
	"github.com/asidehq/aside/internal/later"
	"github.com/asidehq/aside/internal/spawn"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/pgtest"
	"github.com/asidehq/aside/internal/store/storetest"
)

var postgres pgtest.Shared

func TestMain(m *testing.M) { postgres.Main(m) }

// A desk is an office with a book, whose clock is rung by hand.
type desk struct {
	*errandtest.Office
	t    *testing.T
	book *later.Book
}

// prepare is newDesk without starting to work.
func prepare(t *testing.T, opt errandtest.Options) *desk {
	t.Helper()
	if opt.Database == "" && opt.Dir == "" {
		opt.Dir = storetest.Dir(t)
	}
	d := &desk{t: t}
	agents := &spawn.Agents{}
	opt.More = func(o *errandtest.Office) []*action.Spec {
		d.book = &later.Book{
			Store: o.Store, Now: o.Clock.Now, MaxDelay: 30 * time.Minute, MaxPending: 5, Await: o.Queue.Await, StopTurn: o.Engine.StopTurn,
		}
		*agents = spawn.Agents{Store: o.Store, Now: o.Clock.Now, Open: o.Queue.Open, StopTurn: o.Engine.StopTurn, Wait: pause}
		return append(actions.Specs(o.Outbox, d.book, d.book.MaxDelay), spawns.Specs(o.Outbox, agents)...)
	}
	d.Office = errandtest.New(t, opt)
	d.Engine.Ended = func(ctx context.Context, tx store.Tx, turn *store.Turn) error { return d.book.Ended(ctx, tx, turn) }
	return d
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := prepare(t, errandtest.Options{})
	d.Start()
	return d
}

// pause waits for less than it is asked to.
func pause(ctx context.Context, _ time.Duration) error {
	timer := time.NewTimer(time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// does has somebody ask for an action in room a, and returns what came of it.
func (d *desk) does(who, id, instruction string) string {
	d.t.Helper()
	d.Model.Answers(id+" please", "Right away.\n<action>"+instruction+"</action>")
	all := d.Ask(who, "a", id, id+" please")
	if len(all) != 1 {
		d.t.Fatalf("there are %d actions: %+v", len(all), all)
	}
	return string(all[0].State) + ": " + all[0].Summary
}

// is fails the test if something came to something else.
func (d *desk) is(got, want string) {
	d.t.Helper()
	if got != want {
		d.t.Errorf("it came to\n%s, want\n%s", got, want)
	}
}

// passes lets time pass, and rings.
func (d *desk) passes(by time.Duration) {
	d.t.Helper()
	d.Clock.Move(by)
	if err := d.book.Ring(d.t.Context(), d.Clock.Now()); err != nil {
		d.t.Fatal(err)
	}
}

// state is what a list says about an appointment.
func (d *desk) state(kind actions.Kind, number int) string {
	d.t.Helper()
	a, err := d.book.Find(d.t.Context(), kind, fmt.Sprint(number))
	if err != nil {
		d.t.Fatal(err)
	}
	if a.Reason == "" {
		return a.State
	}
	return a.State + ", " + a.Reason
}

const (
	inTen   = `{"type":"defer","delaySeconds":600,"prompt":"Say that the oven is on."}`
	byHour  = `{"type":"loopCreate","intervalSeconds":3600,"prompt":"Look at the build.","label":"build"}`
	theOven = "Say that the oven is on."
)

// actionKey is the key of an action's call.
func actionKey(a store.Action) string { return fmt.Sprintf("turn-%d-action-%d", a.Turn, a.Ordinal) }
