package later_test

import (
	"context"
	"strings"
	"testing"
	"time"

	actions "github.com/asidehq/aside/catalogue/later"
	"github.com/asidehq/aside/platform"
)

func TestWhoMaySeeAndCancelWhat(t *testing.T) {
	d := newDesk(t)
	d.does("ada", "1", inTen)
	d.does("ada", "2", `{"type":"defer","delaySeconds":60,"prompt":"Secret.","channel":"cellar"}`)
	d.does("ada", "3", byHour)
	d.Hall.Deny("bob", platform.ViewRoom, "cellar", true)
	d.Hall.Deny("bob", platform.ManageRooms, "a", true)
	d.Hall.Deny("bob", platform.ManageRooms, "cellar", true)

	lists := func(who, id, name string) string {
		t.Helper()
		d.does(who, id, `{"type":"`+name+`"}`)
		return string(d.Ledger(id)[0].Data)
	}
	if got := lists("ada", "4", "deferList"); !strings.Contains(got, "defer-1") || !strings.Contains(got, "Secret.") {
		t.Errorf("ada sees %s", got)
	}
	if got := lists("bob", "5", "deferList"); !strings.Contains(got, `"id":"defer-1"`) || strings.Contains(got, "Secret.") || !strings.Contains(got, `"by":"ada"`) {
		t.Errorf("bob sees %s", got)
	}
	if got := lists("bob", "6", "loopList"); !strings.Contains(got, `"label":"build"`) || !strings.Contains(got, `"every":"1 hour"`) || !strings.Contains(got, `"next":"2026-03-01T13:00:00Z"`) {
		t.Errorf("bob sees %s", got)
	}
	for i, test := range []struct{ who, does, want string }{
		{"bob", `{"type":"deferCancel","id":"defer-1"}`, "refused: defer-1 is ada's: you may not manage channels in a"},
		{"bob", `{"type":"deferCancel","id":"defer-2"}`, "failed: deferCancel: there is no deferral defer-2; the list has those there are"},
		{"bob", `{"type":"deferCancel","id":"defer-9"}`, "failed: deferCancel: there is no deferral defer-9; the list has those there are"},
		{"bob", `{"type":"deferCancel","id":"loop-1"}`, "failed: deferCancel: there is no deferral loop-1; the list has those there are"},
		{"bob", `{"type":"deferCancel"}`, "failed: deferCancel: id is missing"},
		{"bob", `{"type":"loopCancel","id":"loop-1"}`, "refused: loop-1 is ada's: you may not manage channels in a"},
		{"eve", `{"type":"loopCancel","id":"LOOP-1"}`, "done: cancelled loop-1 (build)"}, // who manages the room
		{"eve", `{"type":"loopCancel","id":"loop-1"}`, "done: loop-1 (build) is cancelled"},
		{"ada", `{"type":"deferCancel","id":2}`, "done: cancelled defer-2"},
		{"eve", `{"type":"deferCancel","id":"defer-1"}`, "done: cancelled defer-1"},
	} {
		d.is(d.does(test.who, "c"+string(rune('a'+i)), test.does), test.want)
	}
	d.passes(24 * time.Hour)
	if n := len(d.Model.Asked("It was due at")); n != 0 {
		t.Errorf("%d were done", n)
	}
	if next, err := d.book.Next(t.Context()); err != nil || !next.IsZero() {
		t.Errorf("it rings at %v, %v", next, err)
	}
}

func TestWhatIsCancelledWhileItIsDoneSaysNothing(t *testing.T) {
	for _, test := range []struct {
		name, does, errand, cancel string
		kind                       actions.Kind
	}{
		{"a deferral", inTen, "defer-1", `{"type":"deferCancel","id":"defer-1"}`, actions.Deferral},
		{"a loop", byHour, "loop-1/1", `{"type":"loopCancel","id":"loop-1"}`, actions.Loop},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			d.does("ada", "1", test.does)
			began := make(chan struct{})
			wait := func(ctx context.Context) (string, error) {
				close(began)
				<-ctx.Done()
				return "Too late.", ctx.Err()
			}
			d.Model.Does(theOven, wait)
			d.Model.Does(theBuild, wait)
			d.passes(time.Hour)
			<-began
			// In another room: in its own the deferral is answered first.
			d.Model.Answers("cancel it", "<action>"+test.cancel+"</action>")
			if got := d.Ask("ada", "b", "2", "cancel it"); len(got) != 1 || !strings.HasSuffix(got[0].Summary, "; it was being done, and what it had done by then stays") {
				t.Fatalf("it came to %+v", got)
			}
			d.Settled(test.errand)
			if got := d.Hall.Texts("a"); len(got) != 1 {
				t.Errorf("there stands %q", got)
			}
			d.is(d.state(test.kind, 1), "cancelled, it was cancelled")
			d.passes(24 * time.Hour)
			if n := len(d.Model.Asked(theBuild)); n > 1 {
				t.Errorf("there were %d rounds", n)
			}
		})
	}
}

func TestWhatHasEndedCannotBeCancelled(t *testing.T) {
	d := newDesk(t)
	d.does("ada", "1", inTen)
	d.passes(time.Hour)
	d.Settled("defer-1")
	d.is(d.does("ada", "2", `{"type":"deferCancel","id":"defer-1"}`), "failed: deferCancel: defer-1 has ended already (done)")
}

// Who says /stop stops a deferral that is being done, like any other turn of the room.
func TestStopStopsADeferral(t *testing.T) {
	d := newDesk(t)
	d.does("ada", "1", inTen)
	began := make(chan struct{})
	d.Model.Does(theOven, func(ctx context.Context) (string, error) {
		close(began)
		<-ctx.Done()
		return "The ov", ctx.Err()
	})
	d.passes(time.Hour)
	<-began
	d.Say("ada", "a", "2", "/stop")
	d.Settled("defer-1")
	d.is(d.state(actions.Deferral, 1), "cancelled, a person has stopped it")
}
