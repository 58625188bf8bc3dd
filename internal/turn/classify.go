package turn

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
)

// classifyWithin is how long an answer waits for being classified.
const classifyWithin = 4 * time.Second

// asksClassifier tells whether a model is asked what a reply is. That takes a while, so the
// reply is stored before.
func (e *Engine) asksClassifier(t *store.Turn) bool {
	if t.Brief != nil && t.Brief.Unposted || routes(t) {
		return false // nobody waits for it
	}
	return e.Classifier != nil && t.Failure == "" && !output.Acknowledges(t.Shown)
}

// classify says what the reply of a turn is. What happened counts more than what it says.
func (e *Engine) classify(ctx context.Context, t *store.Turn, ledger []store.Action) output.Verdict {
	did := func(is func(store.Action) bool) bool { return slices.ContainsFunc(ledger, is) }
	switch {
	case t.Failure == stoppedByPerson:
		return output.Verdict{Type: output.Completion, Why: "a person has stopped it"}
	case t.Failure != "":
		return output.Verdict{Type: output.Error, Why: "the model did not answer, or not to the end"}
	case did(func(a store.Action) bool { return a.State == store.Asked }):
		return output.Verdict{Type: output.Question, Why: store.AsksToConfirm}
	case did(e.asksPerson):
		return output.Verdict{Type: output.Question, Why: "an action has asked for a choice"}
	case did(e.comesBack):
		return output.Verdict{Type: output.Completion, Why: "an action sees to what comes later"}
	case steered(ledger, ignored):
		return output.Verdict{Type: output.Completion, Why: "the agent has chosen not to answer"}
	case !e.asksClassifier(t):
		return output.ByRules(t.Shown)
	}
	verdict, err := e.askClassifier(ctx, t.Shown)
	if err != nil {
		e.Logger.DebugContext(ctx, "no model has classified the reply; the rules have", "error", err)
		return output.ByRules(t.Shown)
	}
	if verdict.Type == output.StatusUpdate && !output.Holds(t.Shown) {
		return output.Verdict{Type: output.Completion, Why: "a " + string(verdict.Type) + " that is long enough to be an answer; " + verdict.Why}
	}
	return verdict
}

// askClassifier asks the model what a text is.
func (e *Engine) askClassifier(ctx context.Context, text string) (output.Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, classifyWithin)
	defer cancel()
	var said strings.Builder
	for delta, err := range e.Classifier.Stream(ctx, output.Request(text)) {
		if err != nil {
			return output.Verdict{}, err
		}
		if delta.Restart {
			said.Reset()
		}
		said.WriteString(delta.Text)
	}
	return output.Read(said.String())
}

// asksPerson tells whether an action has asked the person something.
func (e *Engine) asksPerson(a store.Action) bool {
	spec := e.Registry.Find(a.Type)
	return a.State == store.Done && spec != nil && spec.Name == "reactionPrompt"
}

// comesBack tells whether an action has started something that will speak up by itself.
func (e *Engine) comesBack(a store.Action) bool {
	spec := e.Registry.Find(a.Type)
	return a.State == store.Done && spec != nil && !spec.Query && slices.Contains([]string{"defer", "loop", "crons", "plan", "forge", "spawn"}, spec.Category)
}
