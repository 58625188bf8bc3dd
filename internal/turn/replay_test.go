package turn

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
)

// inertRegistry has the actions, with nothing they could work on.
func inertRegistry(t *testing.T) *action.Registry {
	t.Helper()
	once := action.Define(action.Spec{Name: "launch"}, func(context.Context, action.Call, struct{}) action.Outcome {
		panic("a replay has run an action")
	})
	r, err := action.NewRegistry(append(slices.Concat(messaging.Specs(nil, nil), memory.Specs(nil), tools.Specs()), once)...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func row(ordinal int, name, args string, state store.ActionState, summary string) store.Action {
	return store.Action{Ordinal: ordinal, Dialect: "blocks", Type: name, Args: json.RawMessage(args), State: state, Summary: summary}
}

func TestAReplySaysAgainWhatItCameTo(t *testing.T) {
	block := func(body string) string { return "<action>" + body + "</action>" }
	react := block(`{"type":"react","emoji":"eyes"}`)
	tests := []struct {
		name, reply, failure, problems string
		then                           []store.Action
		shown                          string
		now                            string // the verdicts, one a line
		differences                    string
	}{
		{name: "nothing was said", now: ""},
		{
			name: "text alone", reply: "Hello.", shown: "Hello.",
		},
		{
			name: "an action that ran", reply: "Hi. " + react, shown: "Hi.",
			then: []store.Action{row(0, "react", `{"emoji": "eyes"}`, store.Done, "reacted with 👀")},
			now:  "action react: run, react is known and its arguments are right; then done",
		},
		{
			name: "an action that was run and failed", reply: react,
			then: []store.Action{row(0, "react", `{"emoji":"eyes"}`, store.Failed, "could not react with 👀: gone")},
			now:  "action react: run, react is known and its arguments are right; then failed",
		},
		{
			name: "an action that may not be repeated and was interrupted", reply: block(`{"type":"launch"}`),
			then: []store.Action{row(0, "launch", `{}`, store.Unknown, "launch was interrupted; it may or may not have happened")},
			now:  "action launch: run, launch is known and its arguments are right; then unknown",
		},
		{
			name: "an action that nobody knows", reply: block(`{"type":"fly"}`),
			then: []store.Action{row(0, "fly", `{}`, store.Failed, `there is no action "fly"`)},
			now:  `action fly: failed, there is no action "fly"; then failed`,
		},
		{
			name: "an action that has become known", reply: react,
			then:        []store.Action{row(0, "react", `{"emoji":"eyes"}`, store.Failed, `there is no action "react"`)},
			now:         "action react: run, react is known and its arguments are right; then failed",
			differences: `action 1, react, would be run now; then it was not: failed, there is no action "react"`,
		},
		{
			name: "an action that is known no longer", reply: block(`{"type":"fly"}`),
			then:        []store.Action{row(0, "fly", `{}`, store.Done, "flown")},
			now:         `action fly: failed, there is no action "fly"; then done`,
			differences: `action 1, fly, would not be run now (there is no action "fly"); then it was: done, flown`,
		},
		{
			name: "arguments that are wrong", reply: block(`{"type":"react"}`),
			then: []store.Action{row(0, "react", `{}`, store.Failed, "react: emoji is missing")},
			now:  "action react: failed, react: emoji is missing; then failed",
		},
		{
			name: "arguments that were wrong for another reason", reply: block(`{"type":"react"}`),
			then:        []store.Action{row(0, "react", `{}`, store.Failed, "react: smoke is missing")},
			now:         "action react: failed, react: emoji is missing; then failed",
			differences: "action 1, react, is not run for another reason now: react: emoji is missing; then: failed, react: smoke is missing",
		},
		{
			name: "a reply that broke off", reply: "Half " + react, failure: "Stopped.", shown: "Half",
			then: []store.Action{row(0, "react", `{"emoji":"eyes"}`, store.Refused, "the reply broke off")},
			now:  "action react: refused, the reply broke off; then refused",
		},
		{
			name: "an action that policy has refused", reply: react,
			then: []store.Action{row(0, "react", `{"emoji":"eyes"}`, store.Refused, "not here")},
			now:  "action react: run, react is known and its arguments are right; then refused",
		},
		{
			name: "a turn that has not come so far", reply: react,
			then: []store.Action{row(0, "react", `{"emoji":"eyes"}`, store.Planned, "")},
			now:  "action react: run, react is known and its arguments are right; then planned",
		},
		{
			name: "an action that was not read then", reply: react, now: "action react: run, react is known and its arguments are right; then nothing",
			differences: "action 1, react, is not in the ledger",
		},
		{
			name: "an action that is not read any more", reply: "Hi", shown: "Hi",
			then:        []store.Action{row(0, "react", `{}`, store.Done, "done")},
			differences: "action 1, react, is in the ledger and not in the reply any more: done, done",
		},
		{
			name: "an action that is read differently", reply: react,
			then:        []store.Action{row(0, "react", `{"emoji":"ear"}`, store.Done, "done")},
			now:         "action react: run, react is known and its arguments are right; then done",
			differences: `action 1 is read as react {"emoji":"eyes"} now, and was read as react {"emoji":"ear"}`,
		},
		{
			name: "markup that is malformed", reply: "Hi " + block(`{"type":`), shown: "Hi",
			problems:    "[]",
			now:         "problem unclosed: unclosed, …; then nothing",
			differences: `"<action>{\"type\":</action>" is a problem now and was none: …`,
		},
		{
			name: "a control", reply: "<no-reply/>", now: "control no-reply: no-reply, it steers the turn; then nothing",
		},
		{
			name: "a problem that is none now", reply: "Hi", shown: "Hi",
			problems:    `[{"kind":"unclosed","dialect":"blocks","raw":"<action>","explanation":"not closed"}]`,
			differences: `"<action>" was a problem and is none now: not closed`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			turn := &store.Turn{ID: 1, Reply: test.reply, Failure: test.failure, Problems: json.RawMessage(test.problems)}
			r := Again(extract.Config{Dialects: extract.Everything &^ extract.Envelope}, inertRegistry(t), turn, test.then)
			var whole strings.Builder
			for _, p := range r.Parts {
				whole.WriteString(p.Text)
			}
			if whole.String() != test.reply {
				t.Errorf("the parts are %q", r.Parts)
			}
			if r.Shown != test.shown {
				t.Errorf("shown is %q", r.Shown)
			}
			var now []string
			why := ""
			for _, in := range r.Instructions {
				if in.Kind == "problem" {
					why, in.Now.Why = in.Now.Why, "…"
				}
				then := "nothing"
				if in.Then != nil {
					then = in.Then.State
				}
				now = append(now, fmt.Sprintf("%s %s: %s, %s; then %s", in.Kind, in.Name, in.Now.State, in.Now.Why, then))
			}
			if got := strings.Join(now, "\n"); got != test.now {
				t.Errorf("now\n%s\nwant\n%s", got, test.now)
			}
			differences := strings.Join(r.Differences, "\n")
			if why != "" {
				differences = strings.ReplaceAll(differences, why, "…")
			}
			if differences != test.differences {
				t.Errorf("the differences are\n%s\nwant\n%s", differences, test.differences)
			}
		})
	}
}
