package main

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// A markPlan is what a model says to a message, and how.
type markPlan string

const (
	planAnswers    markPlan = "answers"
	planWrites     markPlan = "writes for a while" // so that people see it grow
	planBreaksOff  markPlan = "breaks off"
	planTakesBack  markPlan = "takes back what it has begun to say"
	planLongs      markPlan = "answers at length"
	planQuiet      markPlan = "says nothing"
	planFails      markPlan = "fails"
	planReacts     markPlan = "answers and reacts"
	planReactsOnly markPlan = "reacts"
	planReactsEyes markPlan = "reacts with the emoji of a mark"
	planWorks      markPlan = "says what it is doing, and answers"
	planWorksOn    markPlan = "says what it is doing, and nothing more"
	planWorksFails markPlan = "says what it is doing, and fails"
	planTries      markPlan = "has an action that fails"
	planConfirms   markPlan = "has an action that waits"
	planAsks       markPlan = "asks"
	planCannot     markPlan = "cannot go on"
)

func markPlans() []markPlan {
	return []markPlan{planAnswers, planAnswers, planWrites, planBreaksOff, planTakesBack, planLongs, planQuiet, planFails, planReacts, planReactsOnly, planReactsEyes, planWorks, planWorks, planWorksOn, planWorksFails, planTries, planConfirms, planAsks, planCannot}
}

// A planned reply is what the model says in one turn of a message.
type planned struct {
	text  string
	words []string // that a person has to read
	slow  bool
	again string // what it says instead, after all
	fails bool
	held  bool // it is kept back for what comes next

	react               string
	asks, blocks, waits bool
}

// reply is what the model says the so-manieth time that it is asked about a message.
func (p markPlan) reply(message, follows int) planned {
	word := fmt.Sprintf("m%dr%d", message, follows)
	plain := planned{text: "The answer is " + word + ".", words: []string{word}}
	if follows > 0 {
		switch {
		case p == planWorksOn && follows == 1:
			return planned{text: "<no-reply/>"}
		case p == planWorksFails && follows == 1:
			return planned{fails: true}
		}
		return plain
	}
	switch p {
	case planWrites:
		plain.slow = true
	case planBreaksOff:
		return planned{text: "The answer is " + word, words: []string{word}, slow: true, fails: true}
	case planTakesBack:
		return planned{text: "The answer is " + word, slow: true, again: "<no-reply/>"}
	case planLongs:
		end := word + "end"
		return planned{text: "The answer " + word + " is long." + strings.Repeat(" It goes on and on.", 330) + " That was " + end + ".", words: []string{word, end}}
	case planQuiet:
		return planned{text: "<no-reply/>"}
	case planFails:
		return planned{fails: true}
	case planReacts:
		plain.text, plain.react = plain.text+`<actions><react emoji="🎉"/></actions>`, "🎉"
	case planReactsOnly:
		return planned{text: `<actions><react emoji="🎉"/></actions>`, react: "🎉"}
	case planReactsEyes:
		return planned{text: `<actions><react emoji="👀"/></actions>`, react: "👀"}
	case planWorks, planWorksOn, planWorksFails:
		return planned{text: "Let me check the logs of " + word + ".", words: []string{word}, held: true}
	case planTries:
		plain.text += block(`{"type":"breaks"}`)
	case planConfirms:
		plain.text, plain.waits = plain.text+block(`{"type":"destroy"}`), true
	case planAsks:
		plain.text, plain.asks = "Which of the two do you want for "+word+"?", true
	case planCannot:
		plain.text, plain.blocks = "I can't continue without the password of "+word+".", true
	}
	return plain
}

// A planner is a model that does to each message what was planned for it.
type planner struct {
	mu    sync.Mutex
	plans []markPlan      // by message
	gates []chan struct{} // that it waits for before it says anything; nil does not wait
}

// newMessage is the text of a message for which something is planned.
func (p *planner) newMessage(what markPlan, gate chan struct{}) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plans, p.gates = append(p.plans, what), append(p.gates, gate)
	return fmt.Sprintf("m%d, please", len(p.plans)-1)
}

var messageName = regexp.MustCompile(`\bm(\d+)\b`)

// numberOf is the number of a message in a text, -1 if it has none.
func numberOf(text string) int {
	if found := messageName.FindStringSubmatch(text); found != nil {
		n, _ := strconv.Atoi(found[1]) // digits
		return n
	}
	return -1
}

// of is what is planned for a turn. What nothing is planned for is a reaction.
func (p *planner) of(t *store.Turn) (planned, chan struct{}) {
	n := numberOf(t.Message.Text)
	if n < 0 || t.Message.Reaction != nil {
		return planned{text: "<no-reply/>"}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	gate := p.gates[n]
	if t.Follows > 0 {
		gate = nil
	}
	return p.plans[n].reply(n, t.Follows), gate
}

// A turnKey has the turn that the model is asked in, in a context.
type turnKey struct{}

// Stream implements model.Model.
func (p *planner) Stream(ctx context.Context, _ model.Request) iter.Seq2[model.Delta, error] {
	say, gate := p.of(ctx.Value(turnKey{}).(*store.Turn))
	return func(yield func(model.Delta, error) bool) {
		if gate != nil {
			select {
			case <-gate:
			case <-ctx.Done():
				yield(model.Delta{}, ctx.Err())
				return
			}
		}
		if !yield(model.Delta{Text: say.text}, nil) {
			return
		}
		if say.slow { // until it has surely been shown
			for range 20 {
				if wait(ctx, 20*time.Millisecond) != nil {
					yield(model.Delta{}, ctx.Err())
					return
				}
				if !yield(model.Delta{Text: "."}, nil) {
					return
				}
			}
		}
		switch {
		case say.fails:
			yield(model.Delta{}, &model.Error{Message: "The model is out of order."})
		case say.again != "":
			yield(model.Delta{Restart: true, Text: say.again, End: model.Done}, nil)
		default:
			yield(model.Delta{End: model.Done}, nil)
		}
	}
}
