package guild

import (
	"fmt"
	"testing"

	"github.com/asidehq/aside/platform"
)

func TestAnEventInAHiddenRoomDoesNotExist(t *testing.T) {
	hide := func() *server {
		s := newServer()
		s.Denied = map[string]bool{"see the room in 12": true}
		return s
	}
	s := hide()
	if out := run(t, s, "eventList", `{}`); string(out.Data) != `[{"id":"e2","name":"Picnic","startTime":"2026-01-12T12:00:00Z","endTime":"2026-01-12T14:00:00Z","location":"Park"}]` || out.Summary != "1 event" {
		t.Errorf("%s: %s", out.Summary, out.Data)
	}
	for name, args := range map[string]string{"eventEdit": `{"eventId":"e1","name":"a"}`, "eventDelete": `{"eventId":"e1"}`} {
		s := hide()
		if out := run(t, s, name, args); out.OK || out.Summary != "there is no event e1; eventList lists them" || len(s.calls) > 0 {
			t.Errorf("%s: %+v, %q", name, out, s.calls)
		}
	}
	s = newServer()
	s.Lost = platform.Refuse("Ada has left")
	if out := run(t, s, "eventList", `{}`); out.Summary != "1 event" {
		t.Errorf("nobody knows what Ada may see, and she sees %s", out.Data)
	}
}

func TestWhoMayNotManageEventsInARoomChangesNoneThere(t *testing.T) {
	for name, args := range map[string]string{"eventEdit": `{"eventId":"e1","name":"a"}`, "eventDelete": `{"eventId":"e1"}`} {
		s := newServer()
		s.Denied = map[string]bool{"manage events in 12": true}
		if out := run(t, s, name, args); !out.Refused || out.Summary != "you may not manage events in Lounge" || len(s.calls) > 0 {
			t.Errorf("%s: %+v, %q", name, out, s.calls)
		}
	}
}

func TestTwoEventsOfOneNameAreNotGuessedAt(t *testing.T) {
	s := newServer()
	s.events[1].Name = "movie NIGHT"
	if out := run(t, s, "eventDelete", `{"eventId":"Movie night"}`); out.OK || out.Summary != "there is more than one event Movie night; use its id" || len(s.calls) > 0 {
		t.Errorf("%+v", out)
	}
	s.events[1].Name = "e1" // an id goes first
	if out := run(t, s, "eventDelete", `{"eventId":"e1"}`); !out.OK || s.calls[0] != "delete e1 near 10" {
		t.Errorf("%+v %q", out, s.calls)
	}
}

func TestALongListOfEventsIsCut(t *testing.T) {
	s := newServer()
	s.events = nil
	for i := range 60 {
		s.events = append(s.events, platform.Event{ID: fmt.Sprint(i), Name: "x", Starts: now, Location: "Park"})
	}
	if out := run(t, s, "eventList", `{}`); out.Summary != "the first 50 of 60 events" {
		t.Errorf("%+v", out)
	}
}
