package main

import (
	"net/http"
	"slices"
	"syscall"
	"testing"
)

func TestAPromptIsAnsweredAfterTheProgramWasKilled(t *testing.T) {
	t.Parallel()
	const chosen = `(chose 👎 to answer your question "Ship it?")`
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{
		"go":   {says(`Let me ask. <action>{"type":"reactionPrompt","question":"Ship it?","choices":["👍","👎"]}</action>`)},
		chosen: {says("Then not.")},
	}})
	v.isAnswered("lobby", v.say("lobby", "go"), "Let me ask.")
	const question = "Ship it?\n\n1. 👍\n2. 👎\n\nAnswer with a number."
	asked := func() (n int) {
		for _, e := range v.entries("lobby") {
			if e.Kind == "agent" && e.Text == question {
				n++
			}
		}
		return n
	}
	if asked() != 1 {
		t.Fatalf("the room has %+v", v.entries("lobby"))
	}
	v.kill(syscall.SIGKILL)
	v.start()
	answer := v.say("lobby", "2")
	v.isAnswered("lobby", answer, "Then not.")
	v.isAnswered("lobby", v.say("lobby", "1"), "Answer to 1") // a message like any other by now
	if i := slices.IndexFunc(v.entries("lobby"), func(e tortureEntry) bool { return e.ID == answer }); v.entries("lobby")[i].Text != "2" || asked() != 1 {
		t.Errorf("the room has %+v", v.entries("lobby"))
	}
}
