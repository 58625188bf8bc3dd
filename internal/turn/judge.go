package turn

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// In some rooms a small model decides whether a message is for the agent at all.

const askJudge = `You read a group chat in which the assistant takes part. Decide whether the assistant should answer the last message: yes if it is asked, addressed, or can clearly help; no if people talk among themselves, or if you are unsure.
Answer with one word: yes or no.`

// passedOver tells whether a message is to be left alone. A message that mentions the
// agent or answers it never is, and neither is one about which nobody can be asked.
func (e *Engine) passedOver(ctx context.Context, t *store.Turn, prompt Prompt) (bool, error) {
	m := t.Message
	if e.Judges == nil || e.Judge == nil || m.Direct || m.Mentioned || m.Reaction != nil || answersPrompt(t) || t.Follows > 0 || !e.Judges(m) {
		return false, nil
	}
	request := model.Request{System: askJudge, Messages: prompt.Messages[max(0, len(prompt.Messages)-judgedMessages):]}
	if request.Messages[0].Role == model.Assistant { // a conversation begins with a person
		request.Messages = request.Messages[1:]
	}
	var said strings.Builder
	for delta, err := range e.Judge.Stream(ctx, request) {
		if err != nil {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			e.Logger.WarnContext(ctx, "nobody could judge whether a message is for the agent; it is answered", "error", err)
			return false, nil
		}
		if delta.Restart {
			said.Reset()
		}
		said.WriteString(delta.Text)
	}
	return !strings.HasPrefix(strings.ToLower(strings.Trim(said.String(), " \n\t\"'*.")), "yes"), nil
}

// judgedMessages is how much of the conversation is looked at.
const judgedMessages = 9
