package operator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/task"
)

// Tasks is the board. Its errors are tasks.ErrNoTask, a tasks.Mistake, ErrOff, or that it
// cannot be read or changed.
type Tasks interface {
	ListTasks(ctx context.Context, q tasks.Query) (TaskPage, error)
	Task(ctx context.Context, id string) (tasks.Task, error)
	AddTask(ctx context.Context, n TaskFields) (tasks.Task, error)
	UpdateTask(ctx context.Context, id string, f TaskFields) (TaskChange, error)
	CloseTask(ctx context.Context, id, reason string) (TaskChange, error)
	ImportTasks(ctx context.Context, from io.Reader) (task.Report, error)
}

// ErrOff says that what is wanted is switched off in the configuration. What wraps it says
// why.
var ErrOff = errors.New("it is switched off")

// MostTasks is how many tasks are listed at most.
const MostTasks = 1000

// A TaskPage is a list of tasks, and how many there are without its limit.
type TaskPage struct {
	Tasks []tasks.Task `json:"tasks"`
	Total int          `json:"total"`
}

// TaskFields are what is said about a task; what is nil is not.
type TaskFields struct {
	Title       *string   `json:"title,omitempty"`
	Description *string   `json:"description,omitempty"`
	Priority    *int      `json:"priority,omitempty"`
	Status      *string   `json:"status,omitempty"`
	Labels      *[]string `json:"labels,omitempty"`
	Reason      *string   `json:"reason,omitempty"` // of closing it
}

// A TaskChange is a task and what of it has become different: nothing, where it was so
// already.
type TaskChange struct {
	Task    tasks.Task `json:"task"`
	Changed []string   `json:"changed"`
}

// usualPriority is that of a task of which nobody says how urgent it is.
const usualPriority = 2

// operating is who changes tasks through the commands and the API.
var operating = tasks.By{Platform: "operator", Name: "operator"}

// CheckTasks says what is wrong with a query, for whoever asked.
func CheckTasks(q tasks.Query) error {
	if q.Limit < 1 || q.Limit > MostTasks {
		return tasks.Mistake(fmt.Sprintf("limit is a whole number from 1 to %d", MostTasks))
	}
	if q.Status != "" && q.Status != tasks.All && !slices.Contains(tasks.Statuses(), q.Status) {
		return tasks.Mistake("status is one of open, in_progress, blocked, closed, all")
	}
	return nil
}

// board is the board, unless tasks are switched off.
func (l Local) board() (*task.Board, error) {
	if l.Off != nil {
		if why := l.Off("tasks"); why != "" {
			return nil, fmt.Errorf("%s (%w in the configuration)", why, ErrOff)
		}
	}
	if l.Board == nil {
		return nil, errors.New("nobody has said how tasks are kept")
	}
	return l.Board, nil
}

// ListTasks returns tasks, the most urgent first.
func (l Local) ListTasks(ctx context.Context, q tasks.Query) (page TaskPage, err error) {
	b, err := l.board()
	if err == nil {
		err = CheckTasks(q)
	}
	if err == nil {
		page.Tasks, page.Total, err = b.List(ctx, q)
	}
	return page, err
}

// Task returns a task with its history.
func (l Local) Task(ctx context.Context, id string) (tasks.Task, error) {
	b, err := l.board()
	if err != nil {
		return tasks.Task{}, err
	}
	return b.Show(ctx, id)
}

// AddTask makes a task.
func (l Local) AddTask(ctx context.Context, f TaskFields) (tasks.Task, error) {
	b, err := l.board()
	if err != nil {
		return tasks.Task{}, err
	}
	if f.Status != nil || f.Reason != nil {
		return tasks.Task{}, tasks.Mistake("a new task is open; leave out status and reason")
	}
	n := tasks.New{Priority: usualPriority}
	set(&n.Title, f.Title)
	set(&n.Description, f.Description)
	set(&n.Priority, f.Priority)
	set(&n.Labels, f.Labels)
	return b.Create(ctx, operating, n)
}

// set gives a field the value that it is to have, if there is one.
func set[T any](field, to *T) {
	if to != nil {
		*field = *to
	}
}

// UpdateTask changes a task.
func (l Local) UpdateTask(ctx context.Context, id string, f TaskFields) (c TaskChange, err error) {
	b, err := l.board()
	if err != nil {
		return c, err
	}
	if f == (TaskFields{}) {
		return c, tasks.Mistake("say what is to be different: title, description, priority, status or labels")
	}
	c.Task, c.Changed, err = b.Update(ctx, operating, id, tasks.Change(f))
	return c.whole(), err
}

// CloseTask closes a task.
func (l Local) CloseTask(ctx context.Context, id, reason string) (c TaskChange, err error) {
	b, err := l.board()
	if err != nil {
		return c, err
	}
	c.Task, c.Changed, err = b.Close(ctx, operating, id, reason)
	return c.whole(), err
}

// whole has a list in JSON where nothing has changed.
func (c TaskChange) whole() TaskChange {
	c.Changed = append([]string{}, c.Changed...)
	return c
}

// ImportTasks adds tasks from JSON Lines.
func (l Local) ImportTasks(ctx context.Context, from io.Reader) (task.Report, error) {
	b, err := l.board()
	if err != nil {
		return task.Report{}, err
	}
	return b.Import(ctx, operating, from)
}

// ListTasks returns tasks, the most urgent first.
func (r Remote) ListTasks(ctx context.Context, q tasks.Query) (page TaskPage, err error) {
	if err := CheckTasks(q); err != nil {
		return page, err
	}
	values := url.Values{"limit": {strconv.Itoa(q.Limit)}}
	if q.Status != "" {
		values.Set("status", q.Status)
	}
	if q.Label != "" {
		values.Set("label", q.Label)
	}
	err = r.ask(ctx, http.MethodGet, "/api/v1/tasks?"+values.Encode(), nil, &page)
	return page, err
}

// Task returns a task with its history.
func (r Remote) Task(ctx context.Context, id string) (t tasks.Task, err error) {
	err = r.ask(ctx, http.MethodGet, taskPath(id), tasks.ErrNoTask, &t)
	return t, err
}

// AddTask makes a task.
func (r Remote) AddTask(ctx context.Context, f TaskFields) (t tasks.Task, err error) {
	err = r.give(ctx, "/api/v1/tasks", f, nil, &t)
	return t, err
}

// UpdateTask changes a task.
func (r Remote) UpdateTask(ctx context.Context, id string, f TaskFields) (c TaskChange, err error) {
	err = r.give(ctx, taskPath(id), f, tasks.ErrNoTask, &c)
	return c, err
}

// CloseTask closes a task.
func (r Remote) CloseTask(ctx context.Context, id, reason string) (c TaskChange, err error) {
	err = r.give(ctx, taskPath(id)+"/close", TaskFields{Reason: &reason}, tasks.ErrNoTask, &c)
	return c, err
}

// ImportTasks adds tasks from JSON Lines.
func (r Remote) ImportTasks(ctx context.Context, from io.Reader) (report task.Report, err error) {
	err = r.send(ctx, http.MethodPost, "/api/v1/tasks/import", from, nil, &report)
	return report, err
}

func taskPath(id string) string { return "/api/v1/tasks/" + url.PathEscape(id) }

// give posts a value as JSON.
func (r Remote) give(ctx context.Context, path string, value any, missing error, into any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	return r.send(ctx, http.MethodPost, path, bytes.NewReader(body), missing, into)
}
