package tasks

import (
	"context"

	"github.com/asidehq/aside/action"
)

type createArgs struct {
	Title       string   `arg:"title,name" min:"1" max:"200" doc:"what is to be done, in a few words"`
	Description string   `arg:"description,body,details" max:"1900" optional:"true" doc:"what one has to know to do it"`
	Priority    int      `arg:"priority" min:"0" max:"4" default:"2" doc:"0 is the most urgent"`
	Tags        []string `arg:"tags,labels" max:"20" each:"50" optional:"true" doc:"no-thread keeps it out of the forum"`
}

func create(board Board) *action.Spec {
	return action.Define(action.Spec{
		Name: "taskCreate", Category: category,
		Description: "Put a task on the board that everyone shares. Look with taskList first if it may be there already; the outcome has its id, so do not make one up.",
		Example:     `{"type":"taskCreate","title":"Renew the certificate","description":"It ends on Friday.","priority":1,"tags":["ops"]}`,
		Repeatable:  true, // the call's key makes it one task
	}, func(ctx context.Context, c action.Call, args createArgs) action.Outcome {
		t, err := board.Create(ctx, by(c), New{Title: args.Title, Description: args.Description, Priority: args.Priority, Labels: args.Tags})
		if err != nil {
			return failed("taskCreate", "", err)
		}
		return action.Done("made the task %s: %s", t.ID, t.Title)
	})
}
