package main

import (
	"fmt"
	"net/http"
	"testing"
)

func TestAStuckTurnDelaysNoOtherRoom(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	asked := make(chan struct{}, 1)
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{"stuck": {func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-release:
			says("Answer to stuck")(w, r)
		case <-r.Context().Done():
		}
	}}}})
	stuck := v.say("stuck", "stuck")
	behind := v.say("stuck", "behind it")
	<-asked
	for n := range 10 {
		room, text := fmt.Sprint("room", n), fmt.Sprint("quick ", n)
		v.isAnswered(room, v.say(room, text), "Answer to "+text)
	}
	if got := v.answersTo("stuck", behind); len(got) != 0 {
		t.Errorf("the message behind the stuck one has overtaken it: %q", got)
	}
	close(release)
	v.isAnswered("stuck", stuck, "Answer to stuck")
	v.isAnswered("stuck", behind, "Answer to behind it")
}

func TestABurstOfFifteenMessagesGetsFifteenAnswersInOrder(t *testing.T) {
	t.Parallel()
	v := startFaulty(t, &faultyModel{})
	var ids []string
	for n := range 15 {
		ids = append(ids, v.say("lobby", fmt.Sprint("number ", n)))
	}
	for n, id := range ids {
		v.isAnswered("lobby", id, fmt.Sprint("Answer to number ", n))
	}
	var order []string
	for _, e := range v.entries("lobby") {
		if e.Kind == "agent" {
			order = append(order, e.ReplyTo)
		}
	}
	if fmt.Sprint(order) != fmt.Sprint(ids) {
		t.Errorf("the answers are to %v, want %v", order, ids)
	}
}
