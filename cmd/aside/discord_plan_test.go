package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
)

// Who made a plan decides about it, and who looks after the room; nobody else does.
func TestDiscordWhoDecidesAboutAPlan(t *testing.T) {
	s := newScene(t, "actions: {followup_depth: 0}\n")
	d := s.discord
	bob := d.AddUser("bob")
	d.AddMember(d.Guild, bob)
	asks := func(who *discordtest.User, instruction, want string) {
		t.Helper()
		s.says(d.General, s.ask(who, d.General, "please", block(instruction)), want)
	}
	asks(d.Ada, `{"type":"planCreate","description":"Tidy up:\n- One\n- Two"}`, "Done: made plan-001 (task ws-001), a draft; planShow shows it")
	asks(bob, `{"type":"planShow","planId":"1"}`, "plan-001 is DRAFT")
	for _, name := range []string{"planApprove", "planClose", "planRun"} {
		asks(bob, `{"type":"`+name+`","planId":"1"}`, "Refused: plan-001 is not yours, and you may not manage channels where it was made")
	}
	asks(s.mod, `{"type":"planApprove","planId":"1"}`, "Done: plan-001 is approved; planRun starts it")
	s.model.does(func(w http.ResponseWriter, asked string) {
		reply := block(`{"type":"planRun","planId":"1"}`)
		if strings.HasPrefix(asked, "[plan-001: phase ") {
			reply = phaseDone
		}
		stream(w, reply)
		finish(w)
	})
	message := d.Write(d.Ada, d.General, s.to("go"))
	s.settle(d.General, message)
	s.says(d.General, message, "Done: started plan-001, which has 3 phases")
	(&site{victim: s.victim}).becomes("DONE")
	done := s.settleAll(d.General, func(t sceneTurn) bool { return t.Flow == "plan" })
	if len(done) != 3 {
		t.Errorf("the phases are %+v", done)
	}
	for _, p := range d.Posts(d.General) {
		if strings.Contains(p.Content, "It is done.") {
			t.Errorf("what a phase says is posted: %s", p.Content)
		}
	}
}
