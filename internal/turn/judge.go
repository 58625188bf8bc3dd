package turn

import (
	"context"
	"strings"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// In some rooms a small model decides whether a message is for the agent at all.

const askJudge = `You read a group chat in which the assistant takes part. Decide what the assistant does about the last message.
RESPOND: the assistant is asked or addressed, or can clearly help.
IGNORE: people talk among themselves, or you are unsure.
STOP: somebody wants the assistant to be quiet, or to stop what it is doing.
Answer with that one word and nothing else.`

// busyNote goes with the question while an answer is being written.
const busyNote = "\nThe assistant is answering an earlier message at this moment."

// A verdict is what the judge says.
type verdict string

const (
	respond verdict = "RESPOND"
	ignore  verdict = "IGNORE"
	stop    verdict = "STOP"
)

// readVerdict reads what the judge has said: one of its words, or else nothing that counts.
// "do NOT respond" is not RESPOND.
func readVerdict(said string) verdict {
	switch v := verdict(strings.ToUpper(strings.Trim(said, " \n\r\t\"'`*_.!"))); v {
	case respond, stop:
		return v
	}
	return ignore
}

// isJudged tells whether the judge decides about a turn's message. About one that mentions
// the agent or answers it there is nothing to decide.
func (e *Engine) isJudged(t *store.Turn) bool {
	m := t.Message
	return e.Judges != nil && e.Judge != nil && !m.Direct && !m.Mentioned && m.Reaction == nil && !t.Silent &&
		!answersPrompt(t) && t.Follows == 0 && t.Brief == nil && e.Judges(m)
}

// passedOver is why a message is to be left alone, "" if it is to be answered: also if
// nobody can be asked.
func (e *Engine) passedOver(ctx context.Context, t *store.Turn, prompt Prompt) (why string, err error) {
	if !e.isJudged(t) {
		return "", nil
	}
	said, err := e.judge(ctx, prompt, "")
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		e.Logger.WarnContext(ctx, "nobody could judge whether a message is for the agent; it is answered", "error", err)
		return "", nil
	}
	switch readVerdict(said) {
	case respond:
		return "", nil
	case stop:
		return judgedStop, nil
	}
	return judgedIgnore, nil
}

// Why a message was passed over, for whoever looks into its turn.
const (
	judgedIgnore = "The fast model judged that it was not for the agent (IGNORE)."
	judgedStop   = "The fast model judged that the agent was to be quiet (STOP)."
)

// judge asks the judge about the last message of a prompt.
func (e *Engine) judge(ctx context.Context, prompt Prompt, note string) (string, error) {
	request := model.Request{System: askJudge + note, Messages: prompt.Messages[max(0, len(prompt.Messages)-judgedMessages):]}
	if request.Messages[0].Role == model.Assistant { // a conversation begins with a person
		request.Messages = request.Messages[1:]
	}
	var said strings.Builder
	for delta, err := range e.Judge.Stream(ctx, request) {
		if err != nil {
			return "", err
		}
		if delta.Restart {
			said.Reset()
		}
		said.WriteString(delta.Text)
	}
	return said.String(), nil
}

// judgedMessages is how much of the conversation is looked at.
const judgedMessages = 9
