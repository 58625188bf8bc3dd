package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/plans"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Role is the role of the model that works on phases.
const Role = "plan-run"

// sessions begin so. A plan's phases are a session of their own: they never overlap, and
// belong to nobody's conversation.
const sessions = "plan/"

// sessionOf is the session of a plan's phases.
func sessionOf(number int) string { return sessions + IDOf(number) }

// A work is which phase an errand works on.
type work struct {
	Plan  int `json:"plan"`
	Run   int `json:"run"`
	Phase int `json:"phase"`
}

// Run begins to work through what remains of a plan, once for each key. One that is being
// run already goes on.
func (p *Plans) Run(ctx context.Context, by plans.By, id string, o plans.Options) (shown plans.Plan, begun bool, err error) {
	file, err := p.find(id)
	if err != nil {
		return shown, false, readable(err)
	}
	known, err := p.known(ctx, file)
	if err != nil {
		return shown, false, err
	}
	err = p.Store.In(ctx, func(tx store.Tx) error {
		stored, err := tx.Plan(ctx, known.Number)
		if err != nil {
			return err
		}
		before, err := tx.PlanRunByKey(ctx, by.Key)
		if begun = before != nil; begun || err != nil {
			return err
		}
		begun, err = p.begin(ctx, tx, stored, file, &store.PlanRun{
			Plan: stored.Number, Key: by.Key, RollOn: o.RollOn, Quiet: o.Quiet, By: askerOf(by), ReplyTo: by.Message, Depth: by.Depth + 1,
		})
		return err
	})
	if err != nil {
		return shown, false, err
	}
	if p.Await != nil {
		p.Await(p.Now())
	}
	if err := p.Write(ctx, known.Number); err != nil { // it runs; the file is written later
		p.Logger.WarnContext(ctx, "the file of a plan that runs could not be written", "plan", file.ID(), "error", err)
		p.pending()
	}
	shown, err = p.Show(ctx, file.ID())
	return shown, begun, err
}

// begin begins a run, if the plan may be run and is not.
func (p *Plans) begin(ctx context.Context, tx store.Tx, stored *store.Plan, file *File, run *store.PlanRun) (begun bool, err error) {
	now, err := p.statusIn(ctx, tx, file, stored)
	if err != nil {
		return false, err
	}
	if why := refuse(file.ID(), Implementing, now); why != "" {
		return false, mistake("%s", why)
	}
	if now == Implementing { // a run is under way
		return false, nil
	}
	if run.By.Room == (platform.Room{}) { // the operator asks: it is done for who made the plan
		run.By = stored.By
	}
	if run.By.Room == (platform.Room{}) {
		run.By = store.Asker{Room: platform.Room{Platform: "web", ID: "lobby"}, Direct: true, Person: platform.Person{ID: "you", Name: "you"}}
	}
	phases, err := tx.PlanPhases(ctx, stored.Number)
	if err != nil {
		return false, err
	}
	made := Phases(file.Document)
	if len(made) == 0 {
		return false, mistake("%s names no changes; write them below ## Changes in %s, one list item each", file.ID(), file.Name)
	}
	remade, touched := remake(phases, made)
	if touched != nil {
		return false, mistake("%s", staleText(file.ID(), *touched))
	}
	if err := tx.BeginPlanRun(ctx, run); err != nil {
		return false, err
	}
	if err := tx.SetPlanPhases(ctx, stored.Number, again(remade)); err != nil {
		return false, err
	}
	stored.Sections, stored.Wanted = file.Hash(), string(Implementing)
	if err := tx.SavePlan(ctx, stored); err != nil {
		return false, err
	}
	return true, p.next(ctx, tx, stored, run)
}

func staleText(id string, touched store.PlanPhase) string {
	return fmt.Sprintf("phase %d of %s (%s) is %s, and the plan says something else about it by now; approve %s again, and what was changed is done anew", touched.Ordinal, id, touched.Title, touched.State, id)
}

// remake makes the phases of a plan that was changed. What is done, or being done, and
// stands in the plan as it did keeps its state. touched is something that is done and does not
// stand there any more.
func remake(before []store.PlanPhase, made []Phase) (all []store.PlanPhase, touched *store.PlanPhase) {
	used := map[int]bool{}
	for _, m := range made {
		phase := store.PlanPhase{Kind: string(m.Kind), Title: m.Title, Text: m.Text, Files: m.Files, Hash: m.Hash(), State: store.PhasePending}
		for i, b := range before {
			if b.Hash == phase.Hash && !used[i] {
				used[i] = true
				phase.State, phase.Run, phase.Evidence = b.State, b.Run, b.Evidence
				break
			}
		}
		all = append(all, phase)
	}
	for i, b := range before {
		if !used[i] && (b.State == store.PhaseDone || b.State == store.PhaseSkipped) {
			return all, &before[i]
		}
	}
	return all, nil
}

// again makes phases ready for a new run: what has failed is tried again, and where
// something is changed still, what looked at the result looks again.
func again(phases []store.PlanPhase) []store.PlanPhase {
	changes := false
	for i := range phases {
		if phases[i].State == store.PhaseFailed || phases[i].State == store.PhaseRunning {
			phases[i].State = store.PhasePending
		}
		changes = changes || phases[i].State == store.PhasePending && phases[i].Kind == string(Implement)
	}
	for i := range phases {
		if changes && phases[i].Kind != string(Implement) && phases[i].State == store.PhaseDone {
			phases[i].State = store.PhasePending
		}
	}
	return phases
}

// next opens the errand of the next phase, or ends the run if there is none.
func (p *Plans) next(ctx context.Context, tx store.Tx, stored *store.Plan, run *store.PlanRun) error {
	phases, file, why, err := p.current(ctx, tx, stored)
	if err != nil {
		return err
	}
	if why != "" {
		return p.end(ctx, tx, stored, run, store.RunStopped, why)
	}
	failed := 0
	for _, phase := range phases {
		if phase.State == store.PhaseFailed {
			failed++
		}
		if phase.State == store.PhasePending {
			return p.open(ctx, tx, stored, run, file, phases, phase)
		}
	}
	if failed > 0 {
		return p.end(ctx, tx, stored, run, store.RunFailed, fmt.Sprintf("%d of %d phases failed; the next run tries them again", failed, len(phases)))
	}
	return p.end(ctx, tx, stored, run, store.RunDone, "")
}

// current are the phases of a plan that is being run, as its file says now. why is what
// keeps the run from going on.
func (p *Plans) current(ctx context.Context, tx store.Tx, stored *store.Plan) (phases []store.PlanPhase, file *File, why string, err error) {
	if phases, err = tx.PlanPhases(ctx, stored.Number); err != nil {
		return nil, nil, "", err
	}
	file, err = p.Folder.Read(stored.Number)
	if err != nil {
		return nil, nil, "its file cannot be read: " + err.Error(), nil
	}
	if status := file.Status(); status != Implementing && status != Approved {
		return nil, nil, fmt.Sprintf("its file says %s", status), nil
	}
	if file.Hash() == stored.Sections {
		return phases, file, "", nil
	}
	remade, touched := remake(phases, Phases(file.Document))
	if touched != nil {
		return nil, nil, staleText(file.ID(), *touched), nil
	}
	if err := tx.SetPlanPhases(ctx, stored.Number, remade); err != nil {
		return nil, nil, "", err
	}
	stored.Sections = file.Hash()
	if err := tx.SavePlan(ctx, stored); err != nil {
		return nil, nil, "", err
	}
	phases, err = tx.PlanPhases(ctx, stored.Number)
	return phases, file, "", err
}

// open opens the errand of a phase.
func (p *Plans) open(ctx context.Context, tx store.Tx, stored *store.Plan, run *store.PlanRun, file *File, phases []store.PlanPhase, phase store.PlanPhase) error {
	if err := tx.StepPlanRun(ctx, run); err != nil {
		return err
	}
	more, err := json.Marshal(work{stored.Number, run.Number, phase.Ordinal})
	if err != nil {
		return err
	}
	opened, err := tx.Open(ctx, store.Errand{
		Key: fmt.Sprintf("%s/run-%d/%d", file.ID(), run.Number, run.Steps), Flow: string(action.OnPlan), Session: sessionOf(stored.Number),
		Room: run.By.Room, Parent: run.By.Parent, Direct: run.By.Direct, Person: run.By.Person,
		Text: p.errandText(file, phases, phase), At: p.Now(), Depth: run.Depth,
		Brief: store.Brief{Job: file.ID(), Role: Role, Unposted: true, Alone: true, More: more},
	}, false)
	if err != nil {
		return err
	}
	if !opened.Fresh { // which cannot be, and must not leave a run that never ends
		return p.end(ctx, tx, stored, run, store.RunStopped, "its next phase could not be begun; run it again")
	}
	phase.State, phase.Run, phase.Evidence = store.PhaseRunning, run.Number, ""
	if err := tx.SavePhase(ctx, phase); err != nil {
		return err
	}
	return p.show(ctx, tx, file.Title(), run)
}

// end ends a run: the plan is done, or may be run again.
func (p *Plans) end(ctx context.Context, tx store.Tx, stored *store.Plan, run *store.PlanRun, state store.RunState, why string) error {
	run.State, run.Note = state, why
	if err := tx.EndPlanRun(ctx, run); err != nil {
		return err
	}
	stored.Wanted = string(Approved)
	title := ""
	if file, err := p.Folder.Read(stored.Number); err == nil {
		title = file.Title()
		if status := file.Status(); status != Implementing && status != Approved {
			stored.Wanted = "" // a person's word
		}
	}
	said := fmt.Sprintf("Run %d ended: %s", run.Number, state)
	if why != "" {
		said += ", " + clipTo(oneLine(why), longestSaid)
	}
	if state == store.RunDone {
		stored.Wanted = string(Done)
		if err := p.closeTask(ctx, tx, stored, run.By, run.Key, IDOf(stored.Number)+" is done"); err != nil {
			return err
		}
	}
	if err := p.log(ctx, tx, stored.Number, fmt.Sprintf("run-%d", run.Number), said+"."); err != nil {
		return err
	}
	if err := tx.SavePlan(ctx, stored); err != nil {
		return err
	}
	if err := p.show(ctx, tx, title, run); err != nil {
		return err
	}
	if state == store.RunDone && !run.Quiet {
		return p.complete(ctx, tx, stored, title, run)
	}
	return nil
}

// mine tells whether a turn is of a phase.
func mine(t *store.Turn) bool { return t.Brief != nil && strings.HasPrefix(t.Session, sessions) }
