package forge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/forges"
	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/plan"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A Forge forges plans, one at a time.
type Forge struct {
	Store  *store.Store
	Plans  Plans
	Folder *plan.Folder
	Logger *slog.Logger

	// Rounds is how often a draft is audited at most.
	Rounds int

	// Files are the names of the project's files; nil is none.
	Files func() []string

	// Opened is called when a step was opened that somebody has to take up; nil where
	// nobody runs on the store.
	Opened func()

	// Shown is called when there is something new to show; nil where nobody shows it.
	Shown func()

	// Stop stops the turn of a session, in whichever process it runs, if it comes before
	// another one.
	Stop func(session string, before int64)

	// May tells why somebody may not decide about what somebody has made in a room, nil if
	// they may. A nil one lets everybody.
	May func(ctx context.Context, c action.Call, in platform.Room, maker, what string) error
}

// Plans are the plans as a forge needs them. What a person can do something about is a
// plans.Mistake.
type Plans interface {
	// Create makes a plan, a draft with a task behind it, once for each key.
	Create(ctx context.Context, by plans.By, description, more string) (plans.Plan, error)

	// Show is the plan that somebody means: plan-001, 001, 1 or its task.
	Show(ctx context.Context, id string) (plans.Plan, error)
}

var _ forges.Forges = (*Forge)(nil)

func refuse(format string, a ...any) error { return forges.Mistake(fmt.Sprintf(format, a...)) }

// Create makes a plan of a description and begins to forge it, once for each key of a call.
func (f *Forge) Create(ctx context.Context, c action.Call, description, more string) (forges.Forge, error) {
	if before, err := f.Store.ForgeByKey(ctx, c.Key); before != nil || err != nil {
		return told(before, err)
	}
	if err := f.free(ctx); err != nil {
		return forges.Forge{}, err
	}
	made, err := f.Plans.Create(ctx, by(c), description, more)
	if err != nil {
		return told(nil, err)
	}
	row := begun(c, made.ID)
	row.Description, row.Context, row.State = description, more, store.Drafting
	var files []string
	if f.Files != nil {
		files = f.Files()
	}
	err = f.begin(ctx, row, func(*plan.Document) string { return draftText(row, files) })
	var running *store.ForgeRunning
	if errors.As(err, &running) { // it has begun since
		err = refuse("%s was made and is a draft, but %v; forgeResume %s goes on with it then", row.Plan, running, row.Plan)
	}
	return told(row, err)
}

// free tells which forge is in the way of another one, nil if there is none.
func (f *Forge) free(ctx context.Context) error {
	running, err := f.Store.RunningForge(ctx)
	if running == nil || err != nil {
		return err
	}
	return forges.Mistake((&store.ForgeRunning{Plan: running.Plan}).Error())
}

// Resume goes on with a plan that is a draft or in review, beginning with an audit.
func (f *Forge) Resume(ctx context.Context, c action.Call, name string) (forges.Forge, error) {
	if before, err := f.Store.ForgeByKey(ctx, c.Key); before != nil || err != nil {
		return told(before, err)
	}
	if err := f.free(ctx); err != nil {
		return forges.Forge{}, err
	}
	found, err := f.Plans.Show(ctx, name)
	if err != nil {
		return told(nil, err)
	}
	if err := f.resumable(ctx, c, found); err != nil {
		return told(nil, err)
	}
	row := begun(c, found.ID)
	row.State, row.Round, row.Resumed = store.Auditing, 1, true
	last, err := f.Store.LastForge(ctx, row.Plan)
	if err != nil {
		return told(nil, err)
	}
	if last != nil {
		row.Description, row.Context = last.Description, last.Context
	}
	err = f.begin(ctx, row, func(d *plan.Document) string { return auditText(row, d, nil) })
	return told(row, err)
}

// resumable tells why a plan cannot be forged again, nil if it can.
func (f *Forge) resumable(ctx context.Context, c action.Call, p plans.Plan) error {
	if err := f.may(ctx, c, p.In, p.Maker, p.ID); err != nil {
		return err
	}
	switch status := plan.Status(p.Status); {
	case status == plan.Implementing:
		return refuse("%s is being implemented; wait until its run has ended", p.ID)
	case status == plan.Approved:
		return refuse("%s is approved; change its status to %s in the file to have it forged again", p.ID, plan.Draft)
	case status.Over():
		return refuse("%s is %s, and that is its end; forgeCreate makes a new one", p.ID, status)
	}
	return nil
}

// may tells why somebody may not decide about something, nil if they may.
func (f *Forge) may(ctx context.Context, c action.Call, in platform.Room, maker, what string) error {
	if f.May == nil || c.Turn == 0 { // which no turn has made: the operator asks
		return nil
	}
	return f.May(ctx, c, in, maker, what)
}

// begun is a forge that somebody has asked for.
func begun(c action.Call, id string) *store.Forge {
	b := by(c)
	return &store.Forge{Key: b.Key, Plan: id, Room: b.Room, Parent: b.Parent, Direct: b.Direct, Person: b.Person}
}

// by is who asks in a call.
func by(c action.Call) plans.By {
	return plans.By{
		Key: c.Key, Room: platform.Room{Platform: c.Platform, ID: c.Room}, Parent: c.Parent, Direct: c.Direct,
		Person: platform.Person{ID: c.Person, Name: c.Name, Handle: c.Handle}, Message: c.Message, Depth: c.Depth,
	}
}

// begin stores a forge and opens its first step. The plan is a draft from then on.
func (f *Forge) begin(ctx context.Context, row *store.Forge, text func(*plan.Document) string) error {
	err := f.Store.In(ctx, func(tx store.Tx) error {
		if fresh, err := tx.AddForge(ctx, row); err != nil || !fresh {
			return err
		}
		file, err := f.Folder.Change(plan.Number(row.Plan), func(d *plan.Document) error { return d.SetHeader(plan.State, string(plan.Draft)) })
		if err != nil {
			return err
		}
		if row.Base, err = json.Marshal(base(file.Document)); err != nil {
			return err
		}
		return f.open(ctx, tx, row, text(file.Document))
	})
	if err != nil {
		return err
	}
	f.woken()
	return nil
}

// woken tells whoever is to know that something was opened and is to be shown.
func (f *Forge) woken() {
	if f.Opened != nil {
		f.Opened()
	}
	if f.Shown != nil {
		f.Shown()
	}
}

// Cancel ends the forge that is running, whatever it does at the moment. The plan stays as
// it is.
func (f *Forge) Cancel(ctx context.Context, c action.Call) (forges.Forge, error) {
	if before, err := f.Store.ForgeCancelledBy(ctx, c.Key); before != nil || err != nil {
		return told(before, err)
	}
	running, err := f.Store.RunningForge(ctx)
	if err != nil {
		return told(nil, err)
	}
	if running == nil {
		return forges.Forge{}, forges.Mistake("no forge is running; forgeStatus shows the last one")
	}
	if err := f.may(ctx, c, running.Room, running.Person.ID, "the forge of "+running.Plan); err != nil {
		return told(nil, err)
	}
	var row *store.Forge
	err = f.Store.In(ctx, func(tx store.Tx) (err error) {
		if row, err = tx.TakeForge(ctx, running.ID); err != nil || !row.State.Running() {
			return err // or it has ended this moment
		}
		row.Cancel = c.Key
		return f.end(ctx, tx, row, store.CalledOff, "")
	})
	if err != nil {
		return told(nil, err)
	}
	// Whatever begins from here on finds that it was called off; see Revoked.
	f.Stop(session(row), row.Turn+1)
	f.woken()
	if row.State != store.CalledOff {
		return forges.Forge{}, refuse("the forge of %s has just ended; forgeStatus shows what it came to", row.Plan)
	}
	return told(row, nil)
}

// Status is the forge that is running, or else the last one.
func (f *Forge) Status(ctx context.Context) (forges.Forge, error) {
	row, err := f.Store.RunningForge(ctx)
	if row == nil && err == nil {
		row, err = f.Store.LastForge(ctx, "")
	}
	if row == nil && err == nil {
		err = forges.ErrNone
	}
	return told(row, err)
}

// sessions begin so.
const sessions = "forge/"

// session is the conversation that the steps of a forge belong to.
func session(row *store.Forge) string { return sessions + row.Plan }

// A step is what an errand of a forge has to know in the end.
type step struct {
	Forge int64
	Step  int
}

// roles are the models' by what they do.
var roles = map[store.ForgeState]string{
	store.Drafting: "forge-drafter", store.Revising: "forge-drafter", store.Auditing: "forge-auditor",
}

// open opens the next step of a forge, and stores and shows how far it has come.
func (f *Forge) open(ctx context.Context, tx store.Tx, row *store.Forge, text string) error {
	row.Step++
	more, err := json.Marshal(step{row.ID, row.Step})
	if err != nil {
		return err
	}
	opened, err := tx.Open(ctx, store.Errand{
		Key: fmt.Sprintf("%s/%d", job(row), row.Step), Flow: string(action.OnPlan), Session: session(row),
		Room: row.Room, Parent: row.Parent, Direct: row.Direct, Person: row.Person, Text: text, At: f.now(), Depth: 1,
		Brief: store.Brief{Job: job(row), Role: roles[row.State], Unposted: true, Alone: true, Plain: true, More: more},
	}, false)
	if err != nil {
		return err
	}
	row.Turn = opened.Turn
	return f.save(ctx, tx, row)
}

func (f *Forge) now() time.Time { return f.Store.Now() }

// job is what the errands of a forge are runs of.
func job(row *store.Forge) string { return fmt.Sprintf("forge-%d", row.ID) }

// save stores how far a forge has come, and has it shown.
func (f *Forge) save(ctx context.Context, tx store.Tx, row *store.Forge) error {
	if err := tx.SaveForge(ctx, row); err != nil {
		return err
	}
	return tx.Show(ctx, store.Display{Key: job(row), Room: row.Room, Text: Text(row), Over: !row.State.Running()})
}

// end ends a forge.
func (f *Forge) end(ctx context.Context, tx store.Tx, row *store.Forge, state store.ForgeState, note string) error {
	row.State, row.Note = state, note
	if state == store.Broken {
		f.Logger.WarnContext(ctx, "a forge has failed", "plan", row.Plan, "reason", note)
	}
	return f.save(ctx, tx, row)
}
