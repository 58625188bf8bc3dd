package tools

import (
	"context"

	"github.com/asidehq/aside/action"
)

type commandArgs struct {
	Name string `arg:"name,argument" values:"summarize_conversation,show_memory,show_tasks,help" doc:"what to look up"`
}

// asCommand are the actions that commands are.
var asCommand = map[string]string{"show_memory": "memoryShow", "show_tasks": "taskList"}

func command(in Conversation, specs func() []*action.Spec) *action.Spec {
	spec := action.Define(action.Spec{
		Name: "command", Category: category, Signals: []string{"COMMAND"},
		Description: "Look up one of these: summarize_conversation is what was said so far in short, show_memory what you remember about the person, show_tasks the open tasks, help what you can do for this person here.",
		Example:     `{"type":"command","name":"summarize_conversation"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, args commandArgs) action.Outcome {
		switch args.Name {
		case "summarize_conversation":
			summary, err := in.Summary(ctx, c)
			switch {
			case err != nil:
				return action.Fail("could not summarise the conversation: %v", err)
			case summary == "":
				return action.Done("nothing was said before this message")
			}
			return action.Found(summary, "what was said so far, in short")
		case "help":
			can, err := in.Abilities(ctx, c)
			switch {
			case err != nil:
				return action.Fail("could not find out what can be done here: %v", err)
			case len(can) == 0:
				return action.Done("here you can talk, and nothing else")
			}
			return action.Found(can, "what you can do for this person here")
		}
		return instead(ctx, c, named(specs, asCommand[args.Name]), `{}`)
	})
	return action.Standing(spec, func(args commandArgs) *action.Spec { return named(specs, asCommand[args.Name]) })
}
