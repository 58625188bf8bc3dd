package later_test

import (
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
)

// What each flow may not do is refused from inside it, in the turn itself and in what
// follows, and also if another agent is asked to do it.
func TestWhatAFlowMayNotDoIsRefusedInIt(t *testing.T) {
	const (
		remember = `{"type":"memoryRemember","text":"tea"}`
		destroy  = `{"type":"deleteMessage","message":"1"}`
		react    = `{"type":"react","emoji":"eyes","message":"1"}`
		send     = `{"type":"sendMessage","content":"hello","channel":"b"}`
		look     = `{"type":"memoryShow"}`
		waiting  = `{"type":"deferList"}`
		loop     = `{"type":"loopCreate","intervalSeconds":60,"prompt":"x"}`
		list     = `{"type":"deferList"}`
		agent    = `{"type":"spawnAgent","prompt":"Be an agent."}`
	)
	const noLoop = "a loop can only look things up and send messages"
	for _, test := range []struct {
		name, flow, does, want string // want is why it is refused; "" is done
		through                bool   // by an agent that it asks
	}{
		{"a deferral has no memory", "defer", remember, "a deferral cannot use the category memory", false},
		{"nor does it look there", "defer", look, "a deferral cannot use the category memory", false},
		{"a deferral does not defer", "defer", inTen, "a deferral cannot use the category defer", false},
		{"nor lists what is", "defer", list, "a deferral cannot use the category defer", false},
		{"a deferral starts no loop", "defer", loop, "a deferral cannot use the category loop", false},
		{"a deferral destroys nothing", "defer", destroy, "deleteMessage destroys something, and in a deferral nobody can confirm it", false},
		{"a deferral sends", "defer", send, "", false},
		{"a deferral reacts", "defer", react, "", false},
		{"a deferral asks an agent", "defer", agent, "", false},
		{"which does not defer either", "defer", inTen, "a deferral cannot use the category defer", true},
		{"and has no memory", "defer", remember, "a deferral cannot use the category memory", true},
		{"a loop looks up", "loop", waiting, "", false},
		{"a loop sends", "loop", send, "", false},
		{"a loop does not react", "loop", react, noLoop, false},
		{"a loop remembers nothing", "loop", remember, noLoop, false},
		{"a loop does not defer", "loop", inTen, noLoop, false},
		{"a loop starts no other", "loop", loop, noLoop, false},
		{"a loop destroys nothing", "loop", destroy, noLoop, false},
		{"what a loop may not do its agent may not do", "loop", react, noLoop, true},
		{"but it sends", "loop", send, "", true},
		{"an agent that was asked asks none", "spawn", agent, "a spawn cannot use the category spawn", true},
		{"and destroys nothing", "spawn", destroy, "deleteMessage destroys something, and in a spawn nobody can confirm it", true},
		{"and remembers", "spawn", remember, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			first, errand := inTen, "defer-1"
			switch test.flow {
			case "loop":
				first, errand = byHour, "loop-1/1"
			case "spawn":
				first, errand = agent, "1"
			}
			act := "<action>" + test.does + "</action>"
			d.Model.Answers(theOven, act)
			d.Model.Answers(theBuild, act)
			if test.through {
				d.Model.Answers(theOven, "<action>"+agent+"</action>")
				d.Model.Answers(theBuild, "<action>"+agent+"</action>")
				d.Model.Answers("Be an agent.", act)
			}
			if !strings.Contains(test.want, "spawn") && !test.through { // what follows is tried as well
				d.Model.Answers("[results]", act)
			}
			d.Model.Answers("1 please", "<action>"+first+"</action>")
			d.Ask("ada", "a", "1", "1 please")
			if test.flow != "spawn" {
				d.passes(time.Hour)
				d.Settled(errand)
			}
			ledger := d.Ledger(errand)
			if test.through {
				ledger = d.Ledger(agentOf(d, errand))
			}
			if len(ledger) == 0 {
				t.Fatal("nothing was tried")
			}
			for _, a := range ledger {
				if test.want == "" && a.State != store.Done || test.want != "" && (a.State != store.Refused || a.Summary != test.want) {
					t.Errorf("%s is %s: %s", a.Type, a.State, a.Summary)
				}
			}
		})
	}
}

// agentOf is the key of the agent that an errand has asked.
func agentOf(d *desk, errand string) string {
	d.t.Helper()
	for _, a := range d.Ledger(errand) {
		if a.Type == "spawnAgent" {
			return actionKey(a)
		}
	}
	d.t.Fatal("no agent was asked")
	return ""
}
