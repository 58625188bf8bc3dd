// Package task is the board: what is to be done, shared by everyone who may talk to the
// agent, and kept in the store.
//
// Before changing it, know that every change is one transaction with its entry in the
// history, and that whoever shows tasks elsewhere finds out by the stamp Changed what is
// new: nothing that counts is in memory only.
package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A Board keeps tasks in the store.
type Board struct {
	Store  *store.Store
	Prefix string // of new tasks' ids
	Labels Labels
	Now    func() time.Time

	// Changed is called after every change that is stored, for whoever wants to know at
	// once; nil if nobody does. Other processes on a shared store hear store.TasksChanged.
	Changed func()
}

var _ tasks.Board = (*Board)(nil)

// mostHistory is how many entries of its history are shown with a task.
const mostHistory = 100

// Create makes a task, once for each key.
func (b *Board) Create(ctx context.Context, by tasks.By, n tasks.New) (t tasks.Task, err error) {
	err = b.in(ctx, func(tx store.Tx) (changed bool, err error) {
		t, changed, err = b.CreateIn(ctx, tx, by, n)
		return changed, err
	})
	return t, err
}

// CreateIn is Create in somebody's transaction; fresh tells whether it was not there
// before. Who commits it calls Changed.
func (b *Board) CreateIn(ctx context.Context, tx store.Tx, by tasks.By, n tasks.New) (t tasks.Task, fresh bool, err error) {
	task := store.Task{
		Prefix: b.Prefix, Key: by.Key, Title: line(n.Title), Description: text(n.Description), Priority: n.Priority,
		Status: store.TaskOpen, Creator: authorOf(by), Room: by.Room,
	}
	if task.Labels, err = b.Labels.read(n.Labels, nil); err == nil {
		err = check(task)
	}
	if err != nil {
		return tasks.Task{}, false, err
	}
	task, fresh, err = tx.AddTask(ctx, task, task.Creator)
	return b.shown(task), fresh, err
}

// Update changes a task and tells what of it.
func (b *Board) Update(ctx context.Context, by tasks.By, id string, c tasks.Change) (t tasks.Task, what []string, err error) {
	err = b.in(ctx, func(tx store.Tx) (bool, error) {
		var err error
		t, what, err = b.UpdateIn(ctx, tx, by, id, c)
		return len(what) > 0, err
	})
	return t, what, err
}

// UpdateIn is Update in somebody's transaction. Who commits it calls Changed.
func (b *Board) UpdateIn(ctx context.Context, tx store.Tx, by tasks.By, id string, c tasks.Change) (tasks.Task, []string, error) {
	task, what, err := tx.ChangeTask(ctx, b.name(id), by.Key, authorOf(by), func(t *store.Task) ([]string, error) {
		return b.apply(t, c)
	})
	return b.shown(task), what, known(err)
}

// Close closes a task.
func (b *Board) Close(ctx context.Context, by tasks.By, id, reason string) (tasks.Task, []string, error) {
	return b.Update(ctx, by, id, closing(reason))
}

// CloseIn is Close in somebody's transaction. Who commits it calls Changed.
func (b *Board) CloseIn(ctx context.Context, tx store.Tx, by tasks.By, id, reason string) (tasks.Task, []string, error) {
	return b.UpdateIn(ctx, tx, by, id, closing(reason))
}

func closing(reason string) tasks.Change {
	closed := tasks.Closed
	return tasks.Change{Status: &closed, Reason: &reason}
}

// Show returns a task with its history.
func (b *Board) Show(ctx context.Context, id string) (tasks.Task, error) {
	task, err := b.Store.Task(ctx, b.name(id))
	if err != nil {
		return tasks.Task{}, known(err)
	}
	history, err := b.Store.TaskHistory(ctx, task, mostHistory)
	if err != nil {
		return tasks.Task{}, err
	}
	shown := b.shown(task)
	for _, c := range history {
		shown.History = append(shown.History, tasks.Entry{At: c.At, By: nameOf(c.By), What: c.What})
	}
	return shown, nil
}

// List returns tasks, the most urgent first, and of those the oldest.
func (b *Board) List(ctx context.Context, q tasks.Query) ([]tasks.Task, int, error) {
	in := store.TaskQuery{Status: store.TaskStatus(q.Status), Label: label(q.Label), Limit: q.Limit}
	if q.Status == tasks.All {
		in.Status, in.All = "", true
	}
	if in.Status != "" && !slices.Contains(store.TaskStatuses(), in.Status) {
		return nil, 0, wrongStatus(q.Status)
	}
	found, total, err := b.Store.Tasks(ctx, in)
	all := []tasks.Task{}
	for _, t := range found {
		all = append(all, b.shown(t))
	}
	return all, total, err
}

// SetThread notes which thread shows a task: was is what it is thought to be, and set tells
// whether it still was. A thread without an ID is none. It is no change of the task.
func (b *Board) SetThread(ctx context.Context, id string, was, thread platform.Room) (set bool, err error) {
	err = b.Store.In(ctx, func(tx store.Tx) error {
		var err error
		set, err = tx.SetTaskThread(ctx, b.name(id), was, thread)
		return known(err)
	})
	return set, err
}

// in runs do in a transaction, and tells who wants to know if it has changed something.
func (b *Board) in(ctx context.Context, do func(store.Tx) (changed bool, err error)) error {
	var changed bool
	err := b.Store.In(ctx, func(tx store.Tx) error {
		var err error
		changed, err = do(tx)
		return err
	})
	if err == nil && changed && b.Changed != nil {
		b.Changed()
	}
	return err
}

// known turns the store's errors into those of a board.
func known(err error) error {
	if errors.Is(err, store.ErrNoSuchTask) {
		return tasks.ErrNoTask
	}
	return err
}

// shown is a task as it is shown.
func (b *Board) shown(t store.Task) tasks.Task {
	shown := tasks.Task{
		ID: t.ID(), Number: fmt.Sprintf("%03d", t.Number), Title: t.Title, Description: t.Description, Priority: t.Priority, Status: string(t.Status),
		Labels: append([]string{}, t.Labels...), By: nameOf(t.Creator), External: t.ExternalRef,
		Created: t.Created, Updated: t.Updated, Reason: t.CloseReason, Changed: t.Changed, NoThread: b.Labels.noThread(t.Labels),
	}
	if t.Creator.Person != "" {
		shown.Person = t.Creator.Platform + "/" + t.Creator.Person
	}
	if t.Room != "" {
		shown.Room = t.Creator.Platform + "/" + t.Room
	}
	if t.Thread.ID != "" {
		shown.Thread = t.Thread.String()
	}
	if !t.Closed.IsZero() {
		shown.Closed = &t.Closed
	}
	return shown
}

func authorOf(by tasks.By) store.Author {
	return store.Author{Platform: by.Platform, Person: by.Person, Name: line(by.Name)}
}

// nameOf is what somebody is called.
func nameOf(a store.Author) string {
	switch {
	case a.Name != "":
		return a.Name
	case a.Person != "":
		return a.Platform + "/" + a.Person
	}
	return a.Platform
}
