package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Plans is what the actions, the commands and the API work on: the files and what the store
// knows of them.
type Plans struct {
	Store   *store.Store
	Folder  *Folder
	Project string // the directory that plans are about, "" for none
	Now     func() time.Time
	Logger  *slog.Logger

	// Tasks is the board on which a plan has its task; nil is none.
	Tasks Tasks

	// Display shows the state of a run in its room, in the transaction that changes it; nil
	// shows nothing.
	Display func(ctx context.Context, tx store.Tx, s Shown) error

	// Await tells the queue that something may have been opened; nil where none runs.
	Await func(time.Time)

	// Halt cancels what is being asked in a session, in whatever process; nil cancels
	// nothing.
	Halt func(session string)

	// Changed is called when a file is to be written; nil where nobody does.
	Changed func()
}

var _ plans.Plans = (*Plans)(nil)

// Tasks is the board, as far as plans need it.
type Tasks interface {
	// Create makes a task, once for each key, and returns its id.
	Create(ctx context.Context, key string, by store.Asker, title, description string) (id string, err error)

	// Close closes a task in a transaction. One that is closed or gone already is no error.
	Close(ctx context.Context, tx store.Tx, key string, by store.Asker, id, reason string) error
}

// Shown is a text that stands in a room, and becomes another one when it is shown again
// with the same key.
type Shown struct {
	Key     string
	Room    platform.Room
	ReplyTo string // the message that it answers, "" for none
	Text    string
	Over    bool // the text is the last one
}

func mistake(format string, a ...any) error { return plans.Mistake(fmt.Sprintf(format, a...)) }

// readable makes a mistake of what a person can do something about.
func readable(err error) error {
	var problem *Problem
	switch {
	case errors.As(err, &problem):
		return mistake("%v", problem)
	case errors.Is(err, ErrNoPlan):
		return plans.NoPlan
	case errors.Is(err, ErrBusy):
		return mistake("%v", err)
	}
	return err
}

func askerOf(by plans.By) store.Asker {
	return store.Asker{Room: by.Room, Parent: by.Parent, Direct: by.Direct, Person: by.Person}
}

// Create makes a plan and the task behind it, once for each key. After a crash it goes on
// where it was: the number is stored first, then the task, then the file.
func (p *Plans) Create(ctx context.Context, by plans.By, description, more string) (plans.Plan, error) {
	if strings.TrimSpace(description) == "" {
		return plans.Plan{}, mistake("a plan needs a description of what is to be done")
	}
	last, err := p.Folder.Last()
	if err != nil {
		return plans.Plan{}, err
	}
	stored, err := p.Store.AddPlan(ctx, store.Plan{Key: by.Key, By: askerOf(by)}, last)
	if err != nil {
		return plans.Plan{}, err
	}
	if stored.Task == "" && p.Tasks != nil {
		if err := p.addTask(ctx, stored, by.Key, description); err != nil {
			return plans.Plan{}, err
		}
	}
	d, err := New(Beginning{
		Number: stored.Number, Task: stored.Task, Created: stored.Created, Project: projectName(p.Project),
		Description: description, Context: more,
	})
	if err != nil {
		return plans.Plan{}, readable(err)
	}
	file, err := p.Folder.Create(stored.Number, d)
	if err != nil {
		return plans.Plan{}, readable(err)
	}
	return p.shown(ctx, file, stored)
}

// addTask makes the task behind a plan.
func (p *Plans) addTask(ctx context.Context, stored *store.Plan, key, description string) error {
	title := IDOf(stored.Number) + ": " + Name(description)
	id, err := p.Tasks.Create(ctx, key+"/task", stored.By, title, clipTo(strings.TrimSpace(description), longestTask))
	if err != nil {
		return err
	}
	stored.Task = id
	return p.Store.In(ctx, func(tx store.Tx) error { return tx.SavePlan(ctx, stored) })
}

// longestTask is how much of a description its task repeats.
const longestTask = 1500

func projectName(dir string) string {
	if dir == "" {
		return ""
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return filepath.Base(dir)
	}
	return filepath.Base(whole)
}

// List are the plans with a status, "" for all.
func (p *Plans) List(ctx context.Context, status string) (all []plans.Plan, wrong []string, err error) {
	var only Status
	if status != "" {
		if only, err = ReadStatus(status); err != nil {
			return nil, nil, mistake("%v", err)
		}
	}
	files, problems, err := p.Folder.List()
	if err != nil {
		return nil, nil, err
	}
	known, err := p.Store.Plans(ctx)
	if err != nil {
		return nil, nil, err
	}
	byNumber := map[int]*store.Plan{}
	for _, s := range known {
		byNumber[s.Number] = s
	}
	all = []plans.Plan{}
	for _, file := range files {
		shown, err := p.shown(ctx, file, byNumber[Number(file.ID())])
		if err != nil {
			return nil, nil, err
		}
		if only == "" || shown.Status == string(only) {
			all = append(all, shown)
		}
	}
	for _, problem := range problems {
		wrong = append(wrong, problem.Error())
	}
	return all, wrong, nil
}

// Show is the plan that somebody means, with its text.
func (p *Plans) Show(ctx context.Context, id string) (plans.Plan, error) {
	file, err := p.find(id)
	if err != nil {
		return plans.Plan{}, readable(err)
	}
	stored, err := p.Store.Plan(ctx, Number(file.ID()))
	if err != nil {
		return plans.Plan{}, err
	}
	shown, err := p.shown(ctx, file, stored)
	shown.Text = file.String()
	return shown, err
}

// find is the file of the plan that somebody means: by its id or number, or its task.
func (p *Plans) find(id string) (*File, error) {
	if number := Number(id); number > 0 {
		return p.Folder.Read(number)
	}
	files, _, err := p.Folder.List()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if task := file.Header(Task); task != "" && strings.EqualFold(task, strings.TrimSpace(id)) {
			return file, nil
		}
	}
	return nil, ErrNoPlan
}

// shown is a plan as it is shown; stored is nil where a person has put the file there.
func (p *Plans) shown(ctx context.Context, file *File, stored *store.Plan) (plans.Plan, error) {
	shown := plans.Plan{
		ID: file.ID(), Title: file.Title(), Status: string(file.Status()), Task: file.Header(Task),
		File: path.Join("plans", filepath.Base(p.Folder.Path(file))), Project: file.Header(Project),
	}
	if made, err := time.Parse(time.RFC3339, file.Header(Created)); err == nil {
		shown.Created = made
	}
	if stored == nil {
		return shown, nil
	}
	shown.Created, shown.In, shown.Maker = stored.Created, stored.By.Room, stored.By.Person.ID
	if stored.By.Room != (platform.Room{}) {
		shown.By, shown.Room = stored.By.Person.Name, stored.By.Room.String()
		shown.Person = stored.By.Room.Platform + "/" + stored.By.Person.ID
	}
	if stored.Wanted != "" {
		shown.Status = string(wantedStatus(file.Status(), Status(stored.Wanted)))
	}
	phases, err := p.Store.PlanPhases(ctx, stored.Number)
	if err != nil {
		return shown, err
	}
	for _, phase := range phases {
		shown.Phases = append(shown.Phases, shownPhase(phase))
	}
	run, err := p.Store.LastPlanRun(ctx, stored.Number)
	if run != nil {
		shown.Run = &plans.Run{Number: run.Number, State: string(run.State), Note: run.Note, Began: run.Began}
		if run.State == store.RunRunning {
			shown.Status = string(Implementing)
		}
	}
	return shown, err
}

func shownPhase(phase store.PlanPhase) plans.Phase {
	shown := plans.Phase{Number: phase.Ordinal, Kind: phase.Kind, Title: phase.Title, State: string(phase.State)}
	var e evidence
	if phase.Evidence != "" && json.Unmarshal([]byte(phase.Evidence), &e) == nil {
		shown.Did, shown.Checks, shown.Problems, shown.Note = e.Did, e.Checks, e.Problems, e.Note
	}
	return shown
}

// known is what the store knows of the plan in a file. One that a person has put there is
// noted now, as nobody's.
func (p *Plans) known(ctx context.Context, file *File) (*store.Plan, error) {
	number := Number(file.ID())
	stored, err := p.Store.Plan(ctx, number)
	if stored != nil || err != nil {
		return stored, err
	}
	return p.Store.AddPlan(ctx, store.Plan{Number: number, Key: "file/" + file.ID(), Task: file.Header(Task)}, 0)
}

// clipTo is the beginning of a text, of at most so many characters.
func clipTo(text string, most int) string {
	if all := []rune(text); len(all) > most {
		return strings.TrimSpace(string(all[:most-1])) + "…"
	}
	return text
}
