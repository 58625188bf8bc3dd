package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/store"
)

// taskRows are the actions of the board that need no forum. They are not among
// caseCategories, whose every action is done at Discord.
var taskRows = []row{
	{
		action: "taskCreate", fields: "title 1–200; description? ≤1900; priority? 0–4 (2); tags? ≤20 of ≤50",
		does: `{"type":"taskCreate","title":"Ship {desk}","description":"Soon.","priority":1,"tags":["ops"]}`,
		free: itself,
		happens: func(p *place, a store.Action) string {
			var ids []string
			for _, t := range p.board(p.t) {
				if t.Title == p.fill("Ship {desk}") && t.Priority == 1 && t.Description == "Soon." && t.Status == tasks.Open && t.By == "grace" {
					ids = append(ids, t.ID)
				}
			}
			return wrongUnless(len(ids) == 1 && a.Summary == fmt.Sprintf("made the task %s: %s", ids[0], p.fill("Ship {desk}")), "%s: %v", a.Summary, ids)
		},
	},
	{
		action: "taskUpdate", fields: "taskId; title? 1–200; description? ≤1900; priority? 0–4; status? open|in_progress|blocked|closed; tags? ≤20 of ≤50",
		does:  `{"type":"taskUpdate","taskId":"{task}","status":"blocked","title":"Shop"}`,
		onWeb: `{"type":"taskUpdate","taskId":"1","status":"blocked"}`,
		with:  hasTask, free: itself,
		happens: func(p *place, a store.Action) string {
			t, history := p.task(p.t)
			return wrongUnless(t.Status == tasks.Blocked && t.Title == "Shop" && a.Summary == `changed `+t.ID+` (Shop): title: "Ship" → "Shop", status: open → blocked` &&
				history == `olga: made; grace: title: "Ship" → "Shop"; grace: status: open → blocked`, "%s: %+v", a.Summary, t)
		},
		rules: []rule{
			{"a task that is not there", `{"type":"taskUpdate","taskId":"ws-999","status":"open"}`, "ws-999 does not exist; taskList shows what does", nobodyAsked, nil},
			{"no change at all", `{"type":"taskUpdate","taskId":"{task}"}`, "taskUpdate: say what is to be different", nobodyAsked, nil},
			{"a change to what it is", `{"type":"taskUpdate","taskId":"{task}","status":"open"}`, "", nobodyAsked, nil},
		},
	},
	{
		action: "taskClose", fields: "taskId; reason? ≤500",
		does:  `{"type":"taskClose","taskId":"{task}","reason":"It works."}`,
		onWeb: `{"type":"taskClose","taskId":"1"}`,
		with:  hasTask, free: itself,
		happens: func(p *place, a store.Action) string {
			t, history := p.task(p.t)
			return wrongUnless(t.Status == tasks.Closed && t.Reason == "It works." && a.Summary == "closed "+t.ID+": Ship" &&
				history == "olga: made; grace: status: open → closed: It works.", "%s: %+v", a.Summary, t)
		},
		rules: []rule{{"a task that is not there", `{"type":"taskClose","taskId":"later"}`, "later does not exist; taskList shows what does", nobodyAsked, nil}},
	},
	{
		action: "taskShow", fields: "taskId",
		does:  `{"type":"taskShow","taskId":"{task}"}`,
		onWeb: `{"type":"taskShow","taskId":"1"}`,
		with:  hasTask, free: itself,
		happens: finds([]string{`"id":"{task}"`, `"title":"Ship"`, `"by":"olga","what":"made"`}, "none"),
	},
	{
		action: "taskList", fields: "status? open|in_progress|blocked|closed|all; label? ≤50; limit? 1–100 (25)",
		does: `{"type":"taskList","label":"in-{desk}"}`,
		with: hasTask, free: itself,
		happens: finds([]string{`{"id":"{task}","title":"Ship","priority":2,"status":"open","labels":["in-{desk}"]}`}, "none"),
	},
}

// hasTask puts a task on the board that is the place's own.
func hasTask(p *place) {
	t, err := newBoard(p.config, p.store).Create(p.ctx, tasks.By{Platform: "discord", Name: "olga"}, tasks.New{Title: "Ship", Priority: 2, Labels: []string{p.fill("in-{desk}")}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.ids["task"] = t.ID
}

// board is everything on it.
func (r *rig) board(t *testing.T) []tasks.Task {
	t.Helper()
	all, _, err := newBoard(r.config, r.store).List(r.ctx, tasks.Query{Status: tasks.All})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// task is the place's own task and what has become of it.
func (p *place) task(t *testing.T) (tasks.Task, string) {
	t.Helper()
	got, err := newBoard(p.config, p.store).Show(p.ctx, p.ids["task"])
	if err != nil {
		t.Fatal(err)
	}
	var history []string
	for _, e := range got.History {
		history = append(history, e.By+": "+e.What)
	}
	return got, strings.Join(history, "; ")
}

func TestDiscordEveryActionOfTheBoardEndsInEveryWayItCan(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	for _, w := range taskRows {
		spec := registry.Find(w.action)
		if got := strings.Join(fieldsOf(t, spec), "; "); got != strings.Join(sortedFields(w.fields), "; ") {
			t.Errorf("%s has the fields\n%s", w.action, got)
		}
		t.Run(w.action, func(t *testing.T) {
			t.Run("is done", func(t *testing.T) { w.isDone(t, r) })
			t.Run("is done at its limits", func(t *testing.T) { w.isWithinLimits(t, r, spec) })
			t.Run("is not done beyond its limits", func(t *testing.T) { w.isBeyondLimits(t, r, spec) })
			for _, rule := range w.rules {
				t.Run("and "+rule.name, func(t *testing.T) { w.obeys(t, r, rule) })
			}
			w.isElsewhere(t, r, spec)
		})
	}
}

func TestDiscordActionsOfTheBoardSurviveACrash(t *testing.T) {
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	for _, crash := range crashes {
		t.Run(crash.name, func(t *testing.T) {
			t.Parallel()
			crash.survived(t, registry, map[string][]row{"tasks": taskRows})
		})
	}
}
