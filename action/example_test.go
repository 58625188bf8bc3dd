package action_test

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
)

// A program has actions of its own: what they are called in replies, their arguments, and
// what they do.
func Example() {
	type roomArgs struct {
		Room  string `arg:"room" doc:"which one"`
		Hours int    `arg:"hours" min:"1" max:"24" default:"8"`
	}
	mute := action.Define(action.Spec{Name: "muteRoom", Aliases: []string{"MUTE_ROOM", "SILENCE"}, Category: "rooms"},
		func(_ context.Context, _ action.Call, args roomArgs) action.Outcome {
			return action.Done("%s is silent for %d hours", args.Room, args.Hours)
		})
	registry, _ := action.NewRegistry(mute) // two actions of one name are an error

	// A reply names them, the policy allows them, and they run in order.
	policy := action.Policy{Enabled: true}
	reply := `{"text":"Shh.","actions":["SILENCE","UNMUTE_ROOM"],"params":{"SILENCE":{"room":"lobby","hours":"2"}}}`
	for _, found := range extract.Read(extract.Config{}, []byte(reply)).Actions {
		spec := registry.Find(found.Name)
		if spec == nil {
			fmt.Println("there is no", found.Name) // a name that only resembles one is none
			continue
		}
		args, err := spec.Decode(found.Args)
		if verdict := policy.Decide(action.Situation{Flow: action.OnMessage}, spec); err == nil && verdict.Run {
			fmt.Println(spec.Run(context.Background(), action.Call{}, args).Summary)
		}
	}
	// Output:
	// lobby is silent for 2 hours
	// there is no UNMUTE_ROOM
}

// An action that stands behind others in a reply is told what they came to.
func ExampleCall_results() {
	shout := action.Define(action.Spec{Name: "shout"}, func(_ context.Context, c action.Call, _ struct{}) action.Outcome {
		last := c.Results[len(c.Results)-1]
		return action.Done("%s! (says %s)", last.Summary, last.Name)
	})
	args, _ := shout.Decode([]byte(`{}`))
	call := action.Call{Results: []action.Result{{Name: "muteRoom", Outcome: action.Done("lobby is silent")}}}
	fmt.Println(shout.Run(context.Background(), call, args).Summary)
	// Output: lobby is silent! (says muteRoom)
}
