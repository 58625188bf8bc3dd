package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Task is something that is to be done, on the board that all rooms share.
type Task struct {
	row int64

	Prefix      string // and number are its name
	Number      int
	Key         string // of what made it: the same key is the same task; "" is none
	Title       string
	Description string
	Priority    int // 0 is the most urgent
	Status      TaskStatus
	Labels      []string
	Creator     Author
	Room        string        // where it was made, on the creator's platform
	Thread      platform.Room // of a forum that shows it; without an ID there is none
	ExternalRef string        // what it is called elsewhere
	CloseReason string
	Created     time.Time
	Updated     time.Time
	Closed      time.Time // zero while it is open

	// Changed is when it was last written here, and moves on with every change: whoever
	// shows tasks elsewhere compares it with what they have shown.
	Changed time.Time
}

// ID is a task's name: ws-001.
func (t Task) ID() string { return fmt.Sprintf("%s-%03d", t.Prefix, t.Number) }

// An Author is who has made or changed a task.
type Author struct{ Platform, Person, Name string }

// A TaskStatus is how far a task is.
type TaskStatus string

const (
	TaskOpen       TaskStatus = "open"
	TaskInProgress TaskStatus = "in_progress"
	TaskBlocked    TaskStatus = "blocked"
	TaskClosed     TaskStatus = "closed"
)

// TaskStatuses are all statuses, in order.
func TaskStatuses() []TaskStatus {
	return []TaskStatus{TaskOpen, TaskInProgress, TaskBlocked, TaskClosed}
}

// A TaskChange is an entry of a task's history.
type TaskChange struct {
	Key  string // of what made it; "" is none
	By   Author
	What string
	At   time.Time
}

// A TaskName is how a task was called; the first of these that there is counts.
type TaskName struct {
	Prefix string // with a number
	Number int
	Thread string // platform/id, or the id alone
	Ref    string // what it is called elsewhere
}

// ErrNoSuchTask says that no task is called so.
var ErrNoSuchTask = errors.New("there is no such task")

// AddTask stores a task, once for each key: fresh tells whether it was not there before,
// and the task is what is stored. Without a number it gets the next one of its prefix; one
// that is taken is replaced by the next one. Without a history it begins with its making.
func (t Tx) AddTask(ctx context.Context, task Task, by Author, history ...TaskChange) (stored Task, fresh bool, err error) {
	stored, fresh, err = t.addTask(ctx, task, by, history)
	if err != nil {
		err = fmt.Errorf("store a task: %w", err)
	}
	return stored, fresh, err
}

func (t Tx) addTask(ctx context.Context, task Task, by Author, history []TaskChange) (Task, bool, error) {
	if err := t.lockTasks(ctx); err != nil {
		return Task{}, false, err
	}
	earlier, err := scanTask(t.row(ctx, taskColumns+`WHERE key <> '' AND key = ?`, task.Key))
	if !errors.Is(err, sql.ErrNoRows) {
		return earlier, false, err
	}
	if task.Number, err = t.taskNumber(ctx, task.Prefix, task.Number); err != nil {
		return Task{}, false, err
	}
	now := t.s.now().Truncate(time.Microsecond)
	if task.Created.IsZero() {
		task.Created = now
	}
	if task.Updated.IsZero() {
		task.Updated = now
	}
	task.Changed = now
	err = t.row(ctx, `INSERT INTO task (prefix, number, key, title, description, priority, status, labels, platform, person, name, room, thread,
			external_ref, close_reason, created, updated, closed, changed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		task.Prefix, task.Number, task.Key, task.Title, task.Description, task.Priority, task.Status, spaced(task.Labels),
		task.Creator.Platform, task.Creator.Person, task.Creator.Name, task.Room, threadText(task.Thread),
		task.ExternalRef, task.CloseReason, stamp(task.Created), stamp(task.Updated), zeroStamp(task.Closed), stamp(task.Changed)).Scan(&task.row)
	if err != nil {
		return Task{}, false, err
	}
	if len(history) == 0 {
		history = []TaskChange{{Key: task.Key, By: by, What: "made", At: now}}
	}
	for _, change := range history {
		if err := t.noteTask(ctx, task.row, change); err != nil {
			return Task{}, false, err
		}
	}
	return task, true, t.tell(ctx, TasksChanged, "")
}

// taskNumber is the number that a task gets: the one that is wanted if it is free.
func (t Tx) taskNumber(ctx context.Context, prefix string, wanted int) (int, error) {
	if wanted > 0 {
		var taken bool
		if err := t.row(ctx, `SELECT EXISTS (SELECT 1 FROM task WHERE prefix = ? AND number = ?)`, prefix, wanted).Scan(&taken); err != nil {
			return 0, err
		}
		if !taken {
			_, err := t.exec(ctx, `INSERT INTO task_number (prefix, last) VALUES (?, ?)
				ON CONFLICT (prefix) DO UPDATE SET last = excluded.last WHERE task_number.last < excluded.last`, prefix, wanted)
			return wanted, err
		}
	}
	var next int
	err := t.row(ctx, `INSERT INTO task_number (prefix, last) VALUES (?, 1)
		ON CONFLICT (prefix) DO UPDATE SET last = task_number.last + 1 RETURNING last`, prefix).Scan(&next)
	return next, err
}

// ChangeTask has change change a task, and say what of it: that is stored and noted in the
// task's history. If it says nothing, nothing is. The same key does it once: afterwards what
// was changed then is returned. The task is what is stored in the end.
func (t Tx) ChangeTask(ctx context.Context, name TaskName, key string, by Author, change func(*Task) (what []string, err error)) (Task, []string, error) {
	if err := t.lockTasks(ctx); err != nil {
		return Task{}, nil, fmt.Errorf("change a task: %w", err)
	}
	task, err := findTask(ctx, t.row, name)
	if err != nil {
		return Task{}, nil, fmt.Errorf("change a task: %w", err)
	}
	what, err := t.changedBefore(ctx, task.row, key)
	if err != nil || len(what) > 0 {
		return task, what, err
	}
	if what, err = change(&task); err != nil || len(what) == 0 {
		return task, nil, err
	}
	now := t.s.now().Truncate(time.Microsecond)
	task.Updated = now
	if err := t.saveTask(ctx, &task, now); err != nil {
		return Task{}, nil, fmt.Errorf("change task %s: %w", task.ID(), err)
	}
	for _, one := range what {
		if err := t.noteTask(ctx, task.row, TaskChange{Key: key, By: by, What: one, At: now}); err != nil {
			return Task{}, nil, fmt.Errorf("change task %s: %w", task.ID(), err)
		}
	}
	return task, what, nil
}

// Task returns the task of a name, or ErrNoSuchTask. Until the transaction ends nobody else
// changes the board.
func (t Tx) Task(ctx context.Context, name TaskName) (Task, error) {
	if err := t.lockTasks(ctx); err != nil {
		return Task{}, fmt.Errorf("read a task: %w", err)
	}
	task, err := findTask(ctx, t.row, name)
	if err != nil {
		return Task{}, fmt.Errorf("read a task: %w", err)
	}
	return task, nil
}

// changedBefore is what of a task was changed with a key.
func (t Tx) changedBefore(ctx context.Context, row int64, key string) ([]string, error) {
	rows, err := t.rows(ctx, `SELECT what FROM task_change WHERE task = ? AND key <> '' AND key = ? ORDER BY id`, row, key)
	if err == nil {
		var what []string
		if what, err = readAll(rows, func(rows *sql.Rows, one *string) error { return rows.Scan(one) }); err == nil {
			return what, nil
		}
	}
	return nil, fmt.Errorf("read the history of a task: %w", err)
}

func (t Tx) saveTask(ctx context.Context, task *Task, now time.Time) error {
	if !now.After(task.Changed) { // a clock may stand still, the stamp may not
		now = task.Changed.Add(time.Microsecond)
	}
	task.Changed = now
	_, err := t.exec(ctx, `UPDATE task SET title = ?, description = ?, priority = ?, status = ?, labels = ?, close_reason = ?, updated = ?, closed = ?, changed = ? WHERE id = ?`,
		task.Title, task.Description, task.Priority, task.Status, spaced(task.Labels), task.CloseReason,
		stamp(task.Updated), zeroStamp(task.Closed), stamp(task.Changed), task.row)
	if err != nil {
		return err
	}
	return t.tell(ctx, TasksChanged, "")
}

func (t Tx) noteTask(ctx context.Context, row int64, c TaskChange) error {
	_, err := t.exec(ctx, `INSERT INTO task_change (task, key, platform, person, name, what, at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		row, c.Key, c.By.Platform, c.By.Person, c.By.Name, c.What, stamp(c.At))
	return err
}

// SetTaskThread notes which thread shows a task, unless that has changed meanwhile: was is
// what it is thought to be. It is no change of the task. set tells whether it was noted.
func (t Tx) SetTaskThread(ctx context.Context, name TaskName, was, thread platform.Room) (set bool, err error) {
	task, err := findTask(ctx, t.row, name)
	if err != nil {
		return false, fmt.Errorf("note the thread of a task: %w", err)
	}
	done, err := t.exec(ctx, `UPDATE task SET thread = ? WHERE id = ? AND thread = ?`, threadText(thread), task.row, threadText(was))
	if err != nil {
		return false, fmt.Errorf("note the thread of task %s: %w", task.ID(), err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// lockTasks makes those who change the board wait for each other.
func (t Tx) lockTasks(ctx context.Context) error { return t.lockSession(ctx, "the task board") }

// spaced is a list of labels as it stands in the table.
func spaced(labels []string) string { return " " + strings.Join(labels, " ") + " " }

func threadText(r platform.Room) string {
	if r.ID == "" {
		return ""
	}
	return r.String()
}

// zeroStamp is stamp, and 0 for no time.
func zeroStamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return stamp(t)
}
