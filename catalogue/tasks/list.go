package tasks

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/action"
)

type showArgs struct {
	Task string `arg:"taskId,task,id" doc:"ws-001, 001 or 1, or its thread"`
}

func show(board Board) *action.Spec {
	return action.Define(action.Spec{
		Name: "taskShow", Category: category,
		Description: "Look up everything about a task: its description, and who has changed what.",
		Example:     `{"type":"taskShow","taskId":"ws-001"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, _ action.Call, args showArgs) action.Outcome {
		t, err := board.Show(ctx, args.Task)
		if err != nil {
			return failed("taskShow", args.Task, err)
		}
		t.History = recent(t.History)
		return action.Found(t, "the task %s", t.ID)
	})
}

// How much of a task's history a model is told: an imported one may be a book.
const (
	mostEntries  = 30
	longestEntry = 500
)

// recent is the end of a history, in short.
func recent(all []Entry) []Entry {
	short := []Entry{}
	for _, e := range all[max(0, len(all)-mostEntries):] {
		e.What = clipped(e.What, longestEntry)
		short = append(short, e)
	}
	return short
}

type listArgs struct {
	Status string `arg:"status" values:"open,in_progress,blocked,closed,all" optional:"true" doc:"left out, every one that is not closed"`
	Label  string `arg:"label,tag" max:"50" optional:"true"`
	Limit  int    `arg:"limit" min:"1" max:"100" default:"25"`
}

// A listed task is what is told of it in a list.
type listed struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Priority int      `json:"priority"`
	Status   string   `json:"status"`
	Labels   []string `json:"labels,omitempty"`
	Thread   string   `json:"thread,omitempty"`
}

func list(board Board) *action.Spec {
	return action.Define(action.Spec{
		Name: "taskList", Category: category,
		Description: "Look up the tasks on the board, the most urgent first.",
		Example:     `{"type":"taskList","status":"all","label":"ops"}`,
		Query:       true, Repeatable: true,
	}, func(ctx context.Context, _ action.Call, args listArgs) action.Outcome {
		all, total, err := board.List(ctx, Query(args))
		if err != nil {
			return failed("taskList", "", err)
		}
		if total == 0 {
			return action.Done("there is no such task; %s", elsewhere(args))
		}
		brief := []listed{}
		for _, t := range all {
			brief = append(brief, listed{t.ID, t.Title, t.Priority, t.Status, t.Labels, t.Thread})
		}
		return action.Found(brief, "%s", count(len(all), total))
	})
}

func count(shown, total int) string {
	switch {
	case total == 1:
		return "the only such task"
	case shown < total:
		return fmt.Sprintf("%d of %d such tasks; a higher limit shows more", shown, total)
	}
	return fmt.Sprintf("all %d such tasks", total)
}

// elsewhere says where else there may be tasks.
func elsewhere(args listArgs) string {
	if args.Status == All && args.Label == "" {
		return "the board is empty"
	}
	return `with status "all" and no label every task is listed`
}
