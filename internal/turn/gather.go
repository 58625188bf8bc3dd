package turn

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// gather puts together what the model is asked.
func (e *Engine) gather(ctx context.Context, t *store.Turn) (model.Request, error) {
	r := model.Request{System: e.system()}
	history, err := e.Store.History(ctx, t.Session, t.ID, e.History)
	if err != nil {
		return r, err
	}
	at := map[int64]int{} // where the message of a turn stands
	for _, x := range history {
		at[x.Turn] = len(r.Messages)
		r.Messages = append(r.Messages, model.Message{Role: model.User, Text: x.Text})
		if x.Answer != "" {
			r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Text: x.Answer})
		}
	}
	at[t.ID] = len(r.Messages)
	r.Messages = append(r.Messages, model.Message{Role: model.User, Text: t.Message.Text})
	return r, attach(ctx, e.Store, t.Session, r.Messages, at)
}

// system is the persona and the guide to the actions.
func (e *Engine) system() string {
	var b strings.Builder
	b.WriteString(e.Persona)
	b.WriteString("\n\nYou can act. Put an instruction anywhere in your reply; it is taken out before people see it:\n")
	for _, spec := range e.Registry.Specs() {
		b.WriteString("<action>" + spec.Example + "</action>  " + spec.Description + "\n")
	}
	return b.String()
}
