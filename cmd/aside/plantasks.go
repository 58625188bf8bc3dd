package main

import (
	"context"
	"errors"
	"regexp"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/task"
)

// planTasks is the board as plans need it.
type planTasks struct{ board *task.Board }

var _ plan.Tasks = planTasks{}

// Create implements plan.Tasks. A plan that names an open task is a plan for that one.
func (p planTasks) Create(ctx context.Context, key string, by store.Asker, title, description string) (string, error) {
	if id, err := p.named(ctx, description); id != "" || err != nil {
		return id, err
	}
	t, err := p.board.Create(ctx, taskBy(key, by), tasks.New{Title: title, Description: description, Priority: 2})
	return t.ID, err
}

// taskID is what may be the id of a task in a text.
var taskID = regexp.MustCompile(`\b[A-Za-z]+-[0-9]{3,}\b`)

// named is the open task that a text names, "" if it names none, or several: then nobody
// knows which is meant.
func (p planTasks) named(ctx context.Context, text string) (id string, err error) {
	for _, found := range taskID.FindAllString(text, -1) {
		t, err := p.board.Show(ctx, found)
		switch {
		case errors.Is(err, tasks.ErrNoTask):
			continue
		case err != nil:
			return "", err
		case t.Status == tasks.Closed || t.ID == id:
			continue
		case id != "":
			return "", nil
		}
		id = t.ID
	}
	return id, nil
}

// Close implements plan.Tasks.
func (p planTasks) Close(ctx context.Context, tx store.Tx, key string, by store.Asker, id, reason string) error {
	_, _, err := p.board.CloseIn(ctx, tx, taskBy(key, by), id, reason)
	if errors.Is(err, tasks.ErrNoTask) {
		return nil
	}
	return err
}

func taskBy(key string, by store.Asker) tasks.By {
	name := by.Person.Name
	if by.Room.Platform == "" {
		name = "operator"
	}
	return tasks.By{Key: key, Platform: by.Room.Platform, Room: by.Room.ID, Person: by.Person.ID, Name: name}
}

// showPlan shows how far a run of a plan is.
func showPlan(ctx context.Context, tx store.Tx, s plan.Shown) error {
	return tx.Show(ctx, store.Display{Key: s.Key, Room: s.Room, Text: s.Text, Over: s.Over})
}
