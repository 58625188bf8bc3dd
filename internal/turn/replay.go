package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
)

// A Replay is what a stored reply comes to when it is read again, beside what it came
// to then. Nothing is executed.
type Replay struct {
	Parts        []Part        `json:"parts"`
	Shown        string        `json:"shown"` // what of the reply would be shown, without what actions add
	Instructions []Instruction `json:"instructions"`
	Differences  []string      `json:"differences"` // between then and now
}

// An Instruction is something in the reply that is not for people, and what became and
// would become of it.
type Instruction struct {
	Kind    string          `json:"kind"` // action, control or problem
	Dialect string          `json:"dialect"`
	Name    string          `json:"name"` // an action's type, a control's name, a problem's kind
	Args    json.RawMessage `json:"args,omitempty"`
	Raw     string          `json:"raw"`
	Now     Verdict         `json:"now"`
	Then    *Verdict        `json:"then"` // null if the ledger does not have it
}

// A Verdict is what is known about an instruction.
type Verdict struct {
	State string `json:"state"` // run: it would be run; otherwise its outcome, a control's or a problem's name
	Why   string `json:"why"`
}

// Runs is the state of a verdict about an action that would be run.
const Runs = "run"

// Again reads the reply of a turn again and decides again. The ledger is what happened
// then.
func Again(ctx context.Context, reading extract.Config, decider *Decider, t *store.Turn, then []store.Action) Replay {
	r := Replay{Parts: Parts(reading, t.Reply), Instructions: []Instruction{}, Differences: []string{}}
	var result words
	add := func(e extract.Event) {
		result.add(e, t.Reply)
		r.add(e)
	}
	reader := extract.New(reading)
	for e := range reader.Feed([]byte(t.Reply)) {
		add(e)
	}
	for e := range reader.End() {
		add(e)
	}
	rows := decider.ledger(t.ID, result.Actions, t.Failure)
	r.Shown = result.said(rows)
	n := 0
	for i := range r.Instructions {
		in := &r.Instructions[i]
		if in.Kind == extract.KindAction.String() {
			r.judge(ctx, in, decider, t, rows[n], then)
			n++
		}
	}
	for _, a := range then[min(n, len(then)):] {
		if a.Dialect == namedDialect {
			continue // a file that the text names, which is looked for when the reply comes
		}
		r.differ("action %d, %s, is in the ledger and not in the reply any more: %s", a.Ordinal+1, a.Type, outcome(a))
	}
	r.compareProblems(t.Problems, result.Problems)
	return r
}

// add appends an event to the instructions if it is one.
func (r *Replay) add(e extract.Event) {
	if e.Instruction == nil {
		return
	}
	in := Instruction{Kind: e.Kind.String(), Dialect: e.Dialect.String(), Name: e.Name, Args: e.Args, Raw: e.Raw}
	switch e.Kind {
	case extract.KindControl:
		in.Now = Verdict{State: e.Name, Why: "it steers the turn"}
	case extract.KindProblem:
		in.Now = Verdict{State: e.Name, Why: e.Why}
	}
	r.Instructions = append(r.Instructions, in)
}

// judge decides about an action again and compares with its row of then.
func (r *Replay) judge(ctx context.Context, in *Instruction, decider *Decider, t *store.Turn, row store.Action, then []store.Action) {
	d := decider.decide(ctx, t, row)
	in.Now = Verdict{State: string(d.state), Why: d.why}
	if d.state == store.Planned {
		in.Now = Verdict{State: Runs, Why: d.spec.Name + " is known, its arguments are right, and the policy allows it"}
	}
	number := row.Ordinal + 1
	if row.Ordinal >= len(then) {
		r.differ("action %d, %s, is not in the ledger", number, row.Type)
		return
	}
	was := then[row.Ordinal]
	in.Then = &Verdict{State: string(was.State), Why: was.Summary}
	switch ran := wasRun(was, d.spec); {
	case was.Type != row.Type || was.Dialect != row.Dialect || !sameJSON(was.Args, row.Args):
		r.differ("action %d is read as %s %s now, and was read as %s %s", number, row.Type, row.Args, was.Type, was.Args)
	case !was.State.Ended():
		// It has not come so far yet.
	case row.State == store.Done && was.State == store.Done && was.Summary == row.Summary:
		// It is no action, and says the same of the reply.
	case d.state == store.Planned && !ran:
		r.differ("action %d, %s, would be run now; then it was not: %s", number, row.Type, outcome(was))
	case d.state != store.Planned && ran:
		r.differ("action %d, %s, would not be run now (%s); then it was: %s", number, row.Type, d.why, outcome(was))
	case d.state != store.Planned && d.why != was.Summary:
		r.differ("action %d, %s, is not run for another reason now: %s; then: %s", number, row.Type, d.why, outcome(was))
	}
}

// wasRun tells whether an action with an outcome was begun: it was, unless the outcome
// is one that decide gives.
func wasRun(a store.Action, spec *action.Spec) bool {
	switch {
	case a.State == store.Refused && a.Summary == brokeOff:
		return false
	case a.State != store.Failed:
		return true
	case a.Summary == noSuchAction(a.Type):
		return false
	}
	return spec == nil || !strings.HasPrefix(a.Summary, spec.Name+": ")
}

func (r *Replay) differ(format string, args ...any) {
	r.Differences = append(r.Differences, fmt.Sprintf(format, args...))
}

func outcome(a store.Action) string {
	if a.Summary == "" {
		return string(a.State)
	}
	return string(a.State) + ", " + a.Summary
}

// compareProblems compares what could not be used then with what cannot now.
func (r *Replay) compareProblems(then json.RawMessage, now []extract.Event) {
	var was []problem
	if len(then) == 0 || json.Unmarshal(then, &was) != nil {
		return
	}
	seen := map[problem]int{}
	for _, p := range was {
		seen[p]++
	}
	for _, p := range problems(now) {
		if seen[p]--; seen[p] < 0 {
			r.differ("%q is a problem now and was none: %s", p.Raw, p.Explanation)
		}
	}
	for _, p := range was {
		if seen[p] > 0 {
			seen[p]--
			r.differ("%q was a problem and is none now: %s", p.Raw, p.Explanation)
		}
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}
