package turn

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
)

// A command is a message that the runtime answers itself: a word, and for some what stands
// behind it.
type command struct {
	answer func(e *Engine, ctx context.Context, t *store.Turn, rest string) error
	rest   bool // something may stand behind it
}

var commands = map[string]command{
	inbox.StopCommand:    {answer: (*Engine).answerStop},
	outbox.MissedCommand: {answer: (*Engine).answerMissed},
	MemoryCommand:        {answer: (*Engine).answerMemory, rest: true},
	ForgetCommand:        {answer: (*Engine).answerForget, rest: true},
}

// commandOf is the command that a text is, and what stands behind it.
func commandOf(text string) (c command, rest string, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	c, ok = commands[word]
	return c, strings.TrimSpace(rest), ok && (c.rest || rest == "")
}

// IsCommand tells whether a message is one that the runtime answers itself.
func IsCommand(text string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	_, _, ok := commandOf(text)
	return ok || word == ConfirmCommand
}

// answer is the reply of the runtime itself.
func (e *Engine) answer(ctx context.Context, t *store.Turn, text string) error {
	return e.answerAs(ctx, t, output.Completion, text)
}

// answerAs is answer with a reply that may be something else than an answer.
func (e *Engine) answerAs(ctx context.Context, t *store.Turn, is output.Type, text string) error {
	t.Problems, t.Timings = json.RawMessage("[]"), json.RawMessage("{}")
	if text != "" {
		t.Output, t.OutputWhy = string(is), "Aside itself has answered"
	}
	return e.say(ctx, t, text, func(posts []store.Post) error { return e.Store.SaveReply(ctx, t, store.Reply{Posts: posts}) })
}

// passOver answers nothing, and notes why.
func (e *Engine) passOver(ctx context.Context, t *store.Turn, why string) error {
	t.Problems, t.Timings = json.RawMessage("[]"), json.RawMessage("{}")
	return e.Store.SaveReply(ctx, t, store.Reply{Unanswered: why})
}

// answerStop answers a person who has said /stop. What was running has been
// cancelled when the message came in.
func (e *Engine) answerStop(ctx context.Context, t *store.Turn, _ string) error {
	return e.answer(ctx, t, "Stopped.")
}

// answerMissed shows the answers that came too late for this room. They stay dead
// letters: being shown once more does no harm, being lost does.
func (e *Engine) answerMissed(ctx context.Context, t *store.Turn, _ string) error {
	late, err := e.Store.LatePosts(ctx, t.Message.Room)
	if err != nil {
		return err
	}
	if len(late) == 0 {
		return e.answer(ctx, t, "Nothing was missed.")
	}
	var texts []string
	for _, p := range late {
		text := p.Text
		if p.Files > 0 {
			text = strings.TrimSpace(text + "\n(with a file, which has to be asked for again)")
		}
		texts = append(texts, "From "+p.Created.Format("15:04 UTC on 2 January")+":\n"+text)
	}
	return e.answer(ctx, t, strings.Join(texts, "\n\n"))
}
