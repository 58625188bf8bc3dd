package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

const taskColumns = `SELECT id, prefix, number, key, title, description, priority, status, labels, platform, person, name, room, thread,
	external_ref, close_reason, created, updated, closed, changed FROM task `

func scanTask(row interface{ Scan(...any) error }) (t Task, err error) {
	var (
		labels, thread                    string
		created, updated, closed, changed int64
	)
	err = row.Scan(&t.row, &t.Prefix, &t.Number, &t.Key, &t.Title, &t.Description, &t.Priority, &t.Status, &labels,
		&t.Creator.Platform, &t.Creator.Person, &t.Creator.Name, &t.Room, &thread,
		&t.ExternalRef, &t.CloseReason, &created, &updated, &closed, &changed)
	t.Labels = strings.Fields(labels)
	t.Thread.Platform, t.Thread.ID, _ = strings.Cut(thread, "/")
	t.Created, t.Updated, t.Changed = unstamp(created), unstamp(updated), unstamp(changed)
	if closed != 0 {
		t.Closed = unstamp(closed)
	}
	return t, err
}

// findTask finds the task that a name means, or ErrNoSuchTask.
func findTask(ctx context.Context, row func(ctx context.Context, query string, args ...any) *sql.Row, name TaskName) (Task, error) {
	find := func(where string, args ...any) (Task, error) {
		return scanTask(row(ctx, taskColumns+where+` ORDER BY id LIMIT 1`, args...))
	}
	task, err := Task{}, sql.ErrNoRows
	if name.Number > 0 {
		task, err = find(`WHERE prefix = ? AND number = ?`, name.Prefix, name.Number)
	}
	if errors.Is(err, sql.ErrNoRows) && strings.Contains(name.Thread, "/") {
		task, err = find(`WHERE thread <> '' AND thread = ?`, name.Thread)
	} else if errors.Is(err, sql.ErrNoRows) && name.Thread != "" {
		task, err = find(`WHERE thread <> '' AND thread LIKE ? ESCAPE '!'`, "%/"+literal(name.Thread))
	}
	if errors.Is(err, sql.ErrNoRows) && name.Ref != "" {
		task, err = find(`WHERE external_ref <> '' AND external_ref = ?`, name.Ref)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoSuchTask
	}
	return task, err
}

// literal is a text that LIKE takes for nothing but itself, with ! before what it would not.
func literal(text string) string {
	return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text)
}

// Task returns the task of a name, or ErrNoSuchTask.
func (s *Store) Task(ctx context.Context, name TaskName) (Task, error) {
	task, err := findTask(ctx, s.queryRow, name)
	if err != nil {
		return Task{}, fmt.Errorf("read a task: %w", err)
	}
	return task, nil
}

// TaskHistory returns what has become of a task, oldest first: its latest entries, so many
// at most.
func (s *Store) TaskHistory(ctx context.Context, task Task, most int) ([]TaskChange, error) {
	rows, err := s.query(ctx, `SELECT platform, person, name, what, at FROM
		(SELECT * FROM task_change WHERE task = ? ORDER BY id DESC`+limit+`) AS latest ORDER BY id`, task.row, most)
	if err == nil {
		var all []TaskChange
		if all, err = readAll(rows, func(rows *sql.Rows, c *TaskChange) error {
			var at int64
			err := rows.Scan(&c.By.Platform, &c.By.Person, &c.By.Name, &c.What, &at)
			c.At = unstamp(at)
			return err
		}); err == nil {
			return all, nil
		}
	}
	return nil, fmt.Errorf("read the history of task %s: %w", task.ID(), err)
}

// A TaskQuery says which tasks are wanted; what is not set does not matter.
type TaskQuery struct {
	Status TaskStatus // "" is all that are not closed, unless All is set
	All    bool
	Label  string
	Limit  int // how many at most; 0 is all
}

// Tasks returns tasks, the most urgent first, and of those the oldest. total is how many
// there are without the limit.
func (s *Store) Tasks(ctx context.Context, q TaskQuery) (all []Task, total int, err error) {
	where, args := q.where()
	if err := s.queryRow(ctx, `SELECT COUNT(*) FROM task `+where, args...).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("read the tasks: %w", err)
	}
	query := taskColumns + where + ` ORDER BY priority, created, id`
	if q.Limit > 0 {
		query += limit
		args = append(args, q.Limit)
	}
	rows, err := s.query(ctx, query, args...)
	if err == nil {
		if all, err = readAll(rows, func(rows *sql.Rows, t *Task) (err error) { *t, err = scanTask(rows); return err }); err == nil {
			return all, total, nil
		}
	}
	return nil, 0, fmt.Errorf("read the tasks: %w", err)
}

func (q TaskQuery) where() (string, []any) {
	where := []string{"1 = 1"}
	var args []any
	switch {
	case q.Status != "":
		where, args = append(where, "status = ?"), append(args, q.Status)
	case !q.All:
		where = append(where, "status <> 'closed'")
	}
	if q.Label != "" {
		where, args = append(where, "labels LIKE ? ESCAPE '!'"), append(args, "% "+literal(q.Label)+" %")
	}
	return `WHERE ` + strings.Join(where, " AND "), args
}
