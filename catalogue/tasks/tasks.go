// Package tasks holds the actions with which an agent keeps the board: what is to be done,
// shared by everyone who may talk to it.
//
// Before changing it, know that a Task is also the JSON of the API and of the commands.
package tasks

import (
	"context"
	"errors"
	"time"

	"github.com/asidehq/aside/action"
)

const category = "tasks"

// A Task is something that is to be done.
type Task struct {
	ID          string     `json:"id"`     // ws-001
	Number      string     `json:"number"` // 001
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Priority    int        `json:"priority"` // 0 is the most urgent
	Status      string     `json:"status"`
	Labels      []string   `json:"labels"`
	By          string     `json:"by"`                 // who made it: what they are called
	Person      string     `json:"person,omitempty"`   // and platform/id, where that is known
	Room        string     `json:"room,omitempty"`     // where it was made: platform/id
	Thread      string     `json:"thread,omitempty"`   // that shows it: platform/id
	External    string     `json:"external,omitempty"` // what it is called elsewhere
	Created     time.Time  `json:"created"`
	Updated     time.Time  `json:"updated"`
	Closed      *time.Time `json:"closed,omitempty"`
	Reason      string     `json:"reason,omitempty"`  // why it was closed
	History     []Entry    `json:"history,omitempty"` // where it was asked for

	// NoThread is set where a label says that no forum shows it.
	NoThread bool `json:"no_thread,omitempty"`

	// Changed moves on with every change of the task here.
	Changed time.Time `json:"-"`
}

// An Entry says who has changed what of a task.
type Entry struct {
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	What string    `json:"what"`
}

// Statuses are all that a task can have.
func Statuses() []string { return []string{Open, InProgress, Blocked, Closed} }

const (
	Open       = "open"
	InProgress = "in_progress"
	Blocked    = "blocked"
	Closed     = "closed"
)

// By is who does something to the board.
type By struct {
	Key      string // the same whenever the very same thing is done again; "" is none
	Platform string
	Room     string
	Person   string // the platform's id
	Name     string
}

// New is a task that is to be made.
type New struct {
	Title       string
	Description string
	Priority    int
	Labels      []string
}

// A Change is what is to be different about a task; what is nil stays.
type Change struct {
	Title       *string
	Description *string
	Priority    *int
	Status      *string
	Labels      *[]string
	Reason      *string // why it is closed
}

// A Query says which tasks are wanted.
type Query struct {
	Status string // "" is every one that is not closed, All every one
	Label  string
	Limit  int // 0 is all
}

// All is the status of a query for tasks of every status.
const All = "all"

// ErrNoTask says that there is no such task.
var ErrNoTask = errors.New("there is no such task")

// A Mistake is what is wrong with what was asked for, for whoever asked.
type Mistake string

func (m Mistake) Error() string { return string(m) }

// A Board keeps tasks. An id may be ws-001, 001, 1, or the thread that shows the task. Its
// errors are ErrNoTask, a Mistake, or that nothing can be read or stored.
type Board interface {
	// Create makes a task, once for each key.
	Create(ctx context.Context, by By, n New) (Task, error)
	// Update changes a task and tells what of it, which is nothing where all is as wanted.
	Update(ctx context.Context, by By, id string, c Change) (t Task, what []string, err error)
	// Close closes a task, and tells nothing where it is closed already.
	Close(ctx context.Context, by By, id, reason string) (t Task, what []string, err error)
	// Show returns a task with its history.
	Show(ctx context.Context, id string) (Task, error)
	// List returns tasks, the most urgent first, and how many there are without the limit.
	List(ctx context.Context, q Query) (all []Task, total int, err error)
}

// A Forum shows tasks as threads. Its reports and errors are for a person.
type Forum interface {
	// Sync compares the board with the threads and mends what differs.
	Sync(ctx context.Context) (report string, err error)
	// ReloadTags reads anew which labels have which of the forum's tags.
	ReloadTags(ctx context.Context) (report string, err error)
}

// by is who has asked for a call.
func by(c action.Call) By {
	return By{Key: c.Key, Platform: c.Platform, Room: c.Room, Person: c.Person, Name: c.Name}
}
