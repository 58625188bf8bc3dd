package main

import (
	"context"
	"errors"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/task"
)

// planTasks is the board as plans need it.
type planTasks struct{ board *task.Board }

var _ plan.Tasks = planTasks{}

// Create implements plan.Tasks.
func (p planTasks) Create(ctx context.Context, key string, by store.Asker, title, description string) (string, error) {
	t, err := p.board.Create(ctx, taskBy(key, by), tasks.New{Title: title, Description: description, Priority: 2})
	return t.ID, err
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
