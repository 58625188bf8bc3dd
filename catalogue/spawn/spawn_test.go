package spawn_test

import (
	"context"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/spawn"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A keeper is a server that can tell about its rooms.
type keeper struct {
	*venuetest.Server
	platform.RoomKeeper
}

func (k keeper) RoomInfo(context.Context, platform.Room) (platform.RoomInfo, error) {
	return k.Places[0], nil
}

// asked is the agent that was asked last.
type asked struct{ spawn.Agent }

func (a *asked) Ask(_ context.Context, agent spawn.Agent) (string, error) {
	a.Agent = agent
	return "Found.", nil
}

func TestSpecs(t *testing.T) {
	venuetest.Specs(t, "spawn", spawn.Specs(venuetest.Platforms{}, &asked{}), map[string]string{"spawnAgent": "query repeatable: write messages"})
}

func TestWhoIsAsked(t *testing.T) {
	thread := platform.RoomInfo{Room: platform.Room{Platform: "discord", ID: "3"}, Name: "a thread", Kind: platform.ThreadRoom, Parent: "2"}
	all := venuetest.Platforms{"discord": keeper{Server: &venuetest.Server{Bare: "discord", Places: []platform.RoomInfo{thread}}}}
	c := action.Call{Turn: 7, Key: "k", Platform: "discord", Room: "1", Parent: "p", Person: "ada", Name: "Ada", Handle: "ada1", Direct: true}
	ada := platform.Person{ID: "ada", Name: "Ada", Handle: "ada1"}
	for _, test := range []struct {
		name, args string
		want       spawn.Agent
	}{
		{"one whose answer is posted nowhere", `{"prompt":"Go."}`, spawn.Agent{Room: platform.Room{Platform: "discord", ID: "1"}, Parent: "p", Direct: true}},
		{"one that answers in a thread", `{"prompt":"Go.","channel":"3","model":"small","label":"x"}`, spawn.Agent{Room: thread.Room, Parent: "2", Posted: true, Model: "small", Label: "x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var agent asked
			out := venuetest.Run(t, spawn.Specs(all, &agent), c, "spawnAgent", test.args)
			test.want.Key, test.want.Turn, test.want.Prompt, test.want.Person, test.want.Depth = "k", 7, "Go.", ada, 1
			if !out.OK || agent.Agent != test.want {
				t.Errorf("%+v: asked was %+v", out, agent.Agent)
			}
		})
	}
}
