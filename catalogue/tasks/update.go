package tasks

import (
	"context"
	"errors"
	"strings"

	"github.com/asidehq/aside/action"
)

type updateArgs struct {
	Task        string    `arg:"taskId,task,id" doc:"ws-001, 001 or 1, or its thread"`
	Title       *string   `arg:"title,name" min:"1" max:"200"`
	Description *string   `arg:"description,body,details" max:"1900" doc:"in place of the old one"`
	Priority    *int      `arg:"priority" min:"0" max:"4" doc:"0 is the most urgent"`
	Status      *string   `arg:"status" values:"open,in_progress,blocked,closed"`
	Tags        *[]string `arg:"tags,labels" max:"20" each:"50" doc:"in place of the old ones"`
}

// Check wants something to be different.
func (a updateArgs) Check() error {
	if a.Title == nil && a.Description == nil && a.Priority == nil && a.Status == nil && a.Tags == nil {
		return errors.New("say what is to be different: title, description, priority, status or tags")
	}
	return nil
}

func update(board Board) *action.Spec {
	return action.Define(action.Spec{
		Name: "taskUpdate", Category: category,
		Description: "Change a task on the board: set it to in_progress when you start on it, to blocked when it waits for something. What you leave out stays as it is.",
		Example:     `{"type":"taskUpdate","taskId":"ws-001","status":"in_progress","priority":0}`,
		Repeatable:  true, // the call's key makes it one change
	}, func(ctx context.Context, c action.Call, args updateArgs) action.Outcome {
		t, what, err := board.Update(ctx, by(c), args.Task, Change{
			Title: args.Title, Description: args.Description, Priority: args.Priority, Status: args.Status, Labels: args.Tags,
		})
		switch {
		case err != nil:
			return failed("taskUpdate", args.Task, err)
		case len(what) == 0:
			return action.Done("%s is like that already; nothing was changed", t.ID)
		}
		return action.Done("changed %s (%s): %s", t.ID, t.Title, strings.Join(what, ", "))
	})
}

type closeArgs struct {
	Task   string `arg:"taskId,task,id" doc:"ws-001, 001 or 1, or its thread"`
	Reason string `arg:"reason" max:"500" optional:"true" doc:"how it ended"`
}

func closeTask(board Board) *action.Spec {
	return action.Define(action.Spec{
		Name: "taskClose", Category: category,
		Description: "Close a task that is done or given up. It stays on the board; taskUpdate opens it again.",
		Example:     `{"type":"taskClose","taskId":"ws-001","reason":"The new certificate is in place."}`,
		Repeatable:  true, // what is closed is closed
	}, func(ctx context.Context, c action.Call, args closeArgs) action.Outcome {
		t, what, err := board.Close(ctx, by(c), args.Task, args.Reason)
		switch {
		case err != nil:
			return failed("taskClose", args.Task, err)
		case len(what) == 0:
			return action.Done("%s is closed already; nothing was changed", t.ID)
		}
		return action.Done("closed %s: %s", t.ID, t.Title)
	})
}
