package store_test

import (
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
)

func TestOverALimitOneIsToldOnceADay(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		limit := store.Limit{Whose: "person test/ada", Most: 2, Why: "too many", Notice: "Enough for today."}
		how := store.Handling{Limits: []store.Limit{limit}}
		// said is what became of a message: how far its turn is, and what it is told.
		said := func(who string, how store.Handling) string {
			t.Helper()
			turn, err := c.Turn(t.Context(), c.says(time.Second, who, "hi", how).Turn)
			if err != nil {
				t.Fatal(err)
			}
			got := string(turn.Stage) + " " + turn.Notice
			if (turn.Unanswered != "") != (turn.Notice != "" || turn.Stage == store.Settled) {
				t.Errorf("the turn is %+v", turn)
			}
			if turn.Stage == store.Waiting {
				if turn, err = c.NextTurn(t.Context(), "test/a"); err != nil || turn == nil {
					t.Fatalf("next: %v, %v", turn, err)
				}
				settle(t, c.Store, turn)
			}
			return got
		}
		day := []string{"waiting ", "waiting ", "waiting Enough for today.", "settled ", "settled "}
		for range 2 {
			for i, want := range day {
				if got := said("ada", how); got != want {
					t.Errorf("message %d: %q, want %q", i, got, want)
				}
			}
			c.clock.add(24 * time.Hour)
		}
		if got := said("ada", store.Handling{}); got != "waiting " { // what has no limit
			t.Errorf("it is %q", got)
		}
	})
}

func TestALimitOfADayEndsAtMidnightUTC(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		how := store.Handling{Limits: []store.Limit{{Whose: "room test/a", Most: 1, Why: "too many", Notice: "Enough."}}}
		notice := func(r store.Received) string {
			t.Helper()
			turn, err := c.Turn(t.Context(), r.Turn)
			if err != nil {
				t.Fatal(err)
			}
			return turn.Notice
		}
		if got := notice(c.says(0, "ada", "noon", how)); got != "" {
			t.Errorf("it is %q", got)
		}
		if got := notice(c.says(12*time.Hour-time.Microsecond, "bob", "almost midnight", how)); got != "Enough." {
			t.Errorf("it is %q", got)
		}
		if got := notice(c.says(time.Microsecond, "ada", "midnight", how)); got != "" {
			t.Errorf("it is %q", got)
		}
	})
}

func TestWhatIsOverOneLimitCountsForNone(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		person := store.Limit{Whose: "person test/ada", Most: 3, Why: "person", Notice: "You."}
		room := store.Limit{Whose: "room test/a", Most: 1, Why: "room", Notice: "Room."}
		both := store.Handling{Limits: []store.Limit{person, room}}
		var notices []string
		for _, how := range []store.Handling{both, both, both, {Limits: both.Limits[:1]}, {Limits: both.Limits[:1]}, {Limits: both.Limits[:1]}} {
			turn, err := c.Turn(t.Context(), c.says(0, "ada", "hi", how).Turn)
			if err != nil {
				t.Fatal(err)
			}
			notices = append(notices, turn.Unanswered)
		}
		want := []string{"", "room", "room", "", "", "person"}
		for i := range want {
			if notices[i] != want[i] {
				t.Errorf("message %d: %q, want %q", i, notices[i], want[i])
			}
		}
	})
}

func TestABurstCountsOnceAndSilenceSaysNothing(t *testing.T) {
	eachChat(t, func(t *testing.T, c *chat) {
		limits := []store.Limit{{Whose: "room test/a", Most: 1, Why: "too many", Notice: "Enough."}}
		for range 3 {
			c.says(0, "ada", "part", store.Handling{Debounce: pause, Limits: limits})
		}
		c.clock.add(pause)
		c.answered("ada: part part part")
		for _, how := range []store.Handling{{Silent: true, Limits: limits}, {Quietly: true, Limits: limits}} {
			turn, err := c.Turn(t.Context(), c.says(0, "ada", "more", how).Turn)
			if err != nil || turn.Notice != "" || turn.Stage != store.Settled || turn.Unanswered != "too many" {
				t.Errorf("the turn is %+v, %v", turn, err)
			}
		}
		// Who is spoken to is told, all the same.
		if turn, err := c.Turn(t.Context(), c.says(0, "ada", "more", store.Handling{Limits: limits}).Turn); err != nil || turn.Notice != "Enough." {
			t.Errorf("the turn is %+v, %v", turn, err)
		}
	})
}
