package later_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

func TestLimits(t *testing.T) {
	deferral := func(seconds string) string {
		return `{"type":"defer","delaySeconds":` + seconds + `,"prompt":"x"}`
	}
	loop := func(seconds string) string {
		return `{"type":"loop","intervalSeconds":` + seconds + `,"prompt":"x"}`
	}
	d := newDesk(t)
	d.book.Allowed = func(m platform.Message) bool { return m.Room.ID != "closed" }
	d.Hall.Deny("ada", platform.SendMessages, "quiet", true)
	for i, test := range []struct{ name, does, want string }{
		{"a second is the shortest delay", deferral("1"), "done: defer-1 will be done in this room at 12:00:01 UTC on 1 March 2026"},
		{"a number in quotes is a number", deferral(`"90"`), "done: defer-2 will be done in this room at 12:01:30 UTC on 1 March 2026"},
		{"the configured delay is the longest", deferral("1800"), "done: defer-3 will be done in this room at 12:30:00 UTC on 1 March 2026"},
		{"no delay is none", deferral("0"), "failed: defer: delaySeconds needs at least 1, got 0"},
		{"nor is one into the past", deferral("-5"), "failed: defer: delaySeconds needs at least 1, got -5"},
		{"a longer one is too long", deferral("1801"), "failed: defer: delaySeconds needs 1 to 1800"},
		{"and one without end", deferral("999999999999999"), "failed: defer: delaySeconds needs 1 to 1800"},
		{"a word is no delay", deferral(`"2m"`), `failed: defer: delaySeconds is a whole number, got "2m"`},
		{"something has to be asked", `{"type":"defer","delaySeconds":60}`, "failed: defer: prompt is missing"},
		{"as long as a page", `{"type":"defer","delaySeconds":60,"prompt":"` + strings.Repeat("x", 4001) + `"}`, "failed: defer: prompt needs at most 4000 characters, got 4001"},
		{"the room has to exist", `{"type":"defer","delaySeconds":60,"prompt":"x","channel":"nowhere"}`, "refused: there is no channel nowhere"},
		{"and to be one that the agent is in", `{"type":"defer","delaySeconds":60,"prompt":"x","channel":"closed"}`, "failed: defer: the agent is not to be talked to in that room"},
		{"and one that the person may write in", `{"type":"defer","delaySeconds":60,"prompt":"x","channel":"quiet"}`, "refused: you may not write messages there"},
		{"it may be another one", `{"type":"defer","delaySeconds":60,"prompt":"x","channel":"b"}`, "done: defer-4 will be done in b at 12:01:00 UTC on 1 March 2026"},
		{"five may wait", deferral("60"), "done: defer-5 will be done in this room at 12:01:00 UTC on 1 March 2026"},
		{"and no sixth", deferral("60"), "failed: defer: there are 5 of this person already, which is all that may wait at a time; cancel one first"},
		{"a minute is the shortest interval", loop("60"), "done: loop-1 will be done in this room every 1 minute, first at 12:01:00 UTC on 1 March 2026"},
		{"a day is the longest", loop("86400"), "done: loop-2 will be done in this room every 1 day, first at 12:00:00 UTC on 2 March 2026"},
		{"less is too short", loop("59"), "failed: loopCreate: intervalSeconds needs 60 to 86400, got 59"},
		{"more is too long", loop("86401"), "failed: loopCreate: intervalSeconds needs 60 to 86400, got 86401"},
		{"a loop can have a name", `{"type":"loopCreate","intervalSeconds":60,"prompt":"x","label":"build"}`, "done: loop-3 (build) will be done in this room every 1 minute, first at 12:01:00 UTC on 1 March 2026"},
		{"and no long one", `{"type":"loopCreate","intervalSeconds":60,"prompt":"x","label":"` + strings.Repeat("x", 101) + `"}`, "failed: loopCreate: label needs at most 100 characters, got 101"},
		{"it may be in another room", `{"type":"loopCreate","intervalSeconds":60,"prompt":"x","channel":"b"}`, "done: loop-4 will be done in b every 1 minute, first at 12:01:00 UTC on 1 March 2026"},
		{"but not where the person may not write", `{"type":"loopCreate","intervalSeconds":60,"prompt":"x","channel":"quiet"}`, "refused: you may not write messages there"},
		{"five may run", loop("60"), "done: loop-5 will be done in this room every 1 minute, first at 12:01:00 UTC on 1 March 2026"},
		{"and no sixth loop", loop("60"), "failed: loopCreate: there are 5 of this person already, which is all that may wait at a time; cancel one first"},
		{"what is cancelled makes room", `{"type":"loopCancel","id":"loop-5"}`, "done: cancelled loop-5"},
		{"its number is not given again", loop("60"), "done: loop-6 will be done in this room every 1 minute, first at 12:01:00 UTC on 1 March 2026"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := d.does("ada", fmt.Sprintf("m%02d", i), test.does); got != test.want {
				t.Errorf("it came to\n%s, want\n%s", got, test.want)
			}
		})
	}
	d.is(d.does("bob", "bob", deferral("60")), "done: defer-6 will be done in this room at 12:01:00 UTC on 1 March 2026")
	d.passes(time.Hour)
	for i := range 6 {
		d.Settled(fmt.Sprintf("defer-%d", i+1))
	}
	d.is(d.does("ada", "again", deferral("60")), "done: defer-7 will be done in this room at 13:01:00 UTC on 1 March 2026")
}
