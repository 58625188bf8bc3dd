package task

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/platform"
)

// Mirrored is a board as a forum shows it.
type Mirrored struct{ *Board }

var _ interface {
	forum.Board
	forum.Linker
} = Mirrored{}

// mark is the glyph before the name of a thread.
func mark(status string) string {
	switch status {
	case tasks.InProgress:
		return "🟡"
	case tasks.Blocked:
		return "⚠️"
	case tasks.Closed:
		return "☑️"
	}
	return "🟢"
}

// Name implements forum.Board.
func (m Mirrored) Name() string { return "tasks" }

// Words implements forum.Board.
func (m Mirrored) Words() forum.Words {
	return forum.Words{One: "task", Many: "tasks", Closed: "closed", Reopened: "reopened", Statuses: tasks.Statuses()}
}

// Items implements forum.Board.
func (m Mirrored) Items(ctx context.Context) ([]forum.Item, error) {
	all, _, err := m.List(ctx, tasks.Query{Status: tasks.All})
	var items []forum.Item
	for _, t := range all {
		i := forum.Item{
			ID: t.ID, Number: t.Number, Title: t.Title, Mark: mark(t.Status), Labels: t.Labels, Status: t.Status,
			Closed: t.Status == tasks.Closed, NoThread: t.NoThread, Thread: roomFrom(t.Thread), Changed: t.Changed,
		}
		facts := []string{t.ID, fmt.Sprintf("priority %d", t.Priority), strings.Join(t.Labels, ", "), "by " + t.By}
		if i.Closed && t.Reason != "" {
			facts = append(facts, "closed: "+t.Reason)
		}
		i.Write(t.Description, facts...)
		items = append(items, i)
	}
	return items, err
}

func roomFrom(text string) platform.Room {
	name, id, _ := strings.Cut(text, "/")
	return platform.Room{Platform: name, ID: id}
}

// Close implements forum.Board.
func (m Mirrored) Close(ctx context.Context, i forum.Item, by forum.By) error {
	_, _, err := m.Board.Close(ctx, author(i, by), i.ID, by.Why)
	return mistaken(err)
}

// Reopen implements forum.Board.
func (m Mirrored) Reopen(ctx context.Context, i forum.Item, by forum.By) error {
	open := tasks.Open
	_, _, err := m.Update(ctx, author(i, by), i.ID, tasks.Change{Status: &open})
	return mistaken(err)
}

// Link implements forum.Linker. A thread that was noted otherwise meanwhile is left to the next
// sync.
func (m Mirrored) Link(ctx context.Context, i forum.Item, thread platform.Room) error {
	_, err := m.SetThread(ctx, i.ID, i.Thread, thread)
	return err
}

// author is who is noted in the history: the platform where the person is not known.
func author(i forum.Item, by forum.By) tasks.By {
	return tasks.By{Platform: i.Thread.Platform, Room: i.Thread.ID, Person: by.Person.ID, Name: by.Person.Name}
}

// mistaken makes what is wrong with a change a forum's refusal.
func mistaken(err error) error {
	var mistake tasks.Mistake
	if errors.As(err, &mistake) {
		return forum.Refusal(mistake)
	}
	return err
}
