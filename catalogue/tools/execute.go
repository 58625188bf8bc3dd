package tools

import (
	"context"
	"encoding/json"

	"github.com/asidehq/aside/action"
)

type executeArgs struct {
	Action string `arg:"action,argument" values:"delete_last_message,pin_last_message,clear_context" doc:"what to do"`
}

// asExecuted are the actions that are executed.
var asExecuted = map[string]string{"delete_last_message": "deleteMessage", "pin_last_message": "pinMessage"}

// execute is not repeatable: the last message is another one when it is deleted.
func execute(in Conversation, specs func() []*action.Spec) *action.Spec {
	spec := action.Define(action.Spec{
		Name: "execute", Category: category, Signals: []string{"EXECUTE"},
		Description: "Do one of these: delete_last_message deletes your last message before this one (a person has to confirm it first), pin_last_message pins the message before the person's, clear_context starts afresh: you are not told any more what was said so far.",
		Example:     `{"type":"execute","action":"clear_context"}`,
	}, func(ctx context.Context, c action.Call, args executeArgs) action.Outcome {
		other := named(specs, asExecuted[args.Action])
		switch args.Action {
		case "clear_context":
			if err := in.Clear(ctx, c); err != nil {
				return action.Fail("could not start afresh: %v", err)
			}
			return action.Done("what was said so far is not in mind any more; it is still stored")
		case "delete_last_message":
			return deleteLast(ctx, c, in, other)
		}
		last, err := in.LastMessage(ctx, c)
		switch {
		case err != nil:
			return action.Fail("could not find the last message: %v", err)
		case last == "":
			return action.Fail("there is no message before this one that could be pinned")
		}
		return instead(ctx, c, other, about(last))
	})
	return action.Standing(spec, func(args executeArgs) *action.Spec { return named(specs, asExecuted[args.Action]) })
}

func deleteLast(ctx context.Context, c action.Call, in Conversation, other *action.Spec) action.Outcome {
	last, err := in.LastPost(ctx, c)
	switch {
	case err != nil:
		return action.Fail("could not find the last message: %v", err)
	case last == "":
		return action.Fail("there is no message of the agent before this one that could be deleted")
	}
	out := instead(ctx, c, other, about(last))
	if !out.OK {
		return out
	}
	if err := in.Deleted(ctx, c, last); err != nil {
		return action.Done("deleted the last message; that could not be noted, so do not delete another one: %v", err)
	}
	return action.Done("deleted the last message")
}

// about are the arguments that name a message.
func about(message string) string {
	id, _ := json.Marshal(message) // a string can be written
	return `{"message":` + string(id) + `}`
}
