package turn

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// What a person writes while a turn is under way is a correction. Whenever the model is
// asked again about the first message, it is told. Nothing is lost by that: the correction
// waits for a turn of its own until the reply that answers it is stored.

// AddedMark begins what the model is told.
const AddedMark = "[added]"

// added are the turns of what the person has written since, in order, as far as the model
// can be told here.
func (e *Engine) added(ctx context.Context, t *store.Turn) ([]*store.Turn, error) {
	if t.Follows == 0 || !e.Corrects || t.Brief != nil {
		return nil, nil
	}
	waiting, err := e.Store.WaitingAfter(ctx, t)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	files, err := e.Store.AttachedFiles(ctx, t.Session, waiting[0].ID, waiting[len(waiting)-1].ID)
	if err != nil {
		return nil, err
	}
	hasFile := map[int64]bool{}
	for _, f := range files {
		hasFile[f.Turn] = true
	}
	var all []*store.Turn
	for _, w := range waiting {
		if w.Message.Author.ID != t.Message.Author.ID {
			continue // is answered with the rights of whoever wrote it
		}
		if !e.corrects(w) || hasFile[w.ID] {
			break // what comes after it stays after it
		}
		all = append(all, w)
	}
	return all, nil
}

// corrects tells whether a message can be told to the model with another one: if it is
// nothing but words, and surely for the agent.
func (e *Engine) corrects(t *store.Turn) bool {
	m := t.Message
	burst := t.Joins > 0 || t.Due.After(e.Now()) // which has a turn of its own
	judged := e.Judges != nil && e.Judges(m) && !m.Direct && !m.Mentioned
	return t.Flow == messageFlow && m.Reaction == nil && !judged && !burst && !strings.HasPrefix(strings.TrimSpace(m.Text), "/")
}

// messageFlow is the flow of a turn that a message has started.
const messageFlow = "message"

// stopWaits tells whether a person has said stop while no model was being asked: between
// two turns of a message there is nothing to cancel.
func (e *Engine) stopWaits(ctx context.Context, t *store.Turn) (bool, error) {
	if t.Follows == 0 {
		return false, nil
	}
	return e.saidStop(ctx, t)
}

// saidStop tells whether the person has said /stop since the message of a turn.
func (e *Engine) saidStop(ctx context.Context, t *store.Turn) (bool, error) {
	waiting, err := e.Store.WaitingAfter(ctx, t)
	for _, w := range waiting {
		if strings.TrimSpace(w.Message.Text) == inbox.StopCommand {
			return true, nil
		}
	}
	return false, err
}

// corrections are what a person has added, as the model is told.
func corrections(t *store.Turn, added []*store.Turn) []model.Message {
	var all []model.Message
	for _, a := range added {
		text := AddedMark + " Meanwhile the person has written:\n" + spoken(t, a.Message.Author.Name, store.Words(a.Message))
		all = append(all, model.Message{Role: model.User, Text: text})
	}
	return all
}
